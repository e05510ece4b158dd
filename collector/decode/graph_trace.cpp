#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

void decode_graph_trace(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::GraphTrace> graph(record, size);
  schema::GraphTraceRow row;
  std::tie(row.start, row.end) = context.interval(graph->start, graph->end);
  row.deviceId = graph->deviceId;
  row.contextId = graph->contextId;
  row.streamId = graph->streamId;
  row.correlationId = graph->correlationId;
  row.globalPid = context.global_pid();
  row.graphId = row.graphExecId = graph->graphId;
  context.trace.insert(row);
}

}  // namespace lapscope::decode
