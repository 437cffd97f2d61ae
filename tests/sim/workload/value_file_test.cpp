#include "sim/workload/value_file.hpp"

#include "models/base/diagnostics.hpp"
#include "models/numerics/convert.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace systole {
namespace {

using numerics::Format;

/// A .npy file, byte by byte as NEP 1 lays it out.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
    std::string header = dictionary + "\n";
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
        bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
    }
    return bytes + header + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <class T>
std::string raw(const std::vector<T>& values) {
    std::string bytes;
    for (const T value : values) {
        std::array<char, sizeof(T)> one{};
        std::memcpy(one.data(), &value, sizeof(T));
        bytes.append(one.data(), one.size());
    }
    return bytes;
}

template <class Parse>
std::vector<Fault> faults_of(Parse parse) {
    try {
        parse();
    } catch (const InputError& error) {
        return error.faults();
    }
    return {};
}

std::string npy_fault(const std::string& bytes) {
    const auto faults = faults_of([&] { static_cast<void>(parse_npy(bytes, "w.npy")); });
    return faults.empty() ? "" : faults.front().what;
}

std::string csv_fault(const std::string& text) {
    const auto faults = faults_of([&] { static_cast<void>(parse_csv(text, "w.csv")); });
    return faults.empty() ? "" : to_string(faults.front());
}

using Doubles = std::vector<double>;
using Shape = std::vector<std::int64_t>;

TEST(Npy, ReadsEveryElementType) {
    const auto values = [](const std::string& descr, const std::string& data) {
        return parse_npy(npy(dictionary(descr, "(3,)"), data), "w.npy").values;
    };
    EXPECT_EQ(values("<f4", raw<float>({0.5F, -3e38F, 1e-45F})),
              (Doubles{0.5, static_cast<double>(-3e38F), static_cast<double>(1e-45F)}));
    EXPECT_EQ(values("<f8", raw<double>({0.1, -1e300, 5e-324})), (Doubles{0.1, -1e300, 5e-324}));
    EXPECT_EQ(values("<f2", raw<std::uint16_t>({0x3c00, 0xfbff, 0x0001})),
              (Doubles{1, -65504, 0x1p-24}));
    EXPECT_EQ(values("|i1", raw<std::int8_t>({-128, 127, -1})), (Doubles{-128, 127, -1}));
    EXPECT_EQ(values("|u1", raw<std::uint8_t>({0, 128, 255})), (Doubles{0, 128, 255}));
    EXPECT_EQ(values("|b1", raw<std::uint8_t>({0, 1, 1})), (Doubles{0, 1, 1}));
    EXPECT_EQ(values("<i2", raw<std::int16_t>({-32768, 32767, -1})), (Doubles{-32768, 32767, -1}));
    EXPECT_EQ(values("<i4", raw<std::int32_t>({INT32_MIN, INT32_MAX, 7})),
              (Doubles{-2147483648.0, 2147483647.0, 7}));
    EXPECT_EQ(values("<i8", raw<std::int64_t>({-(1LL << 53), 1LL << 53, -1})),
              (Doubles{-0x1p53, 0x1p53, -1}));
}

TEST(Npy, KeepsWhatIsNotFinite) {
    const float inf = std::numeric_limits<float>::infinity();
    const auto values =
        parse_npy(npy(dictionary("<f4", "(3,)"), raw<float>({inf, -inf, NAN})), "w.npy").values;
    EXPECT_EQ(values[0], inf);
    EXPECT_EQ(values[1], -inf);
    EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Npy, ReadsAllVersionsShapesAndOrders) {
    const auto data = raw<std::int8_t>({1, 2, 3, 4, 5, 6});
    for (const int version : {1, 2, 3}) {
        const auto array = parse_npy(npy(dictionary("|i1", "(2, 3)"), data, version), "w.npy");
        EXPECT_EQ(array.shape, (Shape{2, 3}));
        EXPECT_EQ(array.values, (Doubles{1, 2, 3, 4, 5, 6}));
    }
    const auto transposed = parse_npy(npy(dictionary("|i1", "(2, 3)", "True"), data), "w.npy");
    EXPECT_EQ(transposed.shape, (Shape{2, 3}));
    EXPECT_EQ(transposed.values, (Doubles{1, 3, 5, 2, 4, 6}));
    const auto scalar = parse_npy(npy(dictionary("|i1", "()"), raw<std::int8_t>({9})), "w.npy");
    EXPECT_EQ(scalar.shape, Shape{});
    EXPECT_EQ(scalar.values, Doubles{9});
    // Other spellings of the same dictionary.
    const auto other = parse_npy(
        npy(R"( {"shape":(6 ,) ,"descr":"|i1","fortran_order" : False} )", data), "w.npy");
    EXPECT_EQ(other.shape, Shape{6});
}

TEST(Npy, FortranOrderIsTheTransposeInAnyRank) {
    const Shape shape{2, 3, 4};
    std::vector<std::int16_t> data;
    for (std::int16_t k = 0; k < 4; ++k) {
        for (std::int16_t j = 0; j < 3; ++j) {
            for (std::int16_t i = 0; i < 2; ++i) {
                data.push_back(static_cast<std::int16_t>(100 * i + 10 * j + k));
            }
        }
    }
    const auto array = parse_npy(npy(dictionary("<i2", "(2, 3, 4)", "True"), raw(data)), "w.npy");
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t k = 0; k < 4; ++k) {
                EXPECT_EQ(array.values[(i * 3 + j) * 4 + k],
                          static_cast<double>(100 * i + 10 * j + k));
            }
        }
    }
}

TEST(Npy, SaysWhatIsWrong) {
    const auto data = raw<float>({1, 2, 3, 4, 5, 6});
    const auto with = [&](const std::string& text) { return npy_fault(npy(text, data)); };
    EXPECT_EQ(npy_fault(""), "is not a .npy file: it does not begin with \\x93NUMPY");
    EXPECT_EQ(npy_fault("1,2\n"), "is not a .npy file: it does not begin with \\x93NUMPY");
    EXPECT_EQ(npy_fault(npy(dictionary("<f4", "(6,)"), data, 4)),
              "has version 4.0; versions 1.0, 2.0 and 3.0 are read");
    EXPECT_EQ(with(dictionary(">f4", "(6,)")), "its numbers are big-endian");
    EXPECT_EQ(with(dictionary("<c8", "(3,)")), "its element type is not one that is read");
    EXPECT_EQ(with(dictionary("|f4", "(6,)")), "its element type is not one that is read");
    EXPECT_EQ(with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}"),
              "arrays of structures are not read");
    EXPECT_EQ(with(dictionary("<f4", "(7,)")),
              "is cut off: its shape (7) takes more than the 24 bytes that follow the header");
    EXPECT_EQ(with(dictionary("<f4", "(5,)")), "has 4 bytes behind its last element");
    EXPECT_EQ(with(dictionary("<f4", "(6, 0)")), "its shape (6, 0) has no elements");
    EXPECT_EQ(with(dictionary("<f4", "(-6,)")), "'shape' is not a tuple of sizes");
    EXPECT_EQ(with(dictionary("<f4", "(6")), "'shape' is not a tuple of sizes");
    EXPECT_EQ(with(dictionary("<f4", "(6,)", "0")), "'fortran_order' is neither True nor False");
    EXPECT_EQ(with("{'descr': '<f4', 'shape': (6,)}"),
              "the header lacks 'descr', 'fortran_order' or 'shape'");
    EXPECT_EQ(with("{'descr': '<f4', 'descr': '<f4'}"), "the header has 'descr' twice");
    EXPECT_EQ(with("{'order': 'C'}"), "the header has an unknown key");
    EXPECT_EQ(with(dictionary("<f4", "(6,)") + " x"), "the header has text behind its dictionary");
    EXPECT_EQ(npy_fault(npy(dictionary("<i8", "(1, 2)"), raw<std::int64_t>({1, (1LL << 53) + 1}))),
              "element [0, 1] is 9007199254740993, which a double does not hold exactly");
}

TEST(Npy, NoSizeIsBelievedBeforeTheFileHasIt) {
    const auto data = raw<float>({1});
    // 2^64 + 1 elements, 2^62 elements, a header of 4 GiB: each of a file of a few bytes.
    EXPECT_NE(npy_fault(npy(dictionary("<f4", "(4294967297, 4294967296)"), data)), "");
    EXPECT_NE(npy_fault(npy(dictionary("<f4", "(4611686018427387904,)"), data)), "");
    EXPECT_NE(npy_fault(npy(dictionary("<f4", "(99999999999999999999,)"), data)), "");
    EXPECT_EQ(npy_fault(std::string{"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14}),
              "is cut off in its header");
}

TEST(Npy, EveryPrefixIsAFault) {
    const auto whole = npy(dictionary("<f4", "(2, 3)"), raw<float>({1, 2, 3, 4, 5, 6}));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_NE(npy_fault(whole.substr(0, size)), "") << size;
    }
    EXPECT_EQ(npy_fault(whole), "");
}

TEST(Npy, AChangedByteIsReadOrAFaultButNeverMore) {
    const unsigned seed = 11;
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    const auto whole = npy(dictionary("<f4", "(2, 3)", "True"), raw<float>({1, 2, 3, 4, 5, 6}));
    for (int i = 0; i < 20'000; ++i) {
        auto changed = whole;
        for (auto n = 1 + random() % 3; n > 0; --n) {
            changed[random() % changed.size()] = static_cast<char>(random());
        }
        try {
            const auto array = parse_npy(changed, "w.npy");
            std::int64_t elements = 1;
            for (const auto size : array.shape) {
                elements *= size;
            }
            ASSERT_EQ(static_cast<std::int64_t>(array.values.size()), elements);
        } catch (const InputError&) {
            continue;
        }
    }
}

TEST(Npy, WritesWhatItReads) {
    const ValueArray array{{2, 3}, {0, 1, -2, 100, -128, 127}};
    for (const auto format :
         {Format::int8, Format::int32, Format::fp16, Format::bf16, Format::fp32}) {
        const auto bytes = to_npy(array, format);
        EXPECT_EQ((bytes.find('\n') + 1) % 64, 0U);
        const auto read = parse_npy(bytes, "w.npy");
        EXPECT_EQ(read.shape, array.shape);
        EXPECT_EQ(read.values, array.values);
    }
    EXPECT_EQ(parse_npy(to_npy({{}, {4}}, Format::fp32), "w.npy").shape, Shape{});
    EXPECT_EQ(parse_npy(to_npy({{1}, {4}}, Format::fp32), "w.npy").shape, Shape{1});
    // Rounded once to bf16, then written as the fp32 of the same value.
    EXPECT_EQ(parse_npy(to_npy({{1}, {1 + 0x1p-8 + 0x1p-40}}, Format::bf16), "w.npy").values,
              Doubles{1 + 0x1p-7});
    // As NumPy pads it: magic, version and length (10 bytes), text and newline fill 128 bytes.
    std::string text = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
    text.resize(128 - 10 - 1, ' ');
    EXPECT_EQ(to_npy({{2}, {1, -1}}, Format::int8), npy(text, "\x01\xff"));
}

TEST(Csv, LinesAreRows) {
    const auto array = parse_csv("1,2.5, -3\n+4,5e-1,\t.25 \n", "w.csv");
    EXPECT_EQ(array.shape, (Shape{2, 3}));
    EXPECT_EQ(array.values, (Doubles{1, 2.5, -3, 4, 0.5, 0.25}));
    EXPECT_EQ(parse_csv("7", "w.csv").shape, (Shape{1, 1}));
    EXPECT_EQ(parse_csv("\xEF\xBB\xBF"
                        "7\r\n8\r\n\r\n",
                        "w.csv")
                  .values,
              (Doubles{7, 8}));
    EXPECT_EQ(parse_csv("0.1\n", "w.csv").values, Doubles{0.1});
}

TEST(Csv, SaysWhereAndWhatIsWrong) {
    EXPECT_EQ(csv_fault(""), "w.csv: error: has no numbers");
    EXPECT_EQ(csv_fault("1,2\n3,x4\n"),
              "w.csv:2:3: error: row 2, column 2: 'x4' is not a number\n"
              "  hint: write decimal numbers separated by commas, as in 0.5,-2,1e-3");
    EXPECT_EQ(csv_fault("1, 2 3\n").substr(0, 53),
              "w.csv:1:4: error: row 1, column 2: '2 3' is not a num");
    EXPECT_EQ(csv_fault("1,2\n3\n"),
              "w.csv:2:1: error: this row has 1 numbers, the first row has 2");
    EXPECT_EQ(csv_fault("1,2,\n"), "w.csv:1:5: error: row 1, column 3: no number");
    EXPECT_EQ(csv_fault("1\n\n2\n"),
              "w.csv:2:1: error: this line is empty\n  hint: each line is a row of numbers");
    EXPECT_EQ(csv_fault("1e999\n"),
              "w.csv:1:1: error: row 1, column 1: '1e999' is beyond what a double holds");
    EXPECT_EQ(csv_fault("nan\n"),
              "w.csv:1:1: error: row 1, column 1: 'nan' is not a finite number");
    EXPECT_EQ(csv_fault("-inf\n"),
              "w.csv:1:1: error: row 1, column 1: '-inf' is not a finite number");
    for (const char* text : {"++1", "+-1", "0x10", "1;2", "1_000", "\"1\"", "1\x1b[2J"}) {
        EXPECT_NE(csv_fault(text), "") << text;
        EXPECT_EQ(csv_fault(text).find('\x1b'), std::string::npos);
    }
}

TEST(Csv, AllFaultsAreReportedUpToANumber) {
    const auto faults = faults_of([] { static_cast<void>(parse_csv("a,1\n2,b\n3\n", "w.csv")); });
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[1].where.line, 2);
    std::string many;
    for (int i = 0; i < 1000; ++i) {
        many += "x,y\n";
    }
    EXPECT_EQ(faults_of([&] { static_cast<void>(parse_csv(many, "w.csv")); }).size(), 20U);
}

class ValueFile : public testing::Test {
protected:
    ValueFile() { std::filesystem::create_directories(folder); }
    ~ValueFile() override { std::filesystem::remove_all(folder); }

    std::filesystem::path put(const std::string& name, const std::string& bytes) const {
        std::ofstream{folder / name, std::ios::binary} << bytes;
        return folder / name;
    }
    static std::string fault(const std::filesystem::path& path) {
        const auto faults = faults_of([&] { static_cast<void>(read_values(path)); });
        return faults.empty() ? "" : faults.front().what;
    }

    std::filesystem::path folder =
        std::filesystem::path{testing::TempDir()} /
        ("value_file_" +
         std::string{testing::UnitTest::GetInstance()->current_test_info()->name()});
};

TEST_F(ValueFile, IsReadByItsExtension) {
    EXPECT_EQ(read_values(put("a.csv", "1,2\n")).values, (Doubles{1, 2}));
    EXPECT_EQ(read_values(put("a.npy", to_npy({{2}, {3, 4}}, Format::fp32))).values,
              (Doubles{3, 4}));
    EXPECT_EQ(fault(put("a.txt", "1,2\n")), "values are read from .npy and .csv files");
    EXPECT_EQ(fault(put("a.npz", "PK")), "values are read from .npy and .csv files");
}

TEST_F(ValueFile, MustBeARegularFileThatIsThere) {
    EXPECT_EQ(fault(folder / "none.npy"), "cannot be read: No such file or directory");
    std::filesystem::create_directory(folder / "folder.csv");
    EXPECT_EQ(fault(folder / "folder.csv"), "is not a regular file");
    std::filesystem::create_symlink("/dev/zero", folder / "endless.npy");
    EXPECT_EQ(fault(folder / "endless.npy"), "is not a regular file");
}

}  // namespace
}  // namespace systole
