#include <fstream>
#include <string>

#include "collector/decode/kinds.h"

namespace lapscope::decode {
namespace {

constexpr std::int64_t runtime_class = 0;  // ENUM_NSYS_EVENT_CLASS
constexpr std::int64_t driver_class = 1;   // ENUM_NSYS_EVENT_CLASS

// Writes the name of a thread, once. The name can be read only while the thread lives. If the
// thread has ended, its id is written as its name.
void name_thread(std::uint32_t tid, DecodeContext& context) {
  if (!context.named_threads.insert(tid).second) return;
  std::ifstream comm("/proc/self/task/" + std::to_string(tid) + "/comm");
  std::string name;
  if (!std::getline(comm, name) || name.empty()) name = "thread " + std::to_string(tid);
  schema::ThreadNameRow row;
  row.nameId = context.trace.intern(name);
  row.globalTid = schema::global_tid(context.pid, tid);
  context.trace.append(row);
}

void decode_call(const View<records::Api>& call, CUpti_CallbackDomain domain,
                 std::int64_t event_class, DecodeContext& context) {
  name_thread(call->threadId, context);
  schema::ApiCallRow row;
  std::tie(row.start, row.end) = context.interval(call->start, call->end);
  row.eventClass = event_class;
  row.globalTid = schema::global_tid(context.pid, call->threadId);
  row.correlationId = call->correlationId;
  row.nameId = context.api_names.id(domain, call->cbid);
  row.returnValue = call->returnValue;
  row.cbid = call->cbid;
  context.chains.add_stack(call->correlationId, row);
  context.trace.append(row);
}

}  // namespace

void decode_runtime_call(const View<records::Api>& call, DecodeContext& context) {
  decode_call(call, CUPTI_CB_DOMAIN_RUNTIME_API, runtime_class, context);
}

void decode_driver_call(const View<records::Api>& call, DecodeContext& context) {
  decode_call(call, CUPTI_CB_DOMAIN_DRIVER_API, driver_class, context);
}

}  // namespace lapscope::decode
