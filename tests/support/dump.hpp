#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace systole::test {

/// A reader of Value Change Dumps: the value that each signal has at a time.
class Dump {
public:
    explicit Dump(const std::filesystem::path& path) {
        std::ifstream file{path};
        std::string word;
        std::vector<std::string> scopes;
        while (file >> word && word != "$enddefinitions") {
            declaration(word, file, scopes);
        }
        file >> word;  // $end
        std::int64_t time = 0;
        while (file >> word) {
            change(word, file, time);
        }
    }

    /// As text; "" before the first.
    [[nodiscard]] std::string at(const std::string& signal, std::int64_t time) const {
        const auto id = ids_.find(signal);
        if (id == ids_.end()) {
            throw std::out_of_range{"no signal " + signal};
        }
        const auto changes = changes_.find(id->second);
        if (changes == changes_.end()) {
            return "";
        }
        const auto after = changes->second.upper_bound(time);
        return after == changes->second.begin() ? "" : std::prev(after)->second;
    }
    [[nodiscard]] std::int64_t integer(const std::string& signal, std::int64_t time) const {
        const std::string bits = at(signal, time);
        std::int64_t value = 0;
        for (const char bit : bits) {
            value = 2 * value + (bit == '1' ? 1 : 0);
        }
        return bits.starts_with('1') ? value - (std::int64_t{1} << bits.size()) : value;
    }
    [[nodiscard]] const std::vector<std::int64_t>& times() const { return times_; }
    [[nodiscard]] std::size_t signals() const { return ids_.size(); }
    /// The scope of `clock_enable`, with the dot behind it.
    [[nodiscard]] std::string module() const {
        const std::string name = "clock_enable";
        for (const auto& [signal, id] : ids_) {
            if (signal.ends_with(name)) {
                return signal.substr(0, signal.size() - name.size());
            }
        }
        return "";
    }

private:
    void declaration(const std::string& word, std::ifstream& file,
                     std::vector<std::string>& scopes) {
        std::vector<std::string> rest;
        for (std::string next; word.front() == '$' && file >> next && next != "$end";) {
            rest.push_back(next);
        }
        if (word == "$scope") {
            scopes.push_back(rest.at(1));
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$var") {
            std::string name;
            for (const auto& scope : scopes) {
                name += scope + '.';
            }
            ids_[name + rest.at(3)] = rest.at(2);
        }
    }
    void change(const std::string& word, std::ifstream& file, std::int64_t& time) {
        std::string id;
        switch (word.front()) {
            case '#':
                time = std::stoll(word.substr(1));
                times_.push_back(time);
                return;
            case '$':  // $dumpvars … $end
                return;
            case 'b':
            case 'r':
            case 's':
                file >> id;
                changes_[id][time] = word.substr(1);
                return;
            default:
                changes_[word.substr(1)][time] = word.substr(0, 1);
        }
    }

    std::map<std::string, std::string> ids_;
    std::map<std::string, std::map<std::int64_t, std::string>> changes_;
    std::vector<std::int64_t> times_;
};

}  // namespace systole::test
