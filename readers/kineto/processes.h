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

// Maps the processes and threads of a PyTorch profiler trace to ids of a lapscope trace. Kineto
// does not record the process of an op, so it is taken to be the process that makes the calls.
class Processes {
 public:
  // Returns the globalTid; nothing if `pid` or `tid` is missing. Until settle() is called, the
  // first `pid` that comes with a `tid` is taken as the process of the ops.
  std::optional<std::int64_t> thread_of(std::optional<std::int64_t> pid,
                                        std::optional<std::int64_t> tid);
  void calls(std::int64_t pid) { callers_.insert(pid); }
  void name_process(std::int64_t pid, const std::string& name) { process_names_[pid] = name; }
  void name_thread(std::int64_t pid, std::int64_t tid, const std::string& name) {
    thread_names_[{pid, tid}] = name;
  }

  // The pid of the ops' process, as known so far.
  std::optional<std::int64_t> of_ops() const { return of_ops_; }
  std::optional<std::int64_t> global_of_ops();  // globalPid

  // Must be called after all CUDA calls have been read. Takes the process that made the calls as
  // the process of the ops, and corrects the rows of ops in the database if necessary. If several
  // processes made calls, the process of the ops is unknown.
  void settle(schema::Database& database);
  // The number of processes that made calls; 0 if only one process or no process made calls.
  std::int64_t rivals() const {
    return callers_.size() > 1 ? static_cast<std::int64_t>(callers_.size()) : 0;
  }

  void write_names(trace::TraceWriter& writer) const;

 private:
  using Thread = std::pair<std::int64_t, std::int64_t>;  // pid and tid as written in the file

  std::optional<std::int64_t> of_ops_;
  bool is_any_early_ = false;  // global_of_ops() was called before a process was known
  std::set<std::int64_t> callers_;
  std::map<Thread, std::int64_t> threads_;
  std::pair<Thread, std::int64_t> last_thread_{{-1, -1}, 0};
  std::map<Thread, std::string> thread_names_;
  std::map<std::int64_t, std::string> process_names_;
};

}  // namespace lapscope::kineto
