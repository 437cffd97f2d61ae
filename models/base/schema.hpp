#pragma once

#include "models/base/declaration.hpp"
#include "models/base/value.hpp"

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// The one declaration of a configuration section. A struct says in a free function what it reads;
// parsing, defaults, checks, `systole show`, the JSON Schema and the parameter tables come from it.
//
//     struct ScratchpadConfig {
//         Bytes size{};
//         int banks = 8;
//         std::optional<Duration> latency;              // a scalar that may be absent
//         SourceLocation banks_at;
//     };
//     void describe(Schema<ScratchpadConfig>& schema) {
//         using C = ScratchpadConfig;
//         schema.field("size", &C::size, "capacity of all banks").required().at_least(Bytes{1});
//         schema.field("banks", &C::banks, "banks that serve one access a cycle each")
//             .range(1, 1024).location(&C::banks_at)
//             .check([](int banks) { return is_power_of_two(banks); }, "must be a power of two")
//             .check([](const C& c) { return c.size.count() % c.banks == 0; }, "must divide size");
//         schema.field("latency", &C::latency, "from request to data");
//     }
//
// Scalars: int, std::int64_t, double, bool, std::string, Bytes, Cycles, Hertz, Seconds, Duration
// ("100 ns" or "8 cycles"), BytesPerSecond, Picojoules, every enum with Words (words.hpp), and
// std::optional, std::vector, std::map<std::string, …> of all these and of described structs.
//   schema.section("matrix", &Core::matrix, doc)      a struct, or std::optional of one
//   schema.list("cores", &Chip::cores, doc)           std::vector of structs
//   schema.map("parameters", &Net::parameters, doc)   free keys; .literal(): no names inside
//   schema.field("kernel", &Conv::kernel, doc).or_one()   `3` may stand for `[3]`; vector or
//                                                     optional of one
//   schema.choice("matrix", &Core::matrix, doc, "kind",   std::variant<Systolic, Simt>, written
//                 alternative<Systolic>("systolic", doc), `matrix: {kind: systolic, rows: 8}`
//                 alternative<Simt>("simt", doc))
// A tagged item is a struct that is one of several, written `- dense: {units: 8}` or `- flatten`:
//     struct Layer { SourceLocation where; std::variant<Dense, Activation, Repeat> op; };
//     void describe(Schema<Layer>& schema) {
//         schema.location(&Layer::where);
//         schema.tagged(&Layer::op, alternative<Dense>("dense", doc),
//                       alternative<Activation>("relu", doc, &Activation::function,
//                       Function::relu), alternative<Repeat>("repeat", doc));   // Repeat holds a
//                       vector<Layer>
//     }
//
// `range`, `at_least`, `at_most` and a check of the value hold for each item of a list and are
// reported with all other faults; a check of the whole struct runs when its section has no fault.
// Reasons begin with "must". A section that is absent is read as an empty one, so a required key in
// it is missed; an absent optional section stays empty. Members of a base struct can be declared by
// a helper template: schema.field("name", &C::name, doc), whichever struct the member is from.
//
//     ReadContext context{.names = {{"m", 512}}};       // `units: m` reads as 512
//     auto chip = read<Chip>(node, context);            // records every fault in context.faults
//     auto chip = read<Chip>(node);                     // throws InputError with every fault
//     std::string text = to_yaml(to_node(chip));        // after defaults, docs as comments

namespace systole {

/// What the declaration of a field may add to it.
template <class C, class T>
class FieldHandle {
public:
    FieldHandle(Declaration::Field& field, T C::*member) : field_{&field}, member_{member} {}

    FieldHandle& required() {
        field_->required = true;
        return *this;
    }

    /// `predicate` takes the struct, the member, or each value in the member.
    template <class Predicate>
    FieldHandle& check(Predicate predicate, std::string reason) {
        if constexpr (std::predicate<Predicate, const C&>) {
            add_check([predicate](const C& config) { return predicate(config); }, std::move(reason),
                      false);
        } else {
            add_check([predicate, member = member_](
                          const C& config) { return every(config.*member, predicate); },
                      std::move(reason), true);
        }
        return *this;
    }

    FieldHandle& at_least(const leaf_t<T>& low) {
        return bound(&low, nullptr, "must be at least " + text(low));
    }
    FieldHandle& at_most(const leaf_t<T>& high) {
        return bound(nullptr, &high, "must be at most " + text(high));
    }
    FieldHandle& range(const leaf_t<T>& low, const leaf_t<T>& high) {
        return bound(&low, &high, "must be from " + text(low) + " to " + text(high));
    }

    /// Keeps the place of the value, for faults that only later stages can find.
    template <class B>
    FieldHandle& location(SourceLocation B::*place) {
        field_->locate = [place](void* config, const SourceLocation& where) {
            static_cast<C*>(config)->*place = where;
        };
        return *this;
    }

    /// Declared names do not stand for integers here.
    FieldHandle& literal() {
        field_->literal = true;
        return *this;
    }

    FieldHandle& or_one() requires is_vector<T> ||
        (is_optional<T>&& is_vector<typename Unwrapped<T>::type>) {
        field_->type.or_one = true;
        field_->read = [inner = field_->read](const Node& node, const Place& place, void* config,
                                              ReadContext& context) {
            const bool is_list = node.kind == Node::Kind::list;
            inner(is_list ? node : Node::list({node}, node.where), place, config, context);
        };
        return *this;
    }

private:
    static std::string text(const leaf_t<T>& value) { return Scalar<leaf_t<T>>::write(value).text; }

    template <class Predicate>
    void add_check(Predicate holds, std::string reason, bool of_own_value) {
        field_->checks.push_back(
            {[holds](const void* config) { return holds(*static_cast<const C*>(config)); },
             std::move(reason), of_own_value});
    }

    FieldHandle& bound(const leaf_t<T>* low, const leaf_t<T>* high, std::string reason) {
        static_assert(!std::same_as<leaf_t<T>, Duration>, "a time and cycles have no order");
        Type* type = &field_->type;
        while (!type->element.empty()) {
            type = &type->element.front();
        }
        type->minimum = low != nullptr ? text(*low) : type->minimum;
        type->maximum = high != nullptr ? text(*high) : type->maximum;
        const auto least = low != nullptr ? std::optional{*low} : std::nullopt;
        const auto most = high != nullptr ? std::optional{*high} : std::nullopt;
        return check(
            [least, most](const leaf_t<T>& value) {
                return (!least || value >= *least) && (!most || value <= *most);
            },
            std::move(reason));
    }

    Declaration::Field* field_;
    T C::*member_;
};

/// A struct that a variant may hold, under the word it has in YAML.
template <class A>
struct AlternativeOf {
    std::string word;
    std::string doc;
    std::function<void(A&)> prepare;
    std::function<bool(const A&)> matches;
};

template <class A>
[[nodiscard]] AlternativeOf<A> alternative(std::string word, std::string doc) {
    return {std::move(word), std::move(doc), [](A&) {}, [](const A&) { return true; }};
}

/// Several words may mean one struct: each sets `member` to its own value.
template <class A, class B, class T>
[[nodiscard]] AlternativeOf<A> alternative(std::string word, std::string doc, T B::*member,
                                           std::type_identity_t<T> value) {
    return {std::move(word), std::move(doc),
            [member, value](A& section) { section.*member = value; },
            [member, value](const A& section) { return section.*member == value; }};
}

/// Collects the declaration of `C`.
template <class C>
class Schema {
public:
    explicit Schema(Declaration& declaration) : declaration_{&declaration} {}

    template <class T, class B>
    requires std::derived_from<C, B> FieldHandle<C, T> field(std::string key, T B::*member,
                                                             std::string doc) {
        T C::*own = member;
        auto& field = add(std::move(key), std::move(doc), Value<T>::type());
        field.optional = is_optional<T>;
        field.read = [own](const Node& node, const Place& place, void* config,
                           ReadContext& context) {
            Value<T>::read(node, place, static_cast<C*>(config)->*own, context);
        };
        field.write = [own](const void* config) -> std::optional<Node> {
            const T& value = static_cast<const C*>(config)->*own;
            if constexpr (is_optional<T>) {
                if (!value) {
                    return std::nullopt;
                }
            }
            return Value<T>::write(value);
        };
        return {field, own};
    }

    template <class T, class B>
    requires Described<leaf_t<T>> FieldHandle<C, T> section(std::string key, T B::*member,
                                                            std::string doc) {
        return field(std::move(key), member, std::move(doc));
    }
    template <class T, class B>
    requires is_vector<T> FieldHandle<C, T> list(std::string key, T B::*member, std::string doc) {
        return field(std::move(key), member, std::move(doc));
    }
    template <class T, class B>
    FieldHandle<C, std::map<std::string, T>> map(std::string key,
                                                 std::map<std::string, T> B::*member,
                                                 std::string doc) {
        return field(std::move(key), member, std::move(doc));
    }

    template <class T, class B, class... As>
    requires std::derived_from<C, B> FieldHandle<C, T> choice(std::string key, T B::*member,
                                                              std::string doc,
                                                              const std::string& tag,
                                                              const AlternativeOf<As>&... all) {
        T C::*own = member;
        const auto alternatives = erase<typename Unwrapped<T>::type>(all...);
        Type type{.kind = Type::Kind::choice, .name = "section"};
        type.tag = tag;
        type.alternatives = documented(alternatives);
        auto& field = add(std::move(key), std::move(doc), std::move(type));
        field.optional = is_optional<T>;
        field.read = [own, tag, alternatives](const Node& node, const Place& place, void* config,
                                              ReadContext& context) {
            T& value = static_cast<C*>(config)->*own;
            if constexpr (is_optional<T>) {
                read_choice(tag, alternatives, node, place, &value.emplace(), context);
            } else {
                read_choice(tag, alternatives, node, place, &value, context);
            }
        };
        field.write = [own, tag, alternatives](const void* config) -> std::optional<Node> {
            const T& value = static_cast<const C*>(config)->*own;
            if constexpr (is_optional<T>) {
                return value ? std::optional{write_choice(tag, alternatives, &*value)}
                             : std::nullopt;
            } else {
                return write_choice(tag, alternatives, &value);
            }
        };
        return {field, own};
    }

    template <class V, class B, class... As>
    requires std::derived_from<C, B>
    void tagged(V B::*member, const AlternativeOf<As>&... all) {
        declaration_->tagged = erase<V>(all...);
        declaration_->variant = [member](void* config) -> void* {
            return &(static_cast<C*>(config)->*member);
        };
    }

    /// Keeps the place of the section: its key, or its first character where it has none.
    template <class B>
    requires std::derived_from<C, B>
    void location(SourceLocation B::*member) {
        declaration_->locate = [member](void* config, const SourceLocation& where) {
            static_cast<C*>(config)->*member = where;
        };
    }

private:
    Declaration::Field& add(std::string key, std::string doc, Type type) {
        return declaration_->fields.emplace_back(
            Declaration::Field{std::move(key), std::move(doc), std::move(type), {}, {}});
    }

    template <class V, class... As>
    static std::vector<Alternative> erase(const AlternativeOf<As>&... all) {
        std::vector<Alternative> erased;
        (erased.push_back({all.word, all.doc, &declaration<As>,
                           [prepare = all.prepare](void* variant) -> void* {
                               As& section = static_cast<V*>(variant)->template emplace<As>();
                               prepare(section);
                               return &section;
                           },
                           [matches = all.matches](const void* variant) -> const void* {
                               const As* held = std::get_if<As>(static_cast<const V*>(variant));
                               return held != nullptr && matches(*held) ? held : nullptr;
                           }}),
         ...);
        return erased;
    }

    Declaration* declaration_;
};

/// The declaration of `C`, made at its first use.
template <class C>
const Declaration& declaration() {
    static const Declaration made = [] {
        Declaration fresh;
        Schema<C> schema{fresh};
        describe(schema);
        fresh.defaults = [] {
            const C config{};
            return declaration<C>().write(&config);
        };
        return fresh;
    }();
    return made;
}

/// Reads `C` and records every fault; the value is usable only if none was.
template <class C>
[[nodiscard]] C read(const Node& node, ReadContext& context) {
    C config{};
    Value<C>::read(node, {{}, node.where}, config, context);
    return config;
}

/// Reads `C`, or throws InputError with every fault.
template <class C>
[[nodiscard]] C read(const Node& node) {
    ReadContext context;
    C config = read<C>(node, context);
    context.throw_if_faulty();
    return config;
}

/// The section with all its values, its documentation as comments.
template <class C>
[[nodiscard]] Node to_node(const C& config) {
    return Value<C>::write(config);
}

}  // namespace systole
