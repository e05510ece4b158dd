#include "collector/bare/range_times.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace lapscope::bare {
namespace {

// Only one thread may call add(). Any thread may call count() and ticks() at the same time.
class Sum {
 public:
  void add(std::int64_t duration) {
    count_.store(count() + 1, std::memory_order_relaxed);
    ticks_.store(ticks() + duration, std::memory_order_relaxed);
  }
  std::int64_t count() const { return count_.load(std::memory_order_relaxed); }
  std::int64_t ticks() const { return ticks_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int64_t> ticks_{0};
};

struct Name {
  std::string text;
  std::uint32_t index = 0;
  // Sums over the ranges that end() has closed, and over all ranges of threads that have ended.
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> ticks{0};

  void add(std::int64_t ranges, std::int64_t duration) {
    count.fetch_add(ranges, std::memory_order_relaxed);
    ticks.fetch_add(duration, std::memory_order_relaxed);
  }
};

// The ranges of one name that one thread has closed.
struct Own {
  std::uint64_t hash = 0;
  Name* name = nullptr;
  Sum sum;
};

// Hashes eight bytes at a time. A weak hash is good enough, because find() also compares the texts.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = text.size() * factor;
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), bytes);
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
    text.remove_prefix(bytes);
  }
  return hash;
}

class Thread;

// The state of the process. It is never destroyed, because threads can end after the exit handlers
// have run.
struct Process {
  std::mutex mutex;  // guards the rest
  std::deque<Name> names;
  std::map<std::string_view, Name*> by_text;
  std::set<Thread*> threads;
  std::set<std::string, std::less<>> handles;
  Name other;  // all ranges whose text is not among the first `most_names` texts
};

Process& process() {
  static Process* const it = new Process;
  return *it;
}

// Returns the entry of a text. Returns `other` for a new text if there are already `most_names`
// entries. The caller must hold Process::mutex.
Name* name_of(std::string_view text) {
  Process& all = process();
  if (const auto known = all.by_text.find(text); known != all.by_text.end()) return known->second;
  if (all.names.size() == most_names) return &all.other;
  Name& name = all.names.emplace_back();
  name.text = text;
  name.index = static_cast<std::uint32_t>(all.names.size() - 1);
  all.by_text.emplace(name.text, &name);
  return &name;
}

class Thread {
 public:
  Thread() : table_(64) {
    const std::lock_guard lock(process().mutex);
    process().threads.insert(this);
  }
  ~Thread() {
    const std::lock_guard lock(process().mutex);
    for (const Own& own : owned_) own.name->add(own.sum.count(), own.sum.ticks());
    process().threads.erase(this);
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  int push(const void* domain, std::string_view text) {
    Own* own = find(text);
    open_.push_back({domain, own, 0});
    open_.back().since = ticks();
    return static_cast<int>(open_.size()) - 1;
  }

  int pop(const void* domain, std::int64_t now) {
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].domain != domain) continue;
      open_[i].own->sum.add(now - open_[i].since);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      return static_cast<int>(i);
    }
    return -1;
  }

  // The caller must hold Process::mutex.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Own& own : owned_) visit(own);
  }

 private:
  struct Open {
    const void* domain;
    Own* own;
    std::int64_t since;
  };

  Own* find(std::string_view text) {
    const std::uint64_t hash = hash_of(text);
    std::size_t at = hash & (table_.size() - 1);
    while (Own* own = table_[at]) {
      if (own->hash == hash && own->name->text == text) return own;
      at = (at + 1) & (table_.size() - 1);
    }
    return add(text, hash);
  }

  Own* add(std::string_view text, std::uint64_t hash) {
    const std::lock_guard lock(process().mutex);
    Name* name = name_of(text);
    if (name == &process().other) {
      if (!other_) {
        other_ = &owned_.emplace_back();
        other_->name = name;
      }
      return other_;
    }
    if ((owned_.size() + 1) * 2 > table_.size()) grow();
    Own& own = owned_.emplace_back();
    own.hash = hash;
    own.name = name;
    place(&own);
    return &own;
  }

  void place(Own* own) {
    std::size_t at = own->hash & (table_.size() - 1);
    while (table_[at]) at = (at + 1) & (table_.size() - 1);
    table_[at] = own;
  }

  void grow() {
    table_.assign(table_.size() * 2, nullptr);
    for (Own& own : owned_) {
      if (&own != other_) place(&own);
    }
  }

  std::vector<Own*> table_;  // the size is a power of two; at most half full
  std::deque<Own> owned_;    // changed only under Process::mutex
  Own* other_ = nullptr;     // not in the table
  std::vector<Open> open_;
};

// Other destructors may call NVTX in this thread after ~Ending(). Those calls are ignored.
thread_local Thread* this_thread = nullptr;
thread_local bool has_ended = false;
struct Ending {
  ~Ending() {
    delete std::exchange(this_thread, nullptr);
    has_ended = true;
  }
};

Thread* make_thread() {
  if (has_ended) return nullptr;
  thread_local Ending ending;
  static_cast<void>(&ending);
  this_thread = new Thread;
  return this_thread;
}

Thread* own_thread() { return this_thread ? this_thread : make_thread(); }

// start() encodes the range in its id. The upper 16 bits are 1 plus the index of the range's name.
// The lower 48 bits are the start of the range in ticks. So a range must last less than 20 hours.
constexpr int time_bits = 48;
constexpr std::uint64_t time_mask = (std::uint64_t{1} << time_bits) - 1;

}  // namespace

int push(const void* domain, std::string_view text) noexcept {
  try {
    Thread* thread = own_thread();
    return thread ? thread->push(domain, text) : -1;
  } catch (...) {  // no memory
    return -1;
  }
}

int pop(const void* domain) noexcept {
  const std::int64_t now = ticks();
  try {
    return this_thread ? this_thread->pop(domain, now) : -1;
  } catch (...) {
    return -1;
  }
}

std::uint64_t start(std::string_view text) noexcept {
  try {
    std::uint64_t index = most_names;
    {
      const std::lock_guard lock(process().mutex);
      if (const Name* name = name_of(text); name != &process().other) index = name->index;
    }
    return (index + 1) << time_bits | (static_cast<std::uint64_t>(ticks()) & time_mask);
  } catch (...) {
    return 0;
  }
}

void end(std::uint64_t id) noexcept {
  const auto now = static_cast<std::uint64_t>(ticks());
  const std::uint64_t number = id >> time_bits;
  if (number == 0) return;
  const auto duration = static_cast<std::int64_t>((now - id) & time_mask);
  try {
    Process& all = process();
    const std::lock_guard lock(all.mutex);
    (number <= all.names.size() ? all.names[number - 1] : all.other).add(1, duration);
  } catch (...) {
    return;
  }
}

const std::string* handle_of(std::string_view text) noexcept {
  try {
    const std::lock_guard lock(process().mutex);
    return &*process().handles.emplace(text).first;
  } catch (...) {
    return nullptr;
  }
}

std::vector<RangeTime> range_times() {
  Process& all = process();
  const std::lock_guard lock(all.mutex);
  std::map<std::string_view, RangeTime> times;
  for (const Name& name : all.names) times[name.text] = {name.text, name.count, name.ticks};
  for (const Thread* thread : all.threads) {
    thread->for_each([&](const Own& own) {
      if (own.name == &all.other) return;
      RangeTime& time = times[own.name->text];
      time.count += own.sum.count();
      time.ns += own.sum.ticks();
    });
  }
  std::vector<RangeTime> result;
  for (auto& [name, time] : times) {
    if (time.count == 0) continue;
    time.ns = std::llround(ns_of_ticks(time.ns));  // until now, the value was in ticks
    result.push_back(std::move(time));
  }
  return result;
}

std::int64_t ranges_without_times() {
  Process& all = process();
  const std::lock_guard lock(all.mutex);
  std::int64_t count = all.other.count;
  for (const Thread* thread : all.threads) {
    thread->for_each([&](const Own& own) {
      if (own.name == &all.other) count += own.sum.count();
    });
  }
  return count;
}

}  // namespace lapscope::bare
