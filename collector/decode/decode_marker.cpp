#include <utility>

#include "collector/decode/kinds.h"

namespace lapscope::decode {
namespace {

constexpr std::int64_t nvtx_mark = 34;  // ENUM_NSYS_EVENT_TYPE

void write(std::optional<NvtxRanges::Closed> range, DecodeContext& context) {
  if (range) write_range(std::move(*range), context);
}

}  // namespace

void decode_marker(const View<records::Marker>& marker, DecodeContext& context) {
  const std::int64_t thread = schema::global_tid(context.pid, marker->objectId.pt.threadId);
  const std::int64_t time = context.instant(marker->timestamp);
  if (marker->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) {
    write(context.nvtx.end(marker->id, {time, thread}), context);
    return;
  }
  schema::NvtxRow row;
  row.start = time;
  row.rangeId = marker->id;
  row.globalTid = thread;
  row.text = marker->name ? marker->name : "";
  row.domainId = nvtx_domain_id(marker->domain ? marker->domain : "",
                                context.time(marker->timestamp), context);
  if (marker->flags & CUPTI_ACTIVITY_FLAG_MARKER_START) {
    write(context.nvtx.start(std::move(row)), context);
  } else if (context.stretch.keeps(row.start, row.start)) {
    row.eventType = nvtx_mark;
    store_texts(row, context);
    context.trace.insert(row);
  } else {
    context.payloads.take(thread, row.start);
    ++context.markers_outside;
  }
}

}  // namespace lapscope::decode
