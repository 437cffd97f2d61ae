#include "sim/mapping/access_map.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace systole::mapping {
namespace {

void join_all(std::vector<Moment>& moments, const std::vector<Moment>& more) {
    for (const Moment& moment : more) {
        join(moments, moment);
    }
}

}  // namespace

void join(std::vector<Moment>& moments, const Moment& moment) {
    for (Moment& known : moments) {
        if (known.core == moment.core && known.milestone == moment.milestone) {
            known.count = std::max(known.count, moment.count);
            return;
        }
    }
    moments.push_back(moment);
}

void AccessMap::split(std::int64_t at) {
    auto next = parts_.upper_bound(at);
    if (next == parts_.begin()) {
        return;
    }
    auto part = std::prev(next);
    if (part->first == at || part->second.end <= at) {
        return;
    }
    Part tail = part->second;
    part->second.end = at;
    parts_.emplace_hint(next, at, std::move(tail));
}

AccessMap::Parts::iterator AccessMap::begin_at(std::int64_t first, std::int64_t end) {
    split(first);
    split(end);
    return parts_.lower_bound(first);
}

void AccessMap::read(std::int64_t first, std::int64_t end, const Moment& by,
                     std::vector<Moment>& after) {
    if (first >= end) {
        return;
    }
    auto it = begin_at(first, end);
    for (std::int64_t at = first; at < end; ++it) {
        if (it == parts_.end() || it->first > at) {
            // Nobody has written here yet: who does will wait for this reader.
            Part unwritten;
            unwritten.end = it == parts_.end() ? end : std::min(end, it->first);
            it = parts_.emplace_hint(it, at, std::move(unwritten));
        }
        join_all(after, it->second.writers);
        join(it->second.readers, by);
        at = it->second.end;
    }
}

void AccessMap::write(std::int64_t first, std::int64_t end, std::int64_t generation,
                      const Moment& by, std::vector<Moment>& after) {
    if (first >= end) {
        return;
    }
    auto it = begin_at(first, end);
    std::int64_t at = first;
    while (at < end) {
        if (it != parts_.end() && it->first == at && it->second.generation == generation) {
            Part& part = it->second;
            join_all(after, part.before);
            join(part.writers, by);
            part.written_after_read = part.written_after_read || !part.readers.empty();
            at = part.end;
            ++it;
            continue;
        }
        // Everything up to the next part of this generation becomes one part of it.
        Part fresh;
        fresh.end = end;
        fresh.generation = generation;
        fresh.writers = {by};
        const std::int64_t start = at;
        while (it != parts_.end() && it->first < end && it->second.generation != generation) {
            const Part& old = it->second;
            join_all(fresh.before, old.readers);
            if (old.readers.empty() || old.written_after_read) {
                join_all(fresh.before, old.writers);
            }
            it = parts_.erase(it);
        }
        if (it != parts_.end() && it->first < end) {
            fresh.end = it->first;
        }
        join_all(after, fresh.before);
        at = fresh.end;
        parts_.emplace_hint(it, start, std::move(fresh));
    }
}

}  // namespace systole::mapping
