#include "sim/mapping/program_text.hpp"

#include "sim/mapping/program_fields.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace systole {
namespace {

using namespace std::string_view_literals;

// The words of the enumerations, in the order of their enumerators.
constexpr std::array space_words{"dram"sv, "shared"sv};
constexpr std::array operand_words{"image"sv, "weights"sv};
constexpr std::array place_words{"scratchpad"sv, "accumulators"sv};
constexpr std::array work_words{"load"sv, "preload"sv, "stream"sv, "vector"sv, "store"sv};

template <class Enum>
std::string word_of(Enum value) {
    const auto index = static_cast<std::size_t>(value);
    if constexpr (std::is_same_v<Enum, models::Space>) {
        return std::string{space_words.at(index)};
    } else if constexpr (std::is_same_v<Enum, models::Operand::Kind>) {
        return std::string{operand_words.at(index)};
    } else if constexpr (std::is_same_v<Enum, models::VectorTile::Place>) {
        return std::string{place_words.at(index)};
    } else {
        return to_string(value);
    }
}

template <class Enum>
constexpr int count_of() {
    if constexpr (std::is_same_v<Enum, models::Milestone>) {
        return models::milestone_count;
    } else if constexpr (std::is_same_v<Enum, models::Cause>) {
        return models::cause_count;
    } else if constexpr (std::is_same_v<Enum, models::VectorOp>) {
        return models::vector_op_count;
    } else if constexpr (std::is_same_v<Enum, numerics::Format>) {
        return 5;
    } else {
        return 2;
    }
}

class Writer {
public:
    template <class T>
    void operator()(const char* name, T& value) {
        text_ += fmt::format(" {}{}=", prefix_, name);
        if constexpr (std::is_enum_v<T>) {
            text_ += word_of(value);
        } else {
            text_ += fmt::format("{}", value);
        }
    }
    template <class T>
    void within(const std::string& name, T& part) {
        const std::string outer = std::exchange(prefix_, prefix_ + name + ".");
        mapping::fields(*this, part);
        prefix_ = outer;
    }
    template <class T>
    void each(const std::string& name, std::vector<T>& parts) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            within(fmt::format("{}{}", name, i), parts[i]);
        }
    }
    template <class T>
    void maybe(const std::string& name, std::optional<T>& part) {
        if (part) {
            within(name, *part);
        }
    }
    [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

private:
    std::string prefix_;
    std::string text_;
};

/// One line, taken apart into its first word and its fields.
class Reader {
public:
    Reader(const std::string& line, SourceLocation where) : where_{std::move(where)} {
        std::istringstream words{line};
        words >> head_;
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            if (equals == std::string::npos) {
                fail(fmt::format("'{}' is no field", word), "write name=value");
            }
            if (!values_.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
                fail(fmt::format("'{}' is given twice", word.substr(0, equals)), "");
            }
        }
    }

    [[nodiscard]] const std::string& head() const { return head_; }

    template <class T>
    void operator()(const char* name, T& value) {
        const auto found = values_.find(prefix_ + name);
        if (found == values_.end()) {
            fail(fmt::format("'{}{}' is missing", prefix_, name), "");
        }
        parse(found->first, found->second, value);
        values_.erase(found);
    }
    template <class T>
    void within(const std::string& name, T& part) {
        const std::string outer = std::exchange(prefix_, prefix_ + name + ".");
        mapping::fields(*this, part);
        prefix_ = outer;
    }
    template <class T>
    void each(const std::string& name, std::vector<T>& parts) {
        for (std::string next = name + "0"; has(next);
             next = fmt::format("{}{}", name, parts.size())) {
            within(next, parts.emplace_back());
        }
    }
    template <class T>
    void maybe(const std::string& name, std::optional<T>& part) {
        if (has(name)) {
            within(name, part.emplace());
        }
    }
    void finish() const {
        if (!values_.empty()) {
            fail(fmt::format("'{}' is not a field of '{}'", values_.begin()->first, head_), "");
        }
    }
    [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
        throw InputError{{{where_, what, hint}}};
    }

private:
    [[nodiscard]] bool has(const std::string& name) const {
        const std::string start = prefix_ + name + ".";
        const auto next = values_.lower_bound(start);
        return next != values_.end() && next->first.compare(0, start.size(), start) == 0;
    }

    template <class T>
    void parse(const std::string& name, const std::string& text, T& value) const {
        if constexpr (std::is_same_v<T, bool>) {
            value = text == "true";
            if (!value && text != "false") {
                fail(fmt::format("{}: '{}' is neither true nor false", name, text), "");
            }
        } else if constexpr (std::is_enum_v<T>) {
            std::vector<std::string> words;
            for (int i = 0; i < count_of<T>(); ++i) {
                words.push_back(word_of(static_cast<T>(i)));
                if (words.back() == text) {
                    value = static_cast<T>(i);
                    return;
                }
            }
            fail(fmt::format("{}: unknown word '{}'", name, text),
                 fmt::format("one of {}", fmt::join(words, ", ")));
        } else {
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error != std::errc{} || stop != end) {
                fail(fmt::format("{}: '{}' is not a number in range", name, text), "");
            }
        }
    }

    SourceLocation where_;
    std::string head_;
    std::string prefix_;
    std::map<std::string, std::string> values_;
};

void set_work(Reader& reader, models::Instruction& instruction) {
    const std::string& head = reader.head();
    if (head == "load") {
        instruction.work = models::Load{};
    } else if (head == "preload") {
        instruction.work = models::Preload{};
    } else if (head == "stream") {
        instruction.work = models::Stream{};
    } else if (head == "vector") {
        instruction.work = models::Vector{};
    } else if (head == "store") {
        instruction.work = models::Store{};
    } else {
        reader.fail(fmt::format("unknown instruction '{}'", head),
                    fmt::format("one of core, view, {}", fmt::join(work_words, ", ")));
    }
}

models::Queue queue_of(const models::Instruction& instruction) {
    constexpr std::array queues{models::Queue::load, models::Queue::matrix, models::Queue::matrix,
                                models::Queue::vector, models::Queue::store};
    return queues.at(instruction.work.index());
}

void read_line(const std::string& line, const SourceLocation& where,
               std::vector<models::Program>& programs) {
    if (line.compare(0, 5, "core ") == 0) {
        if (line != fmt::format("core {}", programs.size())) {
            throw InputError{{{where, fmt::format("'{}' does not follow", line),
                               fmt::format("core {}", programs.size())}}};
        }
        programs.emplace_back();
        return;
    }
    Reader reader{line, where};
    if (programs.empty()) {
        reader.fail("an instruction before the first core", "begin with 'core 0'");
    }
    models::Program& program = programs.back();
    if (reader.head() == "view") {
        mapping::fields(reader, program.views.emplace_back());
    } else {
        models::Instruction instruction;
        set_work(reader, instruction);
        mapping::fields(reader, instruction);
        if (instruction.view < -1 || instruction.view >= static_cast<int>(program.views.size())) {
            reader.fail(fmt::format("there is no view {}", instruction.view),
                        fmt::format("{} are defined above", program.views.size()));
        }
        program.queue(queue_of(instruction)).push_back(std::move(instruction));
    }
    reader.finish();
}

}  // namespace

std::string write_programs(const std::vector<models::Program>& programs) {
    std::string text;
    Writer writer;
    for (std::size_t core = 0; core < programs.size(); ++core) {
        text += fmt::format("core {}\n", core);
        for (models::ConvView view : programs[core].views) {
            mapping::fields(writer, view);
            text += fmt::format("view{}\n", writer.take());
        }
        for (const auto& queue : programs[core].queues) {
            for (models::Instruction instruction : queue) {
                mapping::fields(writer, instruction);
                text +=
                    fmt::format("{}{}\n", work_words.at(instruction.work.index()), writer.take());
            }
        }
    }
    return text;
}

std::vector<models::Program> read_programs(const std::string& text, const std::string& file) {
    std::vector<models::Program> programs;
    std::istringstream lines{text};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.empty() && line.front() != '#') {
            read_line(line, {file, number, 1}, programs);
        }
    }
    return programs;
}

}  // namespace systole
