#include "models/base/schema.hpp"
#include "models/chip_config.hpp"
#include "models/technology/technology.hpp"
#include "sim/config/document.hpp"
#include "sim/workload/graph.hpp"
#include "sim/workload/network.hpp"
#include "tests/specimen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// Every tests/faults/<area>_<case>.yaml must be refused with the message in <area>_<case>.out, to
// the letter. The area says who reads the file (`readers` below); lines `# --set path=value` at
// its head are given as options. A new file needs no change here.

namespace systole {
namespace {

namespace fs = std::filesystem;

struct Reader {
    std::string_view area;
    DocumentKind kind;
    void (*read)(const Node& root, ReadContext& context);
};

template <class C>
void read_as(const Node& root, ReadContext& context) {
    static_cast<void>(read<C>(root, context));
}

void read_workload(const Node& root, ReadContext& context) {
    const auto network = read_network(root, "faulty", context);
    context.throw_if_faulty();
    static_cast<void>(build_graph(network, Format::fp32));
}

constexpr std::array<Reader, 4> readers{{
    {"document", DocumentKind::chip, &read_as<test::Machine>},
    {"chip", DocumentKind::chip, &read_as<models::ChipConfig>},
    {"technology", DocumentKind::technology, &read_as<models::Technology>},
    {"workload", DocumentKind::workload, &read_workload},
}};

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

std::vector<fs::path> files_with(const std::string& extension) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator{SYSTOLE_FAULTS_DIR}) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> cases() {
    std::vector<std::string> names;
    for (const auto& file : files_with(".yaml")) {
        names.push_back(file.stem().string());
    }
    return names;
}

std::vector<Override> options_in(const std::string& text) {
    std::vector<Override> options;
    std::istringstream lines{text};
    constexpr std::string_view mark = "# --set ";
    for (std::string line; std::getline(lines, line) && line.starts_with(mark);) {
        options.push_back(parse_override(line.substr(mark.size())));
    }
    return options;
}

/// What the user is told; empty when the file is accepted.
std::string message_for(const Reader& reader, const std::string& file) {
    try {
        ReadContext context;
        const auto document = load_document(reader.kind, file, options_in(contents(file)), context);
        reader.read(document.root, context);
        context.throw_if_faulty();
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

/// Runs in the directory of the faulty files, so that messages name them without it.
class Faults : public testing::TestWithParam<std::string> {
protected:
    Faults() : before_{fs::current_path()} {
        fs::current_path(SYSTOLE_FAULTS_DIR);
        if (GetParam().starts_with("document_")) {
            setenv("SYSTOLE_DATA", "data", 1);
        }
    }
    ~Faults() override {
        unsetenv("SYSTOLE_DATA");
        fs::current_path(before_);
    }

private:
    fs::path before_;
};

TEST_P(Faults, AreToldToTheLetter) {
    const std::string name = GetParam();
    const auto reader = std::find_if(readers.begin(), readers.end(), [&](const Reader& r) {
        return name.starts_with(std::string{r.area} + "_");
    });
    ASSERT_NE(reader, readers.end()) << "no reader for the area of " << name << ".yaml";
    const auto expected = contents(name + ".out");
    ASSERT_FALSE(expected.empty()) << name << ".out is missing or empty";
    EXPECT_EQ(message_for(*reader, name + ".yaml"), expected);
}

INSTANTIATE_TEST_SUITE_P(Files, Faults, testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param; });

TEST(FaultFiles, BelongTogether) {
    EXPECT_GE(files_with(".yaml").size(), 25U);
    EXPECT_EQ(files_with(".yaml").size(), files_with(".out").size());
}

}  // namespace
}  // namespace systole
