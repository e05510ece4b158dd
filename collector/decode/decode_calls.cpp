#include <fstream>
#include <string>
#include <tuple>

#include "collector/decode/kinds.h"
#include "collector/schema/enumeration.h"

namespace lapscope::decode {
namespace {

// Writes the name of a thread, unless it has already been written. The name can be read only while
// the thread exists. If the thread has ended, writes "thread" and its id instead.
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

// Returns the context in which the stream was made. If this context is not known, returns
// `current`, the current context of the thread, which may be another context.
std::uint32_t context_of(std::optional<std::uint32_t> stream, std::uint32_t current,
                         const DecodeContext& context) {
  const auto known = context.context_of_stream.find(stream.value_or(not_applicable));
  return known == context.context_of_stream.end() ? current : known->second;
}

}  // namespace

void decode_runtime_call(const View<records::Api>& call, DecodeContext& context) {
  decode_call(call, CUPTI_CB_DOMAIN_RUNTIME_API, schema::codes::runtime_call, context);
}

void decode_driver_call(const View<records::Api>& call, DecodeContext& context) {
  decode_call(call, CUPTI_CB_DOMAIN_DRIVER_API, schema::codes::driver_call, context);
}

void decode_synchronization(const View<records::Synchronization>& sync, DecodeContext& context) {
  schema::SynchronizationRow row;
  std::tie(row.start, row.end) = context.interval(sync->start, sync->end);
  row.deviceId = context.device_of_wait(sync->contextId);
  row.contextId = sync->contextId;
  row.streamId = sync->streamId;
  row.correlationId = sync->correlationId;
  row.globalPid = context.global_pid();
  row.syncType = sync->type;
  row.eventId = sync->cudaEventId;
  if (sync.has(&records::Synchronization::cudaEventSyncId)) {
    row.eventSyncId = static_cast<std::int64_t>(sync->cudaEventSyncId);
  }
  if (sync.has(&records::Synchronization::returnValue)) row.returnValue = sync->returnValue;
  context.trace.append(row);
}

void decode_cuda_event(const View<records::CudaEvent>& event, DecodeContext& context) {
  schema::CudaEventRow row;
  // deviceTimestamp is 0 if lapscope did not ask for device timestamps. So this 0 does not mean
  // that a timestamp was lost.
  if (event->deviceTimestamp != 0) row.timestamp = context.time(event->deviceTimestamp);
  row.deviceId = event.has(&records::CudaEvent::deviceId) && event->deviceId != not_applicable
                     ? event->deviceId
                     : context.device_of_wait(event->contextId);
  row.contextId = event->contextId;
  row.streamId = event->streamId;
  row.correlationId = event->correlationId;
  row.globalPid = context.global_pid();
  row.eventId = event->eventId;
  if (event.has(&records::CudaEvent::cudaEventSyncId)) {
    row.eventSyncId = static_cast<std::int64_t>(event->cudaEventSyncId);
  }
  context.trace.append(row);
}

bool write(const callbacks::Wait& wait, DecodeContext& context) {
  using Kind = callbacks::Wait::Kind;
  schema::SynchronizationRow row;
  std::tie(row.start, row.end) = context.interval(wait.begin, wait.end);
  if (!context.stretch.keeps(row.start, row.end)) return false;
  std::uint32_t cuda_context = context_of(wait.stream, wait.context, context);
  row.eventId = row.eventSyncId.emplace(not_applicable);
  if (wait.kind == Kind::event || wait.kind == Kind::stream_wait_event) {
    const EventNumbers::Event& event = context.events.of(wait.event);
    row.eventId = event.id;
    row.eventSyncId = wait.is_captured ? 0 : event.last_record;
    if (wait.kind == Kind::event && event.context != 0) cuda_context = event.context;
  }
  row.contextId = cuda_context;
  row.deviceId = context.device_of_wait(cuda_context);
  row.streamId = wait.stream.value_or(not_applicable);
  row.correlationId = wait.correlation;
  row.globalPid = context.global_pid();
  row.syncType = static_cast<std::int64_t>(wait.kind);
  row.returnValue = wait.result;
  context.trace.append(row);
  return true;
}

// Writes the row of a cudaEventRecord call. Events of this type have no time, so it is not known
// whether they lie in a captured interval. They are used only if the whole run is captured, or if
// nothing is recorded between captures. In all other runs, CUPTI's records report these calls.
bool write(const callbacks::EventRecord& record, DecodeContext& context) {
  const EventNumbers::Event& event = context.events.record(record.event, record.is_captured);
  if (!context.stretch.keeps_untimed()) return false;
  schema::CudaEventRow row;
  row.contextId = context_of(record.stream, record.context, context);
  row.deviceId = context.device_of_wait(static_cast<std::uint32_t>(row.contextId));
  row.streamId = record.stream.value_or(not_applicable);
  row.correlationId = record.correlation;
  row.globalPid = context.global_pid();
  row.eventId = event.id;
  row.eventSyncId = event.last_record;
  context.trace.append(row);
  return true;
}

}  // namespace lapscope::decode
