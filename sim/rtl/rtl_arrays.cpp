#include "sim/rtl/rtl_arrays.hpp"

#include "models/matrix_unit/lockstep_array.hpp"
#include "models/matrix_unit/rtl_array.hpp"
#include "sim/rtl/build_array.hpp"

#include <filesystem>
#include <memory>
#include <utility>

namespace systole {
namespace {

ArraySpec our_array(const models::PeArrayShape& shape, bool wave) {
    ArraySpec spec;
    spec.format = shape.format;
    spec.rows = shape.rows;
    spec.cols = shape.cols;
    spec.shadow = shape.form == models::PeForm::two_buffers;
    spec.whole = better_whole(shape.rows, shape.cols);
    spec.design = shape.design;
    spec.wave = wave;
    return spec;
}

}  // namespace

models::PeArrayMaker rtl_arrays(const RtlOptions& options) {
    std::shared_ptr<const models::ArrayLibrary> given;
    if (options.library) {
        given = std::make_shared<models::ArrayLibrary>(std::filesystem::path{*options.library});
    }
    return [given, options](
               const models::PeArrayShape& shape,
               const std::optional<models::WaveConfig>& wave) -> std::unique_ptr<models::PeArray> {
        auto chosen =
            given ? given
                  : std::make_shared<models::ArrayLibrary>(cached_array(
                        our_array(shape, wave.has_value()), options.stop, options.building));
        auto array = std::make_unique<models::RtlArray>(std::move(chosen), shape, wave);
        if (!options.lockstep) {
            return array;
        }
        return std::make_unique<models::LockstepArray>(
            std::move(array), models::make_pe_array(shape), shape.rows, shape.cols);
    };
}

}  // namespace systole
