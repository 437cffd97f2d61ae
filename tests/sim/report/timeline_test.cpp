#include "sim/report/timeline.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace systole {
namespace {

using Json = nlohmann::json;

Json events(const models::Trace& trace, const std::vector<std::string>& layers) {
    return Json::parse(to_trace_json(trace, layers)).at("traceEvents");
}

TEST(Timeline, IsEmptyWithoutASpan) {
    EXPECT_TRUE(events({}, {}).empty());
}

TEST(Timeline, GivesEachLaneAThreadAndEachPartAProcess) {
    models::Trace trace;
    trace.span("core0.matrix", "stream", 0, Cycles{10}, Cycles{25});
    trace.span("core0.load", "load", 1, Cycles{0}, Cycles{5});
    trace.span("core1.load", "load", 1, Cycles{2}, Cycles{5});
    trace.span("memory", "read", 0, Cycles{1}, Cycles{2});
    std::map<std::string, std::pair<int, int>> lanes;  // process.thread → (pid, tid)
    std::map<int, std::string> processes;
    std::map<int, int> spans_of_thread;
    for (const auto& event : events(trace, {"first", "second"})) {
        const int pid = event.at("pid");
        const int tid = event.at("tid");
        if (event.at("ph") == "X") {
            ++spans_of_thread[tid];
        } else if (event.at("name") == "process_name") {
            processes[pid] = event.at("args").at("name");
        } else {
            lanes[processes.at(pid) + "." + std::string{event.at("args").at("name")}] = {pid, tid};
        }
    }
    ASSERT_EQ(lanes.size(), 4U);
    EXPECT_EQ(lanes.at("core0.matrix").first, lanes.at("core0.load").first);
    EXPECT_NE(lanes.at("core0.load").first, lanes.at("core1.load").first);
    EXPECT_TRUE(lanes.count("chip.memory"));
    EXPECT_EQ(spans_of_thread.size(), 4U) << "lanes share a thread";
}

TEST(Timeline, GivesACycleAMicrosecond) {
    models::Trace trace;
    trace.span("core0.matrix", "a \"quoted\" name", 1, Cycles{10}, Cycles{25});
    for (const auto& event : events(trace, {"first", "second"})) {
        if (event.at("ph") == "X") {
            EXPECT_EQ(event.at("name"), "a \"quoted\" name");
            EXPECT_EQ(event.at("ts"), 10);
            EXPECT_EQ(event.at("dur"), 15);
            EXPECT_EQ(event.at("args").at("layer"), "second");
            return;
        }
    }
    FAIL() << "the span is lost";
}

}  // namespace
}  // namespace systole
