#include "sim/config/document.hpp"

#include "tests/specimen.hpp"
#include "tests/yaml_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace systole {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// A data directory of its own for each test.
class DocumentTest : public testing::Test {
protected:
    DocumentTest()
        : data_{fs::path{testing::TempDir()} /
                (std::string{"systole_"} +
                 testing::UnitTest::GetInstance()->current_test_info()->name())} {
        fs::remove_all(data_);
        fs::create_directories(data_);
        setenv("SYSTOLE_DATA", data_.c_str(), 1);
    }
    ~DocumentTest() override {
        unsetenv("SYSTOLE_DATA");
        fs::remove_all(data_);
    }

    void write(const std::string& name, const std::string& text) {
        const auto path = data_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream{path} << text;
    }

    Node load(const std::string& name, const std::vector<std::string>& sets = {}) {
        std::vector<Override> overrides;
        overrides.reserve(sets.size());
        for (const auto& text : sets) {
            overrides.push_back(parse_override(text));
        }
        auto document = load_document(DocumentKind::chip, name, overrides, context_);
        files_ = document.files;
        return std::move(document.root);
    }

    /// The faults of loading, with the data directory's name taken out.
    std::vector<std::string> faults_of(const std::string& name,
                                       const std::vector<std::string>& sets = {}) {
        context_ = {};
        std::vector<Fault> faults;
        try {
            static_cast<void>(load(name, sets));
            faults = context_.faults;
        } catch (const InputError& e) {
            faults = e.faults();
        }
        std::vector<std::string> texts;
        for (const auto& fault : faults) {
            std::string text = to_string(fault);
            for (auto at = text.find(data_.string()); at != std::string::npos;
                 at = text.find(data_.string())) {
                text.replace(at, data_.string().size(), "DATA");
            }
            texts.push_back(text);
        }
        return texts;
    }

    fs::path data_;
    ReadContext context_;
    std::vector<fs::path> files_;
};

TEST_F(DocumentTest, TakesFromTheExtendedFileWhatItDoesNotSay) {
    write("configs/base.yaml",
          "schema_version: 1\nname: base\ncore:\n  rows: 4\n  cols: 8\n"
          "list: [1, 2, 3]\nmap: {a: 1}\n");
    write("configs/child.yaml",
          "extends: base\nname: child\ncore: {rows: 16}\nlist: [9]\n"
          "map: 3\nnew: 1\n");
    const Node root = load("child");
    EXPECT_EQ(to_yaml(root),
              "name: child\ncore:\n  rows: 16\n  cols: 8\nlist: [9]\nmap: 3\n"
              "new: 1\n");
    EXPECT_THAT(context_.faults, IsEmpty());
    ASSERT_EQ(files_.size(), 2U);
    EXPECT_EQ(files_[0].filename(), "child.yaml");
    EXPECT_EQ(files_[1].filename(), "base.yaml");
    EXPECT_EQ(fs::path{root.find("core")->find("cols")->where.file}.filename(), "base.yaml");
    EXPECT_EQ(root.find("core")->find("cols")->where.line, 5);
    EXPECT_EQ(fs::path{root.find("core")->find("rows")->where.file}.filename(), "child.yaml");
}

TEST_F(DocumentTest, ExtendsThroughSeveralFilesAndFolders) {
    write("configs/family/a.yaml", "a: 1\nb: 1\nc: 1\n");
    write("configs/family/b.yaml", "extends: a.yaml\nb: 2\nc: 2\n");
    write("configs/c.yaml", "extends: family/b.yaml\nc: 3\n");
    EXPECT_EQ(to_yaml(load("c")), "a: 1\nb: 2\nc: 3\n");
    EXPECT_EQ(to_yaml(load((data_ / "configs" / "c.yaml").string())), "a: 1\nb: 2\nc: 3\n");
}

TEST_F(DocumentTest, ReplacesASectionOfAnotherKind) {
    write("configs/base.yaml", "matrix: {kind: systolic, rows: 8}\nmemory: {model: ideal}\n");
    write("configs/same.yaml", "extends: base\nmatrix: {kind: systolic, cols: 4}\n");
    write("configs/other.yaml",
          "extends: base\nmatrix: {kind: simt}\nmemory: {model: bandwidth}\n");
    EXPECT_EQ(to_yaml(load("same")),
              "matrix:\n  kind: systolic\n  rows: 8\n  cols: 4\nmemory:\n  model: ideal\n");
    EXPECT_EQ(to_yaml(load("other")), "matrix:\n  kind: simt\nmemory:\n  model: bandwidth\n");
}

TEST_F(DocumentTest, FindsCirclesOfExtends) {
    write("configs/a.yaml", "extends: b.yaml\n");
    write("configs/b.yaml", "x: 1\nextends: ./a.yaml\n");
    write("configs/self.yaml", "extends: self\n");
    EXPECT_THAT(faults_of("a"),
                ElementsAre("DATA/configs/b.yaml:2:10: error: 'extends' goes round in a circle: "
                            "'DATA/configs/./a.yaml' is extended by itself"));
    EXPECT_THAT(faults_of("self"),
                ElementsAre("DATA/configs/self.yaml:1:10: error: 'extends' goes round in a "
                            "circle: 'DATA/configs/self.yaml' is extended by itself"));
}

TEST_F(DocumentTest, SaysWhereAnExtendedFileIsNotFound) {
    write("configs/tpu_v1.yaml", "a: 1\n");
    write("configs/list.yaml", "- 1\n");
    write("configs/a.yaml", "extends: gone.yaml\n");
    write("configs/b.yaml", "extends: tpu_v2\n");
    write("configs/c.yaml", "extends: [a]\n");
    write("configs/d.yaml", "extends:\n");
    write("configs/e.yaml", "extends: list\n");
    EXPECT_THAT(faults_of("a"), ElementsAre("DATA/configs/a.yaml:1:10: error: 'extends': there is "
                                            "no file 'DATA/configs/gone.yaml'\n"
                                            "  hint: a path goes from this file's folder; one that "
                                            "is shipped goes by its name, as tpu_v1"));
    EXPECT_THAT(faults_of("b"), ElementsAre("DATA/configs/b.yaml:1:10: error: 'extends': 'tpu_v2': "
                                            "there is no chip of this name, nor a file\n"
                                            "  hint: did you mean 'tpu_v1'?"));
    EXPECT_THAT(faults_of("c"), ElementsAre("DATA/configs/c.yaml:1:10: error: 'extends': expected "
                                            "a file or a name, found a list"));
    EXPECT_THAT(faults_of("d"), ElementsAre("DATA/configs/d.yaml:1:1: error: 'extends': expected "
                                            "a file or a name, found nothing"));
    EXPECT_THAT(faults_of("e"), ElementsAre("DATA/configs/list.yaml:1:1: error: expected section, "
                                            "found a list"));
}

TEST_F(DocumentTest, ChecksTheVersionOfEachFile) {
    write("configs/base.yaml", "schema_version: 0\na: 1\n");
    write("configs/a.yaml", "schema_version: 2\nextends: base\n");
    write("configs/b.yaml", "schema_version: 1.0\n");
    write("configs/c.yaml", "schema_version: [1]\n");
    EXPECT_THAT(faults_of("a"), ElementsAre("DATA/configs/a.yaml:1:17: error: 'schema_version' "
                                            "must be 1, not 2\n"
                                            "  hint: the file was written for a later Systole",
                                            "DATA/configs/base.yaml:1:17: error: "
                                            "'schema_version' must be 1, not 0"));
    EXPECT_THAT(faults_of("b"), ElementsAre("DATA/configs/b.yaml:1:17: error: 'schema_version': "
                                            "'1.0' is not an integer\n  hint: write 1"));
    EXPECT_THAT(faults_of("c"), ElementsAre("DATA/configs/c.yaml:1:17: error: 'schema_version': "
                                            "expected integer, found a list"));
}

TEST_F(DocumentTest, SetsValuesOnTheCommandLine) {
    write("configs/a.yaml", "clock: 1 GHz\ncore: {rows: 4}\nlist: [{a: 1}, 2]\n");
    const Node root =
        load("a", {"chip.clock=940 MHz", "chip.core.rows=16", "chip.new.deep.key=[1, 2]",
                   "chip.list.0.a=7", "chip.list.1=\"3\"", "workload.core.rows=1"});
    EXPECT_EQ(to_yaml(root),
              "clock: 940 MHz\ncore:\n  rows: 16\nlist:\n  - a: 7\n  - \"3\"\n"
              "new:\n  deep:\n    key: [1, 2]\n");
    EXPECT_EQ(root.find("core")->find("rows")->where.file, "--set chip.core.rows=16");
    EXPECT_EQ(root.find("core")->find("rows")->where.line, 0);
    EXPECT_FALSE(root.find("list")->items[1].plain);
}

TEST_F(DocumentTest, SaysWhichOptionWasWrong) {
    write("configs/a.yaml",
          "core: {matrix: {kind: simt}, scratchpad: {size: 8 B}}\nlayers: [relu]\n");
    EXPECT_THAT(faults_of("a", {"chip.layers.1=relu", "chip.layers.x.y=1", "chip.layers.0.x=1"}),
                ElementsAre("--set chip.layers.1=relu: error: 'layers' has no item '1'\n"
                            "  hint: items: 0 to 0",
                            "--set chip.layers.x.y=1: error: 'layers' has no item 'x'\n"
                            "  hint: items: 0 to 0",
                            "--set chip.layers.0.x=1: error: 'layers.0' is 'relu', which has no "
                            "keys"));
    const Node root = load("a", {"chip.core.scratchpad.bank=4", "chip.cores=0"});
    ReadContext context;
    static_cast<void>(read<test::Machine>(root, context));
    ASSERT_EQ(context.faults.size(), 2U);
    EXPECT_EQ(to_string(context.faults[0]),
              "--set chip.cores=0: error: 'cores' must be from 1 to "
              "1024, not 0");
    EXPECT_EQ(to_string(context.faults[1]),
              "--set chip.core.scratchpad.bank=4: error: unknown key 'bank'\n"
              "  hint: did you mean 'banks'?");
}

TEST_F(DocumentTest, DeclaresTheParametersOfTheDocument) {
    write("configs/a.yaml", "parameters: {m: 4, name: 010}\ncores: m\n");
    const Node root = load("a", {"chip.m=512", "chip.cores=2"});
    EXPECT_EQ(root.find("parameters")->find("m")->text, "512");
    EXPECT_EQ(root.find("cores")->text, "2");
    EXPECT_EQ(context_.names.at("m"), 512);
    EXPECT_TRUE(context_.names.contains("name"));
}

TEST(Override, RefusesWhatIsNotAPathAndAValue) {
    const auto fault_of = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(parse_override(text));
        } catch (const InputError& e) {
            return to_string(e.faults().front());
        }
        return "";
    };
    const std::string example = "\n  hint: write --set chip.core.matrix.rows=64";
    EXPECT_EQ(fault_of("chip.rows"), "--set chip.rows: error: a value is missing" + example);
    EXPECT_EQ(fault_of("chip.rows="),
              "--set chip.rows=: error: the value is empty\n"
              "  hint: write \"\" for an empty text, {} for an empty "
              "section");
    EXPECT_EQ(fault_of("chip..rows=1"),
              "--set chip..rows=1: error: a key of the path is empty" + example);
    EXPECT_EQ(fault_of("=1"), "--set =1: error: a key of the path is empty" + example);
    EXPECT_EQ(fault_of("chip=1"), "--set chip=1: error: the path names no key" + example);
    EXPECT_EQ(fault_of("chp.rows=1"),
              "--set chp.rows=1: error: 'chp' is no document\n  hint: did you mean 'chip'?");
    EXPECT_EQ(fault_of("core.rows=1"),
              "--set core.rows=1: error: 'core' is no document\n"
              "  hint: the path begins with chip, workload or technology");
    EXPECT_EQ(fault_of("chip.rows=[1"),
              "--set chip.rows=[1: error: a list as a key\n"
              "  hint: a key is a word; if none is meant, a ']' is missing");
    EXPECT_EQ(fault_of("chip.rows={a: 1, a: 2}"),
              "--set chip.rows={a: 1, a: 2}: error: duplicate key 'a'");
    EXPECT_EQ(fault_of("chip.a.b=x=y"), "");
    EXPECT_EQ(parse_override("chip.a.b=x=y").value.text, "x=y");
    EXPECT_THAT(parse_override("workload.layers.3.dense.units=5").path,
                ElementsAre("layers", "3", "dense", "units"));
}

TEST_F(DocumentTest, FindsDocumentsByName) {
    write("configs/tpu_v1.yaml", "a: 1\n");
    write("configs/mine/x.yml", "a: 1\n");
    write("configs/technology/7nm.yaml", "a: 1\n");
    write("configs/hbm/hbm2.yaml", "a: 1\n");
    write("configs/schema/chip.schema.json", "{}");
    write("workloads/course/2_1_perceptron.yaml", "a: 1\n");
    write("workloads/sweeps/s.yaml", "a: 1\n");
    EXPECT_THAT(list_documents(DocumentKind::chip, data_), ElementsAre("mine/x", "tpu_v1"));
    EXPECT_THAT(list_documents(DocumentKind::workload, data_),
                ElementsAre("course/2_1_perceptron"));
    EXPECT_THAT(list_documents(DocumentKind::technology, data_), ElementsAre("7nm"));
    EXPECT_EQ(find_document(DocumentKind::chip, "tpu_v1", data_), data_ / "configs/tpu_v1.yaml");
    EXPECT_EQ(find_document(DocumentKind::chip, "mine/x", data_), data_ / "configs/mine/x.yml");
    EXPECT_EQ(find_document(DocumentKind::chip, "other/file.yaml", data_), "other/file.yaml");
    EXPECT_EQ(find_document(DocumentKind::workload, "course/2_1_perceptron", data_),
              data_ / "workloads/course/2_1_perceptron.yaml");
}

TEST_F(DocumentTest, SaysWhatIsWrongWithAFile) {
    write("configs/tpu_v1.yaml", "a: 1\n");
    write("configs/edge_32x32.yaml", "a: 1\n");
    EXPECT_THAT(faults_of("tpu_v4"),
                ElementsAre("tpu_v4: error: there is no chip of this name, nor "
                            "a file\n  hint: did you mean 'tpu_v1'?"));
    EXPECT_THAT(faults_of("gpu"), ElementsAre("gpu: error: there is no chip of this name, nor a "
                                              "file\n  hint: there are edge_32x32, tpu_v1"));
    EXPECT_THAT(faults_of(""), ElementsAre(testing::HasSubstr("there is no chip of this name")));
    EXPECT_THAT(faults_of((data_ / "gone.yaml").string()),
                ElementsAre("DATA/gone.yaml: error: cannot be read: No such file or directory"));
    EXPECT_THAT(faults_of((data_ / "configs").string()),
                ElementsAre("DATA/configs: error: is a directory, not a file"));
    setenv("SYSTOLE_DATA", "/nonexistent", 1);
    EXPECT_THAT(faults_of("tpu_v1"),
                ElementsAre("SYSTOLE_DATA: error: '/nonexistent' is not a directory\n"
                            "  hint: name the directory that holds configs/ and workloads/"));
}

TEST_F(DocumentTest, StopsReadingWhatHasNoEnd) {
    EXPECT_THAT(faults_of("/dev/zero"), ElementsAre(testing::HasSubstr("more than 16 MiB")));
}

}  // namespace
}  // namespace systole
