#include "reports/words/host_time_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/model/code_owner.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::HostActivity;
using analyzer::HostFunction;
using analyzer::HostKind;
using analyzer::HostWork;
using analyzer::Share;
using analyzer::ThreadState;

struct KindWords {
  std::string_view name;
  std::string_view what;  // what the thread does
  std::string_view fix;
};

// In the order of HostKind.
constexpr std::array<KindWords, analyzer::host_kinds> kind_words = {{
    {"data loading", "the thread that issues the work makes the batches",
     "Load ahead in other processes, as with DataLoader(num_workers=N). Or load the next batch in "
     "a thread while this one is worked on; page-locked memory (pin_memory=True) lets its copy run "
     "beside kernels."},
    {"dispatch", "Python issues operators one by one",
     "Capture a CUDA graph, or torch.compile(mode=\"reduce-overhead\"). Or issue fewer, larger "
     "operators: a larger batch, fused kernels."},
    {"optimizer", "the optimizer issues its operators one by one",
     "Use an optimizer that is fused: torch.optim.AdamW(fused=True). Or capture its step in a CUDA "
     "graph (capturable=True)."},
    {"garbage collection", "Python collects garbage",
     "Call gc.freeze() before the loop, and gc.disable() in it. Collect rarely, where nothing "
     "waits."},
    {"logging and I/O", "it logs, reads or writes",
     "Log, read and write in another thread, or only every N iterations."},
    {"waiting for a lock or thread", "it waits for a lock or another thread",
     "Hold the lock only around what threads share, not around work. Or have what the other thread "
     "makes ready earlier."},
    {"waiting for a process", "it waits for another process",
     "Let more workers run further ahead: num_workers, prefetch_factor. Keep them over epochs "
     "(persistent_workers=True)."},
    {"sleeping", "it sleeps",
     "Wait for what is needed (an event, a condition) instead of sleeping."},
    {"the program's own code", "code of the program runs", ""},
    {"library code", "code of libraries runs", ""},
    {"not known", "", ""},
}};

constexpr std::array<std::string_view, analyzer::thread_states> state_words = {
    "",
    "runs",
    "waits for a lock or thread",
    "waits for Python's lock",
    "reads or writes",
    "waits for input",
    "sleeps",
    "waits for a process",
    "page fault or disk",
    "in the driver",
    "in a system call",
    "collects garbage",
    "is off its processor"};

const KindWords& words_for(HostKind kind) { return kind_words[static_cast<std::size_t>(kind)]; }

std::string thread_words(std::int64_t global_tid) {
  return fmt::format("thread {}", analyzer::tid_of(global_tid));
}

// Returns `part` and the total time of the host's work: "111.20 ms of 148.30 ms of host code an
// iteration". In a loop, both times are averages per iteration. `part` is in ns.
std::string of_each(std::int64_t part, const HostWork& work) {
  const std::int64_t each = std::max<std::int64_t>(1, work.instances);
  return fmt::format("{} of {} of host code{}", format_ns(part / each), format_ns(work.ns / each),
                     work.instances > 1 ? " an iteration" : "");
}

// Returns the uncertainty of a host share as a percentage of `all`, such as "± 3.1 %". This is the
// distance of share.ns from least_ns or from most_ns, whichever is larger. Empty if nothing was
// sampled.
std::string doubt_of(const analyzer::HostShare& share, std::int64_t all) {
  if (share.samples == 0 || all == 0) return "";
  const std::int64_t most = std::max(share.ns - share.least_ns, share.most_ns - share.ns);
  return "± " + format_percent(static_cast<double>(most) / static_cast<double>(all));
}

}  // namespace

std::string_view words_of(HostKind kind) { return words_for(kind).name; }

std::string_view words_of(ThreadState state) {
  return state_words[static_cast<std::size_t>(state)];
}

namespace {

std::string line_words(std::string_view file, std::int64_t line) {
  std::string text(analyzer::file_name(file));
  if (line > 0) text += fmt::format(":{}", line);
  return text;
}

}  // namespace

std::string line_of(const analyzer::TimelineHostWork& work) {
  std::string text = work.file.empty() ? "" : line_words(work.file, work.line);
  if (!work.caller.empty()) text += (text.empty() ? "← " : " ← ") + work.caller;
  return text;
}

std::string words_of(const analyzer::TimelineHostWork& work) {
  std::string text = line_of(work);
  if (!text.empty()) text += ", ";
  text += words_of(work.kind);
  if (work.state != ThreadState::unknown) text += fmt::format(", {}", words_of(work.state));
  return text;
}

namespace {

// Returns the function of this kind that took the most time, or null.
const HostFunction* largest_of(const HostWork& work, HostKind kind) {
  const auto found = std::find_if(work.functions.begin(), work.functions.end(),
                                  [kind](const HostFunction& one) { return one.kind == kind; });
  return found == work.functions.end() ? nullptr : &*found;
}

// Returns a function with its place, such as "Images.__getitem__ at data.py:27"; empty if nothing
// is known.
std::string place_words(const HostFunction& function) {
  std::string text = function.function;
  if (!function.file.empty()) {
    if (!text.empty()) text += " at ";
    text += line_words(function.file, function.line);
  }
  if (!function.caller.empty()) text += " ← " + function.caller;
  return text;
}

}  // namespace

std::string function_of(const HostWork& work) {
  const HostFunction* const largest = largest_of(work, work.about().kind);
  return largest == nullptr ? "" : place_words(*largest);
}

std::string clause_of(const HostWork& work) {
  const std::string function = function_of(work);
  return std::string(words_for(work.about().kind).what) + (function.empty() ? "" : ", " + function);
}

std::string short_words_of(const HostWork& work) {
  const HostFunction& about = work.about();
  std::string text = fmt::format(
      "{} {}", words_of(about.kind),
      format_percent(static_cast<double>(about.share.ns) / static_cast<double>(work.ns), 0));
  if (const std::string function = function_of(work); !function.empty()) text += ": " + function;
  const std::int64_t each = std::max<std::int64_t>(1, work.instances);
  text += ", " + format_ns(about.share.ns / each);
  if (work.instances > 1) text += "/iteration";
  return text;
}

namespace {

std::string counts_of(const std::vector<analyzer::HostCollections>& collections) {
  std::string text;
  for (const analyzer::HostCollections& one : collections) {
    text += text.empty() ? "" : ", ";
    text += one.least == one.most ? fmt::format("{}", one.most)
                                  : fmt::format("{} to {}", one.least, one.most);
    text += fmt::format(" of generation {}", one.generation);
  }
  return text;
}

}  // namespace

std::string words_of(const std::vector<analyzer::HostCollections>& collections) {
  if (collections.empty()) return "";
  return "Collections of garbage of Python: " + counts_of(collections) + ".";
}

std::string words_of(const HostWork& work) {
  const HostFunction& kind = work.about();
  // All figures are averages per iteration.
  const std::int64_t each = std::max<std::int64_t>(1, work.instances);
  std::string text(words_for(kind.kind).what);
  const HostFunction* const largest = largest_of(work, kind.kind);
  if (kind.kind == HostKind::dispatch && work.ops > 0) {
    text += fmt::format(", {} ops{}", work.ops / each, work.instances > 1 ? " an iteration" : "");
  }
  if (largest != nullptr) {
    if (const std::string place = place_words(*largest); !place.empty()) text += ": " + place;
    if (largest->holder != 0) text += " (held by " + thread_words(largest->holder) + ")";
  }
  text += ", " + of_each(kind.share.ns, work);
  if (kind.kind == HostKind::garbage_collection && !work.collections.empty()) {
    text += " (" + counts_of(work.collections) + ")";
  }
  for (std::size_t i = 1; i < work.kinds.size(); ++i) {
    const HostFunction& other = work.kinds[i];
    text += fmt::format("{}{} {}", i == 1 ? "; besides, " : ", ", words_of(other.kind),
                        format_ns(other.share.ns / each));
    if (other.saving_ns.value_or(0) > 0) {
      text += fmt::format(" (fixing that saves {})", format_ns(*other.saving_ns / each));
    }
  }
  if (work.all_saving_ns > work.about().saving_ns.value_or(work.all_saving_ns)) {
    text += fmt::format("; with no host code at all between the calls, {} less",
                        format_ns(work.all_saving_ns / each));
  }
  return text;
}

namespace {

std::string how_known(const HostActivity& time) {
  std::string text;
  if (time.recorded_ns > 0) {
    text = fmt::format("{} recorded from begin to end", format_share(time.recorded_ns, time.ns));
  }
  if (time.samples == 0 && time.recorded_ns > 0) return text;
  if (!text.empty()) text += ", ";
  text += fmt::format("{} samples", time.samples);
  if (time.interval_ns > 0)
    text += fmt::format(", one every {} a thread", format_ns(time.interval_ns));
  return text;
}

}  // namespace

std::string_view fix_of(const HostWork& work) { return words_for(work.about().kind).fix; }

WordTable host_time_table(const analyzer::ScopeResult& scope, std::size_t most) {
  WordTable table{"host time between calls",
                  "rrrlnnll",
                  {"time", "share", "", "kind", "function", "line", "state", "thread"},
                  {}};
  if (!scope.host_time) return table;
  const HostActivity& time = *scope.host_time;
  for (const analyzer::HostThread& thread : time.threads) {
    const auto functions = by_function(time, thread.global_tid);
    for (std::size_t i = 0; i < std::min(most, functions.size()); ++i) {
      const HostFunction& one = functions[i];
      std::string line(analyzer::file_name(one.file));
      if (one.line > 0) line += fmt::format(":{}", one.line);
      std::string state(words_of(one.state));
      if (one.holder != 0) state += ", held by " + thread_words(one.holder);
      table.rows.push_back({format_ns(one.share.ns), format_share(one.share.ns, thread.ns),
                            doubt_of(one.share, thread.ns), std::string(words_of(one.kind)),
                            one.caller.empty() ? one.function : one.function + " ← " + one.caller,
                            line, state, thread_words(thread.global_tid)});
    }
    if (functions.size() <= most) continue;
    std::int64_t rest = 0;
    for (std::size_t i = most; i < functions.size(); ++i) rest += functions[i].share.ns;
    table.rows.push_back({format_ns(rest), format_share(rest, thread.ns), "",
                          fmt::format("{} more", functions.size() - most), "", "", "",
                          thread_words(thread.global_tid)});
  }
  table.caption = fmt::format("host time between calls ({})", how_known(time));
  return table;
}

std::string waiting_for_processor(const HostActivity& time) {
  constexpr double large = 0.05;
  std::string text;
  for (const analyzer::HostThread& thread : time.threads) {
    if (thread.counted_ns == 0) continue;
    const Share share =
        static_cast<double>(thread.ready_ns) / static_cast<double>(thread.counted_ns);
    if (share < large) continue;
    text += fmt::format("{}{} was ready to run and had no processor for {} of that.",
                        text.empty() ? "" : " ", thread_words(thread.global_tid),
                        format_percent(share));
  }
  return text;
}

}  // namespace lapscope::reports
