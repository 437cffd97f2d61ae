#include "sim/report/output.hpp"

#include "models/base/diagnostics.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

namespace systole {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

std::string fault_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return to_string(error.faults().at(0));
    }
    return "no fault";
}

class PendingFileTest : public testing::Test {
protected:
    PendingFileTest() {
        std::string name = (fs::temp_directory_path() / "systole_output_XXXXXX").string();
        place_ = ::mkdtemp(name.data());
    }
    ~PendingFileTest() override { fs::remove_all(place_); }

    [[nodiscard]] int files() const {
        return static_cast<int>(std::distance(fs::directory_iterator{place_}, {}));
    }

    fs::path place_;
};

TEST_F(PendingFileTest, AppearsAsAWholeWhenCommitted) {
    PendingFile file{place_ / "result.json"};
    file.write("first, ");
    file.write("second");
    EXPECT_FALSE(fs::exists(place_ / "result.json"));
    file.commit();
    EXPECT_EQ(content(place_ / "result.json"), "first, second");
    EXPECT_EQ(files(), 1);
}

TEST_F(PendingFileTest, VanishesWithoutACommit) {
    {
        PendingFile file{place_ / "result.json"};
        file.write("half");
        EXPECT_EQ(files(), 1);
    }
    EXPECT_EQ(files(), 0);
}

TEST_F(PendingFileTest, KeepsTheOldFileUntilCommitted) {
    std::ofstream{place_ / "result.json"} << "old";
    {
        PendingFile file{place_ / "result.json"};
        file.write("new");
    }
    EXPECT_EQ(content(place_ / "result.json"), "old");
    PendingFile file{place_ / "result.json"};
    file.write("new");
    file.commit();
    EXPECT_EQ(content(place_ / "result.json"), "new");
}

TEST_F(PendingFileTest, FollowsALink) {
    std::ofstream{place_ / "target"} << "old";
    fs::create_symlink(place_ / "target", place_ / "link");
    PendingFile file{place_ / "link"};
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(place_ / "link"));
    EXPECT_EQ(content(place_ / "target"), "new");
}

TEST_F(PendingFileTest, LetsAnotherWriterFillIt) {
    PendingFile file{place_ / "wave.vcd"};
    std::ofstream{file.path()} << "by another";
    file.commit();
    EXPECT_EQ(content(place_ / "wave.vcd"), "by another");
}

TEST_F(PendingFileTest, NamesADirectoryThatIsNotThere) {
    const auto target = (place_ / "absent" / "result.json").string();
    EXPECT_EQ(fault_of([&] { PendingFile file{target}; }),
              target +
                  ": error: cannot write: No such file or directory\n"
                  "  hint: its directory must be there before the run");
}

TEST_F(PendingFileTest, RefusesADirectory) {
    EXPECT_EQ(fault_of([&] { PendingFile file{place_}; }),
              place_.string() + ": error: cannot write: Is a directory");
}

TEST_F(PendingFileTest, RefusesAPlaceThatIsReadOnly) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may write everywhere";
    }
    fs::permissions(place_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(fault_of([&] { PendingFile file{place_ / "result.json"}; }),
              (place_ / "result.json").string() + ": error: cannot write: Permission denied");
    fs::permissions(place_, fs::perms::owner_all);
}

TEST_F(PendingFileTest, TellsOfAFullDisk) {
    EXPECT_EQ(fault_of([] {
                  PendingFile file{"/dev/full"};
                  file.write("anything");
              }),
              "/dev/full: error: cannot write: No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full")) << "the device was replaced";
}

TEST_F(PendingFileTest, WritesToAPipe) {
    const auto pipe = place_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    PendingFile file{pipe};
    file.write("through");
    file.commit();
    std::string text(16, '\0');
    const auto size = ::read(reader, text.data(), text.size());
    ::close(reader);
    EXPECT_EQ(text.substr(0, static_cast<std::size_t>(size)), "through");
    EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace systole
