#include "models/base/schema.hpp"
#include "models/chip_config.hpp"
#include "models/technology/technology.hpp"
#include "sim/config/document.hpp"
#include "sim/config/json_schema.hpp"
#include "tests/support/golden.hpp"

#include <gtest/gtest.h>

#include <string>

namespace systole {
namespace {

/// configs/schema/<kind>.schema.json is what the readers enforce today.
void expect_shipped(DocumentKind kind, const Declaration& declaration,
                    const JsonSchemaOptions& options) {
    test::expect_golden("../../configs/schema/" + to_string(kind) + ".schema.json",
                        json_schema(declaration, options));
}

TEST(ShippedSchemas, AreThoseOfTheReaders) {
    expect_shipped(DocumentKind::chip, declaration<models::ChipConfig>(),
                   {.title = "Systole chip"});
    expect_shipped(DocumentKind::technology, declaration<models::Technology>(),
                   {.title = "Systole technology"});
}

}  // namespace
}  // namespace systole
