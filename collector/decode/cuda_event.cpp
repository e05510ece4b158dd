#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

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
