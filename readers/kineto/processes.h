#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "collector/schema/sqlite.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::kineto {

// The processes and threads of a trace of PyTorch's profiler, in the ids of a lapscope trace.
// Kineto records the process of calls and ranges, but not of ops: ops belong to the process that
// makes the calls.
class Processes {
 public:
  // globalTid; nothing where an id is missing. The first process that has threads is taken for that
  // of the ops until settle().
  std::optional<std::int64_t> thread_of(std::optional<std::int64_t> pid,
                                        std::optional<std::int64_t> tid);
  void calls(std::int64_t pid) { callers_.insert(pid); }
  void name_process(std::int64_t pid, const std::string& name) { process_names_[pid] = name; }
  void name_thread(std::int64_t pid, std::int64_t tid, const std::string& name) {
    thread_names_[{pid, tid}] = name;
  }

  // The pid of the process that ops belong to, as far as it is known by now.
  std::optional<std::int64_t> of_ops() const { return of_ops_; }
  std::optional<std::int64_t> global_of_ops();  // globalPid

  // To be called when all calls are known: corrects what global_of_ops() had returned in the rows
  // of ops. If several processes made calls, it is not known which process an op belongs to.
  void settle(schema::Database& database);
  // How many processes made calls, where that is more than one.
  std::int64_t rivals() const {
    return callers_.size() > 1 ? static_cast<std::int64_t>(callers_.size()) : 0;
  }

  void write_names(trace::TraceWriter& writer) const;

 private:
  using Thread = std::pair<std::int64_t, std::int64_t>;  // pid and tid, as they are written

  std::optional<std::int64_t> of_ops_;
  bool is_any_early_ = false;  // it was asked for before a process was known
  std::set<std::int64_t> callers_;
  std::map<Thread, std::int64_t> threads_;
  std::pair<Thread, std::int64_t> last_thread_{{-1, -1}, 0};
  std::map<Thread, std::string> thread_names_;
  std::map<std::int64_t, std::string> process_names_;
};

}  // namespace lapscope::kineto
