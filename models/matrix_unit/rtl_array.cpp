#include "models/matrix_unit/rtl_array.hpp"

#include "models/base/diagnostics.hpp"
#include "models/matrix_unit/sums.hpp"
#include "models/numerics/convert.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <new>
#include <span>
#include <utility>

namespace systole::models {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string what, std::string hint) {
    throw InputError{{{{path}, std::move(what), std::move(hint)}}};
}

std::string size_text(std::int64_t rows, std::int64_t cols) {
    return std::to_string(rows) + "×" + std::to_string(cols);
}

}  // namespace

void ArrayLibrary::Close::operator()(void* handle) const {
    ::dlclose(handle);
}

ArrayLibrary::ArrayLibrary(const std::filesystem::path& path) : path_{path.string()} {
    // With a slash it is taken as a path, not searched for.
    handle_.reset(::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (handle_ == nullptr) {
        refuse(path_, std::string{"cannot be loaded: "} + ::dlerror(),
               "`systole pe build` makes libraries of PEs");
    }
    using Entry = const SystoleArrayLibrary* (*)();
    const auto entry = std::bit_cast<Entry>(::dlsym(handle_.get(), "systole_array_library_entry"));
    if (entry == nullptr) {
        refuse(path_, "this is no library of a systolic array",
               "`systole pe build` makes libraries of PEs");
    }
    entry_ = entry();
    if (entry_->interface_version != SYSTOLE_ARRAY_INTERFACE) {
        refuse(path_,
               "this library has version " + std::to_string(entry_->interface_version) +
                   " of the interface, and this Systole version " +
                   std::to_string(SYSTOLE_ARRAY_INTERFACE),
               "build it again with `systole pe build`");
    }
}

void ArrayLibrary::check(const PeArrayShape& shape) const {
    const auto& library = *entry_;
    if (library.format != std::string{numerics::to_string(shape.format)}) {
        refuse(path_,
               std::string{"its PE multiplies "} + library.format + ", and the network asks for " +
                   numerics::to_string(shape.format),
               "choose the format with --set workload.format, or build a PE for it");
    }
    if (library.rows != 0 && (library.rows != shape.rows || library.cols != shape.cols)) {
        refuse(path_,
               "it holds an array of " + size_text(library.rows, library.cols) +
                   ", and the chip has one of " + size_text(shape.rows, shape.cols),
               "build it for the chip: systole pe build --chip CHIP");
    }
    const bool two = shape.form == PeForm::two_buffers;
    if ((library.shadow != 0) != two) {
        refuse(path_,
               std::string{"its PEs have "} + (two ? "no" : "a") +
                   " shadow for the next weight, but the chip has weight_buffers: " +
                   (two ? "2" : "1"),
               "change core.matrix.weight_buffers, or build the PE for the chip");
    }
    check_design(shape);
}

/// What was declared of the PE is what the chip has.
void ArrayLibrary::check_design(const PeArrayShape& shape) const {
    const auto& library = *entry_;
    const auto hold = [&](const char* key, const std::string& got, const std::string& wanted) {
        if (got != wanted) {
            refuse(path_,
                   "its PE was declared with " + std::string{key} + ": " + got +
                       ", and the chip has " + key + ": " + wanted,
                   "--set chip.core.matrix.pe." + std::string{key} + "=" + got +
                       ", or build the PE for the chip");
        }
    };
    hold("latency", std::to_string(library.latency), std::to_string(shape.design.latency));
    hold("sum_bits", std::to_string(library.sum_bits), std::to_string(shape.design.sum_bits));
    hold("overflow",
         systole::to_string(library.saturates != 0 ? Overflow::saturate : Overflow::wrap),
         systole::to_string(shape.design.overflow));
}

RtlArray::RtlArray(std::shared_ptr<const ArrayLibrary> library, const PeArrayShape& shape,
                   std::optional<WaveConfig> wave)
    : library_{std::move(library)},
      array_{nullptr, Destroy{&**library_}},
      format_{shape.format},
      accumulators_{accumulator_sums(shape.design)},
      wave_{std::move(wave)},
      rows_{shape.rows},
      cols_{shape.cols},
      activations_(static_cast<std::size_t>(rows_)),
      weights_(static_cast<std::size_t>(cols_)) {
    library_->check(shape);
    array_.reset(
        (*library_)->create(static_cast<std::uint32_t>(rows_), static_cast<std::uint32_t>(cols_)));
    if (array_ == nullptr) {
        throw std::bad_alloc{};
    }
    if (wave_) {
        open_wave(wave_->path);
    }
}

void RtlArray::open_wave(const std::filesystem::path& path) {
    if ((*library_)->open_wave == nullptr) {
        refuse(library_->path(), "it was built without waveforms", "systole pe build --wave");
    }
    if ((*library_)->open_wave(array_.get(), path.c_str()) == 0) {
        refuse(path.string(), "the wave cannot be written",
               "--wave names a file in a folder that can be written and has room");
    }
}

/// A row or a column of an operand, as the bits of its format.
void RtlArray::read_row(const OperandReader& operand, std::int64_t row, bool column,
                        std::vector<std::uint32_t>& bits) {
    const auto count = static_cast<std::size_t>(column ? operand.rows() : operand.depth());
    const auto read = [&](auto& values) {
        values.resize(count);
        const std::span out{values};
        column ? operand.column(row, out) : operand.row(row, out);
    };
    if (format_ == Format::int8) {
        read(integers_);
        std::ranges::transform(integers_, bits.begin(),
                               [](std::int8_t value) { return static_cast<std::uint8_t>(value); });
    } else {
        read(floats_);
        std::ranges::transform(floats_, bits.begin(), [this](float value) {
            return numerics::from_float(format_, value);
        });
    }
    std::fill(bits.begin() + static_cast<std::ptrdiff_t>(count), bits.end(), 0);
}

SystoleArrayEdges RtlArray::edges_now() const {
    SystoleArrayEdges edges{};
    edges.cycle = static_cast<std::uint64_t>(now_.count());
    edges.shown = wave_ && wave_->covers(now_) ? 1 : 0;
    return edges;
}

void RtlArray::preload(const PePreload& preload) {
    incoming_.push_back({.preload = preload});
}

void RtlArray::swap(ArrayExtent /*extent*/) {
    swaps_ = true;
}

void RtlArray::enter(const OperandReader* west, std::int64_t row) {
    enters_ = true;
    if (west != nullptr) {
        read_row(*west, row, false, activations_);
    } else {
        std::ranges::fill(activations_, 0);
    }
}

void RtlArray::enter_step(const OperandReader*, const OperandReader*, std::int64_t) {
    SYSTOLE_ASSERT(false, "the Verilog array is no output-stationary one");
}

void RtlArray::clear(ArrayExtent) {
    SYSTOLE_ASSERT(false, "the Verilog array is no output-stationary one");
}

/// A row of the tile is complete at the north edge every `beats` clocks.
void RtlArray::drive_weights(SystoleArrayEdges& edges) {
    for (Incoming& incoming : incoming_) {
        const PePreload& p = incoming.preload;
        const std::int64_t age = incoming.age++;
        if (age >= p.extent.rows * p.beats || (age + 1) % p.beats != 0) {
            continue;
        }
        const std::int64_t shifted = age / p.beats;
        const std::int64_t k = p.extent.rows - 1 - shifted;
        edges.shift = 1;
        edges.first = shifted == 0 ? 1 : 0;
        if (p.north && k < p.depth) {
            read_row(*p.north, k, true, weights_);
            edges.weights = weights_.data();
        }
    }
    std::erase_if(incoming_, [](const Incoming& incoming) {
        const PePreload& p = incoming.preload;
        return incoming.age >= p.extent.rows * p.beats + p.extent.cols - 1;
    });
}

void RtlArray::clock() {
    SystoleArrayEdges edges = edges_now();
    edges.enable = 1;
    edges.valid = enters_ ? 1 : 0;
    edges.swap = swaps_ ? 1 : 0;
    edges.activations = enters_ ? activations_.data() : nullptr;
    drive_weights(edges);
    (*library_)->clock(array_.get(), &edges);
    entered_.push_front(enters_);
    if (std::cmp_greater(entered_.size(), rows_ + cols_)) {
        entered_.pop_back();
    }
    enters_ = swaps_ = false;
    check_valid();
}

/// The edges say the opposite of what they would mean: nothing may come of it.
void RtlArray::stall() {
    const std::vector<std::uint32_t> ones(static_cast<std::size_t>(std::max(rows_, cols_)), ~0U);
    SystoleArrayEdges edges = edges_now();
    edges.activations = edges.weights = edges.sums = ones.data();
    edges.valid = edges.swap = edges.shift = 1;
    (*library_)->clock(array_.get(), &edges);
}

void RtlArray::check_valid() {
    for (std::int64_t c = 0; c < cols_; ++c) {
        const auto behind = static_cast<std::size_t>(rows_ - 1 + c);
        const bool expected = behind < entered_.size() && entered_[behind];
        const bool got = (*library_)->valid(array_.get(), static_cast<std::uint32_t>(rows_ - 1),
                                            static_cast<std::uint32_t>(c)) != 0;
        if (expected != got) {
            throw ArrayDifference{"PE (" + std::to_string(rows_ - 1) + ", " + std::to_string(c) +
                                  "): valid_out is " + (got ? "1" : "0") + ", expected " +
                                  (expected ? "1" : "0")};
        }
    }
}

/// As 32 bits: a narrower one keeps its sign.
std::uint32_t RtlArray::sum_bits(std::int64_t r, std::int64_t c) const {
    const std::uint32_t bits = (*library_)->sum(array_.get(), static_cast<std::uint32_t>(r),
                                                static_cast<std::uint32_t>(c));
    return SumRange{static_cast<int>((*library_)->sum_bits), Overflow::wrap}.held(bits);
}

void RtlArray::collect(std::int64_t r, std::int64_t c, bool accumulate, std::uint32_t& cell) const {
    const std::uint32_t bits = sum_bits(r, c);
    cell = format_ == Format::int8
               ? arrived(cell, bits, accumulate, accumulators_)
               : arrived(cell, std::bit_cast<float>(bits), accumulate, accumulators_);
}

double RtlArray::activation(std::int64_t r, std::int64_t c) const {
    return numerics::to_double(format_,
                               (*library_)->activation(array_.get(), static_cast<std::uint32_t>(r),
                                                       static_cast<std::uint32_t>(c)));
}

double RtlArray::weight(std::int64_t /*r*/, std::int64_t /*c*/) const {
    return 0;  // stays inside of the PE
}

double RtlArray::sum(std::int64_t r, std::int64_t c) const {
    return numerics::to_double(numerics::accumulator_of(format_), sum_bits(r, c));
}

bool RtlArray::swaps(std::int64_t /*r*/, std::int64_t /*c*/) const {
    return false;
}

}  // namespace systole::models
