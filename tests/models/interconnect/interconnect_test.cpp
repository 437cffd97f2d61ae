#include "models/interconnect/interconnect.hpp"

#include "tests/support/agenda.hpp"
#include "tests/support/systemc.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace systole::models {
namespace {

using namespace literals;

/// An interconnect before one memory of 8 bytes a cycle and 20 cycles of latency, and ports that
/// note when their transfers are complete.
class InterconnectTest : public test::SystemCTest {
protected:
    void build(const InterconnectConfig& config, std::int64_t bytes_per_cycle = 8) {
        interconnect_ = std::make_unique<Interconnect>(
            "interconnect", config,
            std::make_unique<BandwidthMemory>(BytesPerSecond{static_cast<double>(bytes_per_cycle)},
                                              Hertz{1.0}, 20_cycles),
            nullptr, control_, nullptr);
    }
    int port(bool write, Bytes width = 1024_B) {
        const auto number = static_cast<int>(done_.size());
        done_.emplace_back();
        return interconnect_->add_port(write, width, [this, number](std::int64_t id, Cycles at) {
            done_[static_cast<std::size_t>(number)][id] = at;
        });
    }
    void request_at(Cycles cycle, int port, std::int64_t id, Bytes size) {
        agenda_.at(cycle,
                   [=, this] { EXPECT_FALSE(interconnect_->request(port, {}, size, id, 0)); });
    }
    Cycles done(int port, std::int64_t id) { return done_[static_cast<std::size_t>(port)].at(id); }

    RunControl control_;
    test::Agenda agenda_{"agenda"};
    std::unique_ptr<Interconnect> interconnect_;
    std::vector<std::map<std::int64_t, Cycles>> done_;
};

TEST_F(InterconnectTest, AReadTakesTwoLinksTheLatencyAndItsBytes) {
    build({.width = 64_B, .latency = 3, .burst = 64_B});
    const int reader = port(false);
    request_at(10_cycles, reader, 0, 64_B);
    sc_core::sc_start();
    // 3 to the memory, 64/8 over its pins, 20 of latency, 3 back.
    EXPECT_EQ(done(reader, 0), Cycles{10 + 3 + 8 + 20 + 3});
}

TEST_F(InterconnectTest, ALinkNarrowerThanTheMemorySetsTheRate) {
    build({.width = 2_B, .latency = 1, .burst = 64_B});
    const int reader = port(false);
    request_at(0_cycles, reader, 0, 640_B);
    sc_core::sc_start();
    EXPECT_GE(done(reader, 0), Cycles{640 / 2});
    EXPECT_LE(done(reader, 0), Cycles{640 / 2 + 1 + 8 + 20 + 1});
}

TEST_F(InterconnectTest, AWriteCrossesTheLinkFirst) {
    build({.width = 4_B, .latency = 3, .burst = 4096_B});
    const int writer = port(true);
    request_at(10_cycles, writer, 0, 64_B);
    sc_core::sc_start();
    // 64/4 into the link, 3 along it, 64/8 into the memory, 20 of latency, 3 back.
    EXPECT_EQ(done(writer, 0), Cycles{10 + 16 + 3 + 8 + 20 + 3});
}

TEST_F(InterconnectTest, TheNarrowerOfLinkAndPortCounts) {
    build({.width = 64_B, .latency = 1, .burst = 4096_B});
    const int writer = port(true, 1_B);
    request_at(0_cycles, writer, 0, 64_B);
    sc_core::sc_start();
    EXPECT_EQ(done(writer, 0), Cycles{64 + 1 + 8 + 20 + 1});
}

TEST_F(InterconnectTest, PortsTakeTurnsBurstByBurst) {
    build({.width = 1024_B, .latency = 1, .burst = 8_B});
    const int long_reader = port(false);
    const int short_reader = port(false);
    request_at(0_cycles, long_reader, 0, 800_B);
    request_at(0_cycles, short_reader, 0, 80_B);
    sc_core::sc_start();
    // Ten bursts each in turn take 20 cycles, not 100 + 10.
    EXPECT_EQ(done(short_reader, 0), Cycles{1 + 20 + 20 + 1});
    EXPECT_EQ(done(long_reader, 0), Cycles{1 + 110 + 20 + 1});
}

TEST_F(InterconnectTest, ARequestIsNotServedBeforeItArrives) {
    build({.width = 1024_B, .latency = 1, .burst = 8_B});
    const int first = port(false);
    const int second = port(false);
    request_at(0_cycles, first, 0, 80_B);
    request_at(4_cycles, second, 0, 8_B);
    sc_core::sc_start();
    // It is there at cycle 5, when the burst that began at 5 is the first's or the second's turn.
    EXPECT_EQ(done(second, 0), Cycles{5 + 1 + 20 + 1});
}

TEST_F(InterconnectTest, WastesNoTimeOfABusyMemory) {
    std::mt19937_64 random{7};
    build({.width = 1024_B, .latency = 2, .burst = 32_B}, 3);
    std::int64_t bytes = 0;
    std::vector<int> ports;
    for (int p = 0; p < 5; ++p) {
        ports.push_back(port(false));
        for (int i = 0; i < 20; ++i) {
            const auto size = std::uniform_int_distribution<std::int64_t>{1, 500}(random);
            bytes += size;
            request_at(0_cycles, ports.back(), i, Bytes{size});
        }
    }
    sc_core::sc_start();
    Cycles last;
    for (const auto p : ports) {
        for (int i = 1; i < 20; ++i) {
            EXPECT_LE(done(p, i - 1), done(p, i));
        }
        last = std::max(last, done(p, 19));
    }
    // All requests are there from cycle 2 on; the data cuts through the link, 2 cycles long.
    EXPECT_EQ(last, Cycles{2 + ceil_div(bytes, 3) + 20 + 2});
}

TEST_F(InterconnectTest, AnIdealMemoryTakesNoTime) {
    interconnect_ = std::make_unique<Interconnect>("interconnect", InterconnectConfig{}, nullptr,
                                                   nullptr, control_, nullptr);
    const int reader = port(false);
    bool complete = false;
    agenda_.at(5_cycles, [&] { complete = interconnect_->request(reader, {}, 1_MiB, 0, 0); });
    sc_core::sc_start();
    EXPECT_TRUE(complete);
}

/// What a set of requests takes, when the ports ask in the given order within each cycle.
std::vector<std::map<std::int64_t, Cycles>> run_in_order(const std::vector<int>& order,
                                                         std::uint64_t seed) {
    RunControl control;
    test::Agenda agenda{"agenda"};
    Interconnect interconnect{
        "interconnect",
        {.width = 16_B, .latency = 2, .burst = 24_B},
        std::make_unique<BandwidthMemory>(BytesPerSecond{7.0}, Hertz{2.0}, 9_cycles),
        nullptr,
        control,
        nullptr};
    std::vector<std::map<std::int64_t, Cycles>> done(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
        interconnect.add_port(p % 2 == 1, 1024_B,
                              [&done, p](std::int64_t id, Cycles at) { done[p][id] = at; });
    }
    for (const int p : order) {
        std::mt19937_64 random{seed + static_cast<std::uint64_t>(p)};
        for (int i = 0; i < 12; ++i) {
            const Cycles at{std::uniform_int_distribution{0, 15}(random) + 15 * i};
            const Bytes size{std::uniform_int_distribution{1, 150}(random)};
            agenda.at(at, [&interconnect, p, size, i] {
                static_cast<void>(interconnect.request(p, {}, size, i, 0));
            });
        }
    }
    sc_core::sc_start();
    return done;
}

class InterconnectOrder : public testing::TestWithParam<std::uint64_t> {};

TEST_P(InterconnectOrder, DoesNotMatterWithinACycle) {
    SCOPED_TRACE(GetParam());
    std::vector<int> order{0, 1, 2, 3, 4, 5};
    std::vector<std::map<std::int64_t, Cycles>> expected;
    {
        const test::SystemCContext context;
        expected = run_in_order(order, GetParam());
    }
    std::mt19937_64 random{GetParam()};
    std::ranges::shuffle(order, random);
    const test::SystemCContext context;
    EXPECT_EQ(run_in_order(order, GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, InterconnectOrder, testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace systole::models
