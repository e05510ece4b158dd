#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

void decode_synchronization(const void* record, std::size_t size, DecodeContext& context) {
  using cupti::records::Synchronization;
  const cupti::RecordView<Synchronization> sync(record, size);
  schema::SynchronizationRow row;
  std::tie(row.start, row.end) = context.interval(sync->start, sync->end);
  row.deviceId = context.device_of(sync->contextId);
  if (row.deviceId == not_applicable) context.unplaced_contexts.insert(sync->contextId);
  row.contextId = sync->contextId;
  row.streamId = sync->streamId;
  row.correlationId = sync->correlationId;
  row.globalPid = context.global_pid();
  row.syncType = sync->type;
  row.eventId = sync->cudaEventId;
  if (sync.has(&Synchronization::cudaEventSyncId)) {
    row.eventSyncId = static_cast<std::int64_t>(sync->cudaEventSyncId);
  }
  if (sync.has(&Synchronization::returnValue)) row.returnValue = sync->returnValue;
  context.trace.append(row);
}

void decode_cuda_event(const void* record, std::size_t size, DecodeContext& context) {
  using cupti::records::CudaEvent;
  const cupti::RecordView<CudaEvent> event(record, size);
  schema::CudaEventRow row;
  // Without device timestamps the member reads 0: not a lost timestamp, none was asked for.
  if (event->deviceTimestamp != 0) row.timestamp = context.time(event->deviceTimestamp);
  row.deviceId =
      event.has(&CudaEvent::deviceId) ? event->deviceId : context.device_of(event->contextId);
  if (row.deviceId == not_applicable) context.unplaced_contexts.insert(event->contextId);
  row.contextId = event->contextId;
  row.streamId = event->streamId;
  row.correlationId = event->correlationId;
  row.globalPid = context.global_pid();
  row.eventId = event->eventId;
  if (event.has(&CudaEvent::cudaEventSyncId)) {
    row.eventSyncId = static_cast<std::int64_t>(event->cudaEventSyncId);
  }
  context.trace.append(row);
}

}  // namespace lapscope::decode
