#include "readers/tables/read_host.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/run_sort.h"
#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::ApiCallRow;
using schema::Database;
using schema::Selection;

// A call's stack that was stored in a separate row. Some exports of Nsight Systems have such rows.
struct Backtrace {
  std::uint32_t thread = 0;
  std::uint32_t correlation = 0;
  std::int64_t chain = 0;

  auto key() const { return std::pair(thread, correlation); }
};

// The calls in the order of the file.
struct Unordered {
  Calls calls;  // without threads and kinds
  std::vector<std::uint32_t> correlation;
  std::vector<std::uint32_t> thread;  // index in `tids`
  std::vector<std::int64_t> tids;     // the threads in the order met
  std::vector<StackOfCall> chains;    // `call` is a position in the file's order
  std::vector<Backtrace> backtraces;
  std::int64_t invalid = 0;
  std::int64_t without_thread = 0;
  std::int64_t late = 0;
  std::int64_t rows = 0;
  std::int64_t misnamed = 0;

  std::uint32_t thread_of(std::int64_t tid) {
    if (last_ < tids.size() && tids[last_] == tid) return last_;
    const auto [known, is_new] = index_.try_emplace(tid, static_cast<std::uint32_t>(tids.size()));
    if (is_new) tids.push_back(tid);
    last_ = known->second;
    return last_;
  }

 private:
  std::unordered_map<std::int64_t, std::uint32_t> index_;
  std::uint32_t last_ = 0;  // neighbouring rows usually belong to one thread
};

template <auto... More>
using CallColumns = Selection<COLUMNS(ApiCallRow, start, end, globalTid, correlationId, nameId,
                                      callchainId, cbid, stackNs),
                              More...>;

// Checks that a function has one name and one callback id in all rows. Each API has its own ids.
class FunctionIds {
 public:
  explicit FunctionIds(const Names& names) : names_(names) {}

  // Returns whether name and id match all earlier rows. Returns true for a row without an id.
  bool agree(std::int64_t api, std::optional<std::int64_t> id, std::uint32_t name) {
    constexpr std::int64_t most = 1 << 14;  // CUPTI has less than a thousand
    if (!id) return true;
    if (*id < 0 || *id > most || api < 0 || api > 1) return false;
    const auto code = static_cast<std::uint32_t>(2 * *id + api) + 1;
    if (names_of_.size() <= code) names_of_.resize(code + 1, no_index);
    if (ids_of_.size() <= name) ids_of_.resize(name + 1, 0);
    if (names_of_[code] == no_index && ids_of_[name] == 0) {
      if (!is_of(api, names_.text(name))) return false;
      names_of_[code] = name;
      ids_of_[name] = code;
    }
    return names_of_[code] == name && ids_of_[name] == code;
  }

 private:
  // Returns whether the name can belong to a function of the API. Accepts names such as "runtime
  // cbid 500", which the collector writes for functions without a name in CUPTI.
  static bool is_of(std::int64_t api, std::string_view name) {
    const bool is_nameless = name.find(" cbid ") != std::string_view::npos;
    const bool is_of_runtime = name.starts_with("cuda");
    const bool is_of_driver = name.starts_with("cu") && !is_of_runtime;
    return is_nameless || (api == 0 ? is_of_runtime : is_of_driver);
  }

  const Names& names_;
  std::vector<std::uint32_t> names_of_;  // by code; no_index: not yet
  std::vector<std::uint32_t> ids_of_;    // by name; 0: not yet
};

// Reads the rows of calls and drops invalid rows. Also drops the valid rows whose positions are in
// `skipped` (ascending).
Unordered read_rows(Database& database, const Names& names, std::optional<Ns> recording_end,
                    std::span<const std::uint32_t> skipped, Progress* progress) {
  Unordered result;
  std::uint32_t place = 0;
  FunctionIds functions(names);
  const auto expected = static_cast<std::size_t>(rows_at_most<ApiCallRow>(database));
  result.calls.start.reserve(expected);
  result.calls.end.reserve(expected);
  result.calls.name.reserve(expected);
  result.correlation.reserve(expected);
  result.thread.reserve(expected);

  constexpr std::int64_t backtrace_class = 67;
  const bool has_threads =
      recording_end && database.has_column(schema::describe<ApiCallRow>.name, "globalTid");
  const auto add = [&](const ApiCallRow& row) {
    const auto& [tid, correlation, chain] =
        std::tie(row.globalTid, row.correlationId, row.callchainId);
    if (row.eventClass == backtrace_class) {
      if (chain && tid && tid != schema::no_integer && id_of(correlation) != no_index) {
        result.backtraces.push_back({result.thread_of(*tid), id_of(correlation), *chain});
      }
      return;
    }
    if (!believable(row.start, row.end)) {
      ++result.invalid;
      return;
    }
    if (recording_end && row.end - *recording_end > assumed::clocks_apart) {
      ++result.late;
      return;
    }
    if ((has_threads && !tid) || tid == schema::no_integer ||
        (correlation && id_of(correlation) == no_index)) {
      ++result.without_thread;
      return;
    }
    if (!skipped.empty() && skipped.front() == place++) {
      skipped = skipped.subspan(1);
      return;
    }
    if (chain) {
      constexpr Ns most_ns = 1'000'000;  // more than recording a stack ever takes
      const Ns ns = std::clamp<Ns>(row.stackNs.value_or(0), 0, most_ns);
      result.chains.push_back({static_cast<std::uint32_t>(result.thread.size()), *chain, ns});
    }
    result.thread.push_back(result.thread_of(tid.value_or(0)));
    result.calls.start.push_back(row.start);
    result.calls.end.push_back(row.end);
    result.calls.name.push_back(names.index_of(row.nameId));
    result.misnamed += !functions.agree(row.eventClass, row.cbid, result.calls.name.back());
    result.correlation.push_back(static_cast<std::uint32_t>(correlation.value_or(0)));
  };
  // Some exports lack this column. Their rows are read with class 0.
  const bool has_class = database.has_column(schema::describe<ApiCallRow>.name, "eventClass");
  result.rows =
      has_class ? for_each_row<CallColumns<&ApiCallRow::eventClass>>(database, add, "", progress)
                : for_each_row<CallColumns<>>(database, add, "", progress);
  return result;
}

// Some traces have stacks in separate rows. Such a row belongs to the call with the same thread and
// correlation id. If this call has no stack, it gets the stack of the row.
void place_backtraces(Unordered& unordered) {
  if (unordered.backtraces.empty()) return;
  std::vector<Backtrace>& told = unordered.backtraces;
  std::stable_sort(told.begin(), told.end(),
                   [](const Backtrace& a, const Backtrace& b) { return a.key() < b.key(); });
  std::vector<bool> has_chain(unordered.thread.size());
  for (const StackOfCall& one : unordered.chains) has_chain[one.call] = true;
  for (std::uint32_t call = 0; call < unordered.thread.size(); ++call) {
    if (has_chain[call] || unordered.correlation[call] == 0) continue;
    const Backtrace wanted{unordered.thread[call], unordered.correlation[call]};
    const auto found =
        std::lower_bound(told.begin(), told.end(), wanted,
                         [](const Backtrace& a, const Backtrace& b) { return a.key() < b.key(); });
    if (found == told.end() || found->key() != wanted.key()) continue;
    unordered.chains.push_back({call, found->chain});
  }
  std::sort(unordered.chains.begin(), unordered.chains.end(),
            [](const StackOfCall& a, const StackOfCall& b) { return a.call < b.call; });
  release(told);
}

// Returns the stacks with the final indices of their calls. If an outermost call has no stack, it
// gets the stack of a call inside it.
std::vector<StackOfCall> stacks_of(const Unordered& unordered, const Calls& calls,
                                   const std::vector<std::uint32_t>& order) {
  std::vector<StackOfCall> stacks;
  if (unordered.chains.empty()) return stacks;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) place[order[at]] = at;
  std::vector<bool> has_chain(order.size());
  std::vector<StackOfCall> inner;
  for (const StackOfCall& one : unordered.chains) {
    const std::uint32_t at = place[one.call];
    const Calls::Thread& thread = calls.threads[calls.thread_of(at)];
    if (at >= thread.last) {
      const auto first = calls.start.begin() + thread.first;
      const auto last = calls.start.begin() + thread.last;
      const auto behind = std::upper_bound(first, last, calls.start[at]);
      if (behind == first) continue;
      const auto around = static_cast<std::uint32_t>(behind - calls.start.begin()) - 1;
      inner.push_back({around, one.chain, one.ns});
      continue;
    }
    has_chain[at] = true;
    stacks.push_back({at, one.chain, one.ns});
  }
  for (const StackOfCall& one : inner) {
    if (!has_chain[one.call]) stacks.push_back(one);
    has_chain[one.call] = true;
  }
  return stacks;
}

// Finds the calls of one thread whose ids are out of order: the smallest set of calls to remove, so
// that the ids of the remaining calls never decrease. Adds these calls to `found`. `order` lists
// the thread's calls by start. Calls with id 0 are ignored.
void find_out_of_order(const std::vector<std::uint32_t>& ids, std::span<const std::uint32_t> order,
                       std::vector<std::uint32_t>& found) {
  // `ends[n]` is where an ascending sequence of n + 1 ids ends: a position in `order`. Of several
  // such sequences, the one with the smallest last id is used.
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> previous(order.size(), none);
  const auto id_at = [&](std::uint32_t at) { return ids[order[at]]; };
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    if (id_at(at) == 0) continue;
    const auto place =
        std::upper_bound(ends.begin(), ends.end(), id_at(at),
                         [&](std::uint32_t id, std::uint32_t end) { return id < id_at(end); });
    if (place != ends.begin()) previous[at] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(at);
    } else {
      *place = at;
    }
  }
  std::vector<bool> stays(order.size());
  for (std::uint32_t at = ends.back(); at != none; at = previous[at]) stays[at] = true;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    if (!stays[at] && id_at(at) != 0) found.push_back(order[at]);
  }
}

// Finds the calls of one thread that read_calls() leaves out, because they contradict other calls.
// `order` lists the thread's calls by start.
void find_impossible(const Unordered& unordered, std::span<const std::uint32_t> order,
                     std::vector<std::uint32_t>& found) {
  const Calls& calls = unordered.calls;
  std::vector<std::uint32_t> around;  // enclosing calls, innermost last
  std::uint32_t last_id = 0;
  bool is_in_order = true;
  for (const std::uint32_t call : order) {
    while (!around.empty() && calls.end[around.back()] <= calls.start[call]) around.pop_back();
    while (!around.empty() && calls.end[call] - calls.end[around.back()] > assumed::clocks_apart) {
      found.push_back(around.back());
      around.pop_back();
    }
    around.push_back(call);
    if (unordered.correlation[call] == 0) continue;
    is_in_order &= last_id <= unordered.correlation[call];
    last_id = unordered.correlation[call];
  }
  if (!is_in_order) find_out_of_order(unordered.correlation, order, found);
}

// Sorts one thread's calls by start. If two calls start together, the enclosing call comes first.
// Then moves outermost calls before inner ones. Returns the number of outermost calls.
std::uint32_t put_in_order(const Unordered& unordered, std::span<std::uint32_t> order,
                           std::vector<std::uint32_t>& impossible) {
  const Calls& calls = unordered.calls;
  run_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (calls.start[a] != calls.start[b]) return calls.start[a] < calls.start[b];
    if (calls.end[a] != calls.end[b]) return calls.end[a] > calls.end[b];
    if (calls.name[a] != calls.name[b]) return calls.name[a] < calls.name[b];
    return unordered.correlation[a] < unordered.correlation[b];
  });
  find_impossible(unordered, order, impossible);
  std::vector<std::uint32_t> inner;
  std::uint32_t outermost = 0;
  std::int64_t covered = -1;
  for (const std::uint32_t call : order) {
    if (calls.start[call] < covered) {
      inner.push_back(call);
    } else {
      covered = calls.end[call];
      order[outermost++] = call;
    }
  }
  std::copy(inner.begin(), inner.end(), order.begin() + outermost);
  return outermost;
}

// Returns the order of all calls, thread by thread. Sets `threads`, and adds calls that contradict
// others to `impossible`.
std::vector<std::uint32_t> order_of(Unordered& unordered, std::vector<Calls::Thread>& threads,
                                    std::vector<std::uint32_t>& impossible) {
  std::vector<std::uint32_t> by_tid(unordered.tids.size());
  std::iota(by_tid.begin(), by_tid.end(), 0U);
  std::sort(by_tid.begin(), by_tid.end(), [&](std::uint32_t a, std::uint32_t b) {
    return unordered.tids[a] < unordered.tids[b];
  });
  std::vector<std::uint32_t> counts(by_tid.size());
  for (const std::uint32_t thread : unordered.thread) ++counts[thread];
  std::vector<std::uint32_t> next(by_tid.size());  // place of each thread's next call
  std::uint32_t place = 0;
  place_backtraces(unordered);
  for (const std::uint32_t thread : by_tid) {
    threads.push_back({unordered.tids[thread], place, place, place + counts[thread]});
    next[thread] = place;
    place += counts[thread];
  }
  std::vector<std::uint32_t> order(unordered.thread.size());
  for (std::uint32_t call = 0; call < order.size(); ++call) {
    order[next[unordered.thread[call]]++] = call;
  }
  release(unordered.thread);
  for (Calls::Thread& thread : threads) {
    thread.last =
        thread.first +
        put_in_order(unordered, std::span(order).subspan(thread.first, thread.end - thread.first),
                     impossible);
  }
  return order;
}

std::vector<CallKind> kinds_of(const std::vector<std::uint32_t>& calls, const Names& names) {
  std::vector<CallKind> by_name(names.size());
  std::vector<bool> known(names.size());
  std::vector<CallKind> kinds;
  kinds.reserve(calls.size());
  for (const std::uint32_t name : calls) {
    if (!known[name]) by_name[name] = call_kind(names.text(name));
    known[name] = true;
    kinds.push_back(by_name[name]);
  }
  return kinds;
}

}  // namespace

ReadCalls read_calls(Database& database, const Names& names, std::optional<Ns> recording_end,
                     Progress* progress) {
  ReadCalls result;
  Unordered unordered = read_rows(database, names, recording_end, {}, progress);
  std::vector<std::uint32_t> impossible;
  std::vector<std::uint32_t> order = order_of(unordered, result.calls.threads, impossible);
  // If the end of the recording is unknown, the trace may have been altered, and its ids need not
  // ascend. So no call is left out as impossible.
  if (recording_end && !impossible.empty()) {
    std::sort(impossible.begin(), impossible.end());
    impossible.erase(std::unique(impossible.begin(), impossible.end()), impossible.end());
    unordered = read_rows(database, names, recording_end, impossible, nullptr);
    result.impossible = static_cast<std::int64_t>(impossible.size());
    result.calls.threads.clear();
    order = order_of(unordered, result.calls.threads, impossible);
  }
  result.invalid = unordered.invalid;
  result.without_thread = unordered.without_thread;
  result.impossible += unordered.late;
  result.rows = unordered.rows;
  result.misnamed = unordered.misnamed;
  Calls& calls = result.calls;
  // Reorders one column at a time, so that at most one column is in memory twice.
  const auto take = [&order](auto& column) {
    auto ordered = gathered(column, order);
    release(column);
    return ordered;
  };
  calls.start = take(unordered.calls.start);
  calls.end = take(unordered.calls.end);
  calls.name = take(unordered.calls.name);
  calls.kind = kinds_of(calls.name, names);
  result.stacks = stacks_of(unordered, calls, order);
  result.issues = IssueIndex(calls, take(unordered.correlation));
  return result;
}

}  // namespace lapscope::analyzer
