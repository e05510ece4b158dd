#include "collector/bare/range_times.h"

#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

namespace lapscope::bare {
namespace {

// All ranges with one text. Measures the intervals in which at least one of them is open:
//
//   thread 1  |-----------|       |---|
//   thread 2     |--| |-------|
//   measured  |---------------|   |---|
//
// One atomic holds the number of open ranges and the begin of the current interval. So threads that
// open and close ranges at the same time agree on which of them begins or ends the interval. They
// read the clock between the load and the exchange of this atomic. So no interval begins before the
// end of the previous one.
class Name {
 public:
  explicit Name(std::string_view name = {}) : text(name) {}

  void open() {
    std::uint64_t old = state_.load(std::memory_order_acquire);
    while ((old & most_open) != most_open &&
           !exchange(old, (old & most_open) == 0 ? at(ticks()) | 1 : old + 1)) {
    }
  }

  void close() {
    count_.fetch_add(1, std::memory_order_relaxed);
    if (const std::int64_t interval = leave(); interval != 0) {
      ticks_.fetch_add(interval, std::memory_order_relaxed);
    }
  }

  // Closes a range that the program has not closed. An interval that ends here is not measured.
  void drop() { leave(); }

  std::int64_t count() const { return count_.load(std::memory_order_relaxed); }
  std::int64_t measured_ticks() const { return ticks_.load(std::memory_order_relaxed); }

  const std::string text;

 private:
  // The lower bits of the state are the number of open ranges. The upper bits are the begin of the
  // current or last interval in ticks. So an interval must last less than a day. If `most_open`
  // ranges are open, the state never changes again, and the text gets no more time.
  static constexpr int open_bits = 14;
  static constexpr std::uint64_t most_open = (std::uint64_t{1} << open_bits) - 1;

  static std::uint64_t at(std::int64_t ticks) {
    return static_cast<std::uint64_t>(ticks) << open_bits;
  }

  bool exchange(std::uint64_t& old, std::uint64_t next) {
    return state_.compare_exchange_weak(old, next, std::memory_order_acq_rel,
                                        std::memory_order_acquire);
  }

  // Closes a range. Returns the length of the interval in ticks if it has ended, else 0.
  std::int64_t leave() {
    std::uint64_t old = state_.load(std::memory_order_acquire);
    std::int64_t now = 0;
    do {
      if ((old & most_open) == 0 || (old & most_open) == most_open) return 0;
      now = ticks();
    } while (!exchange(old, old - 1));
    if ((old & most_open) > 1) return 0;
    // The counters of two processors can differ by some ticks, so the length can be below 0.
    return static_cast<std::int64_t>(at(now) - (old & ~most_open)) >> open_bits;
  }

  std::atomic<std::uint64_t> state_{0};
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int64_t> ticks_{0};
};

// The state of the process. It is never destroyed, because threads can end after the exit handlers
// have run.
struct Process {
  std::mutex mutex;  // guards the rest
  std::deque<Name> names;
  std::map<std::string_view, std::size_t> by_text;  // indices in `names`
  std::set<std::string, std::less<>> handles;
  Name other;                 // all ranges whose text is not among the first `most_names` texts
  std::uint64_t started = 0;  // number of start() calls
};

Process& process() {
  static Process* const it = new Process;
  return *it;
}

// Returns the index of a text in Process::names. Returns `most_names` for a new text if there are
// already `most_names` entries. The caller must hold Process::mutex.
std::size_t index_of(std::string_view text) {
  Process& all = process();
  if (const auto known = all.by_text.find(text); known != all.by_text.end()) return known->second;
  const std::size_t index = all.names.size();
  if (index < most_names) all.by_text.emplace(all.names.emplace_back(text).text, index);
  return index;
}

// The caller must hold Process::mutex.
Name& name_at(std::size_t index) {
  Process& all = process();
  return index < all.names.size() ? all.names[index] : all.other;
}

class Thread {
 public:
  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    for (const Open& range : open_) range.name->drop();
  }

  int push(const void* domain, std::string_view text) {
    Name& name = find(text);
    open_.push_back({domain, &name});
    name.open();
    return static_cast<int>(open_.size()) - 1;
  }

  int pop(const void* domain) {
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].domain != domain) continue;
      open_[i].name->close();
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      return static_cast<int>(i);
    }
    return -1;
  }

 private:
  struct Open {
    const void* domain;
    Name* name;
  };

  Name& find(std::string_view text) {
    if (const auto known = known_.find(text); known != known_.end()) return *known->second;
    const std::lock_guard lock(process().mutex);
    Name& name = name_at(index_of(text));
    if (&name != &process().other) known_.emplace(name.text, &name);
    return name;
  }

  std::unordered_map<std::string_view, Name*> known_;  // so that find() seldom locks
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

// The id of a range from start(): the upper 16 bits are 1 plus the index of its text, the lower
// bits make the id unique.
constexpr int number_bits = 48;

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
  try {
    return this_thread ? this_thread->pop(domain) : -1;
  } catch (...) {
    return -1;
  }
}

std::uint64_t start(std::string_view text) noexcept {
  try {
    Process& all = process();
    const std::lock_guard lock(all.mutex);
    const std::uint64_t index = index_of(text);
    name_at(index).open();
    return (index + 1) << number_bits | ++all.started;
  } catch (...) {
    return 0;
  }
}

void end(std::uint64_t id) noexcept {
  if (id >> number_bits == 0) return;
  try {
    const std::lock_guard lock(process().mutex);
    name_at((id >> number_bits) - 1).close();
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
  std::vector<RangeTime> times;
  for (const auto& [text, index] : all.by_text) {
    const Name& name = all.names[index];
    if (name.count() == 0) continue;
    times.push_back({name.text, name.count(), std::llround(ns_of_ticks(name.measured_ticks()))});
  }
  return times;
}

std::int64_t ranges_without_times() { return process().other.count(); }

}  // namespace lapscope::bare
