#include "models/base/diagnostics.hpp"
#include "models/numerics/convert.hpp"
#include "sim/workload/npy_header.hpp"
#include "sim/workload/value_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace systole {
namespace {

using numerics::Format;

/// Integers up to here are doubles.
constexpr std::int64_t most_exact = std::int64_t{1} << 53;

struct ElementType {
    std::string_view descr;  ///< without the byte order
    std::size_t size;
    double (*value)(std::uint64_t bits);
};

constexpr std::array element_types{
    ElementType{"f2", 2,
                [](std::uint64_t bits) {
                    return numerics::to_double(Format::fp16, static_cast<std::uint32_t>(bits));
                }},
    ElementType{"f4", 4,
                [](std::uint64_t bits) {
                    return static_cast<double>(
                        std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
                }},
    ElementType{"f8", 8, [](std::uint64_t bits) { return std::bit_cast<double>(bits); }},
    ElementType{
        "i1", 1,
        [](std::uint64_t bits) { return static_cast<double>(static_cast<std::int8_t>(bits)); }},
    ElementType{
        "i2", 2,
        [](std::uint64_t bits) { return static_cast<double>(static_cast<std::int16_t>(bits)); }},
    ElementType{
        "i4", 4,
        [](std::uint64_t bits) { return static_cast<double>(static_cast<std::int32_t>(bits)); }},
    ElementType{
        "i8", 8,
        [](std::uint64_t bits) { return static_cast<double>(static_cast<std::int64_t>(bits)); }},
    ElementType{"u1", 1, [](std::uint64_t bits) { return static_cast<double>(bits); }},
    ElementType{"b1", 1, [](std::uint64_t bits) { return bits == 0 ? 0.0 : 1.0; }},
};

/// The row-major index, in a shape, of its flat index.
std::vector<std::int64_t> index_of(std::size_t flat, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> index(shape.size());
    auto rest = static_cast<std::int64_t>(flat);
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = rest % shape[d];
        rest /= shape[d];
    }
    return index;
}

class NpyReader {
public:
    NpyReader(std::string_view bytes, const std::string& file) : bytes_{bytes}, file_{file} {}

    ValueArray read() {
        try {
            header_ = parse_npy_header(bytes_);
        } catch (const std::invalid_argument& wrong) {
            fail(wrong.what());
        }
        const auto& type = element_type();
        const auto count = element_count(type.size);
        ValueArray array{header_.shape, std::vector<double>(count)};
        for (std::size_t i = 0; i < count; ++i) {
            array.values[row_major(i)] = element(type, i);
        }
        return array;
    }

private:
    [[noreturn]] void fail(std::string what, std::string hint = {}) const {
        throw InputError{{{{file_, 0, 0}, std::move(what), std::move(hint)}}};
    }

    const ElementType& element_type() const {
        const auto& descr = header_.descr;
        const bool has_order = !descr.empty() && (descr[0] == '<' || descr[0] == '|');
        for (const auto& type : element_types) {
            if (has_order && std::string_view{descr}.substr(1) == type.descr &&
                (descr[0] == '<' || type.size == 1)) {
                return type;
            }
        }
        const bool is_big = descr.starts_with('>');
        fail(is_big ? "its numbers are big-endian" : "its element type is not one that is read",
             "little-endian f2, f4, f8, i1, i2, i4, i8, u1 and b1 are: save array.astype('<f4')");
    }

    /// The elements of the shape, whose bytes are exactly the rest of the file.
    std::size_t element_count(std::size_t element_size) const {
        const auto available = bytes_.size() - header_.size;
        std::uint64_t count = 1;
        bool is_beyond = false;
        for (const auto size : header_.shape) {
            if (size == 0) {
                fail(fmt::format("its shape ({}) has no elements", fmt::join(header_.shape, ", ")));
            }
            is_beyond = is_beyond ||
                        __builtin_mul_overflow(count, static_cast<std::uint64_t>(size), &count);
        }
        if (is_beyond || count > available / element_size) {
            fail(
                fmt::format("is cut off: its shape ({}) takes more than the {} bytes that follow "
                            "the header",
                            fmt::join(header_.shape, ", "), available));
        }
        if (count * element_size != available) {
            fail(fmt::format("has {} bytes behind its last element",
                             available - count * element_size));
        }
        return count;
    }

    double element(const ElementType& type, std::size_t i) const {
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < type.size; ++b) {
            const auto byte = static_cast<unsigned char>(bytes_[header_.size + i * type.size + b]);
            bits |= std::uint64_t{byte} << (8 * b);
        }
        if (type.descr == "i8") {
            const auto exact = static_cast<std::int64_t>(bits);
            if (exact > most_exact || exact < -most_exact) {
                fail(fmt::format("element [{}] is {}, which a double does not hold exactly",
                                 fmt::join(index_of(row_major(i), header_.shape), ", "), exact));
            }
        }
        return type.value(bits);
    }

    /// Where element `i` of the file belongs.
    std::size_t row_major(std::size_t i) const {
        if (!header_.fortran_order) {
            return i;
        }
        std::size_t place = 0;
        for (const auto size : header_.shape) {
            const auto length = static_cast<std::size_t>(size);
            place = place * length + i % length;
            i /= length;
        }
        return place;
    }

    std::string_view bytes_;
    const std::string& file_;
    NpyHeader header_;
};

struct Written {
    const char* descr;
    Format format;
};

Written written_as(Format format) {
    switch (format) {
        case Format::int8:
            return {"|i1", Format::int8};
        case Format::int32:
            return {"<i4", Format::int32};
        case Format::fp16:
            return {"<f2", Format::fp16};
        case Format::bf16:
        case Format::fp32:
            break;
    }
    return {"<f4", Format::fp32};
}

}  // namespace

ValueArray parse_npy(const std::string& bytes, const std::string& file) {
    return NpyReader{bytes, file}.read();
}

std::string to_npy(const ValueArray& array, Format format) {
    const auto [descr, stored] = written_as(format);
    std::string bytes = npy_header({descr, false, array.shape, 0});
    for (const double value : array.values) {
        auto bits = numerics::from_double(format, value);
        if (stored != format) {
            bits = numerics::from_double(stored, numerics::to_double(format, bits));
        }
        for (std::int64_t b = 0; b < numerics::bytes_of(stored); ++b) {
            bytes += static_cast<char>((bits >> (8 * b)) & 0xffU);
        }
    }
    return bytes;
}

}  // namespace systole
