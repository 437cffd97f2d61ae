#include "sim/rtl/rtl_arrays.hpp"

#include "models/matrix_unit/lockstep_array.hpp"
#include "models/matrix_unit/rtl_array.hpp"
#include "sim/rtl/build_array.hpp"

#include <filesystem>
#include <memory>
#include <utility>

namespace systole {
namespace {

using numerics::Format;

ArraySpec our_array(Format format, std::int64_t rows, std::int64_t cols, models::PeForm form) {
    ArraySpec spec;
    spec.format = format;
    spec.rows = rows;
    spec.cols = cols;
    spec.shadow = form == models::PeForm::two_buffers;
    spec.whole = better_whole(rows, cols);
    return spec;
}

}  // namespace

models::PeArrayMaker rtl_arrays(const RtlOptions& options) {
    std::shared_ptr<const models::ArrayLibrary> given;
    if (options.library) {
        given = std::make_shared<models::ArrayLibrary>(std::filesystem::path{*options.library});
    }
    return [given, options](Format format, std::int64_t rows, std::int64_t cols,
                            models::PeForm form) -> std::unique_ptr<models::PeArray> {
        auto chosen =
            given ? given
                  : std::make_shared<models::ArrayLibrary>(cached_array(
                        our_array(format, rows, cols, form), options.stop, options.building));
        auto array =
            std::make_unique<models::RtlArray>(std::move(chosen), format, rows, cols, form);
        if (!options.lockstep) {
            return array;
        }
        return std::make_unique<models::LockstepArray>(
            std::move(array), models::make_pe_array(format, rows, cols, form), rows, cols);
    };
}

}  // namespace systole
