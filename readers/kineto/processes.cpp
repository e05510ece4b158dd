#include "readers/kineto/processes.h"

#include <string_view>

#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"

namespace lapscope::kineto {
namespace {

// Every Linux thread id is lower than this number. A higher number in a file is the result of
// pthread_self(), which some releases of Kineto write instead of the thread id.
constexpr std::int64_t thread_ids = std::int64_t{1} << 22;

}  // namespace

std::optional<std::int64_t> Processes::thread_of(std::optional<std::int64_t> pid,
                                                 std::optional<std::int64_t> tid) {
  if (!pid || !tid) return std::nullopt;
  if (!of_ops_) of_ops_ = pid;
  if (last_thread_.first != std::pair(*pid, *tid)) {
    auto& known = threads_[{*pid, *tid}];
    if (known == 0) {
      const bool is_id = 0 <= *tid && *tid < thread_ids;
      const std::int64_t own =
          is_id ? *tid : thread_ids + static_cast<std::int64_t>(threads_.size());
      known = schema::global_tid(static_cast<std::uint32_t>(*pid), static_cast<std::uint32_t>(own));
    }
    last_thread_ = {{*pid, *tid}, known};
  }
  return last_thread_.second;
}

std::optional<std::int64_t> Processes::global_of_ops() {
  if (of_ops_) return schema::global_pid(static_cast<std::uint32_t>(*of_ops_));
  is_any_early_ = true;
  return std::nullopt;
}

void Processes::settle(schema::Database& database) {
  auto settled = of_ops_;
  if (!callers_.empty()) settled = *callers_.begin();
  if (callers_.size() > 1) settled.reset();
  if (settled == of_ops_ && !is_any_early_) return;
  of_ops_ = settled;
  const auto global = global_of_ops();
  for (const std::string_view table :
       {schema::describe<schema::KernelRow>.name, schema::describe<schema::MemcpyRow>.name,
        schema::describe<schema::MemsetRow>.name, schema::describe<schema::SynchronizationRow>.name,
        schema::describe<schema::CudaEventRow>.name}) {
    if (!database.has_table(table)) continue;
    database.execute("UPDATE " + std::string(table) +
                     " SET globalPid = " + (global ? std::to_string(*global) : "NULL"));
  }
}

void Processes::write_names(trace::TraceWriter& writer) const {
  std::set<std::int64_t> pids;
  for (const auto& [thread, global] : threads_) {
    pids.insert(thread.first);
    const auto name = thread_names_.find(thread);
    if (name == thread_names_.end()) continue;
    writer.insert(schema::ThreadNameRow{writer.intern(name->second), {}, global});
  }
  for (const std::int64_t pid : pids) {
    const auto name = process_names_.find(pid);
    writer.insert(schema::ProcessRow{
        schema::global_pid(static_cast<std::uint32_t>(pid)), pid,
        name == process_names_.end() ? std::nullopt : std::optional(name->second)});
  }
}

}  // namespace lapscope::kineto
