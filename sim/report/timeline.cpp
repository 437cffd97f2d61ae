#include "sim/report/timeline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <iterator>
#include <map>

namespace systole {
namespace {

std::string quoted(const std::string& text) {
    using Json = nlohmann::ordered_json;
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "core0.matrix" is the thread `matrix` of the process `core0`.
struct Lane {
    std::string process;
    std::string thread;
};

Lane split(const std::string& lane) {
    const auto dot = lane.rfind('.');
    return dot == std::string::npos ? Lane{"chip", lane}
                                    : Lane{lane.substr(0, dot), lane.substr(dot + 1)};
}

/// The events of the document, one a line.
class Events {
public:
    void name(const char* what, int process, int thread, const std::string& text) {
        next();
        fmt::format_to(out_, R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})",
                       what, process, thread, quoted(text));
    }
    void span(const models::Trace::Span& span, int process, int thread, const std::string& layer) {
        next();
        fmt::format_to(out_,
                       R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},)"
                       R"("args":{{"layer":{}}}}})",
                       quoted(span.name), process, thread, span.from.count(),
                       (span.to - span.from).count(), layer);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    void next() { text_ += text_.empty() ? "" : ",\n"; }

    std::string text_;
    std::back_insert_iterator<std::string> out_{text_};
};

}  // namespace

std::string to_trace_json(const models::Trace& trace, const std::vector<std::string>& layers) {
    std::vector<std::string> layer_names;
    layer_names.reserve(layers.size());
    for (const auto& layer : layers) {
        layer_names.push_back(quoted(layer));
    }
    Events events;
    std::map<std::string, int> processes;
    int thread = 0;
    for (const auto& [lane_name, spans] : trace.lanes()) {
        const auto lane = split(lane_name);
        const auto [process, is_new] =
            processes.emplace(lane.process, static_cast<int>(processes.size()) + 1);
        if (is_new) {
            events.name("process_name", process->second, 0, lane.process);
        }
        events.name("thread_name", process->second, ++thread, lane.thread);
        for (const auto& span : spans) {
            const auto layer = static_cast<std::size_t>(span.layer);
            events.span(span, process->second, thread,
                        layer < layer_names.size() ? layer_names[layer] : "null");
        }
    }
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + events.text() + "\n]}\n";
}

}  // namespace systole
