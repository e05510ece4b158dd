#include "collector/decode/nvtx_ranges.h"

#include <iterator>
#include <utility>

#include "collector/decode/decode_context.h"
#include "collector/decode/kinds.h"
#include "collector/schema/enumeration.h"

namespace lapscope::decode {
namespace {

schema::NvtxRow closed(schema::NvtxRow range, NvtxRanges::End end) {
  range.end = end.time;
  range.eventType = range.globalTid == end.global_tid ? schema::codes::push_pop_range
                                                      : schema::codes::start_end_range;
  if (range.globalTid != end.global_tid) range.endGlobalTid = end.global_tid;
  return range;
}

void write(std::optional<NvtxRanges::Closed> range, DecodeContext& context) {
  if (range) write_range(std::move(*range), context);
}

}  // namespace

std::optional<NvtxRanges::Closed> NvtxRanges::start(schema::NvtxRow range) {
  const std::int64_t id = range.rangeId.value_or(0);
  if (const auto early = early_ends_.find(id); early != early_ends_.end()) {
    const End end = early->second;
    early_ends_.erase(early);
    return Closed{closed(std::move(range), end), std::nullopt};
  }
  range.eventType = schema::codes::push_pop_range;
  open_.insert_or_assign(id, Closed{std::move(range), std::nullopt});
  return std::nullopt;
}

std::optional<NvtxRanges::Closed> NvtxRanges::end(std::int64_t marker_id, End end) {
  const auto open = open_.find(marker_id);
  if (open == open_.end()) {
    early_ends_.insert_or_assign(marker_id, end);
    return std::nullopt;
  }
  Closed range = std::move(open->second);
  open_.erase(open);
  range.row = closed(std::move(range.row), end);
  return range;
}

std::int64_t NvtxRanges::domain(const std::string& name, bool& is_new) {
  is_new = false;
  if (name.empty()) return 0;
  const auto [entry, inserted] =
      domains_.emplace(name, static_cast<std::int64_t>(domains_.size()) + 1);
  is_new = inserted;
  return entry->second;
}

std::int64_t nvtx_domain_id(const std::string& name, std::int64_t time, DecodeContext& context) {
  bool is_new = false;
  const std::int64_t id = context.nvtx.domain(name, is_new);
  if (is_new) {
    schema::NvtxRow row;
    row.start = time;
    row.eventType = schema::codes::nvtx_domain;
    row.text = name;
    row.domainId = id;
    context.trace.insert(row);
  }
  return id;
}

void store_texts(schema::NvtxRow& row, DecodeContext& context) {
  if (row.text) row.textId = context.trace.intern(*row.text);
  row.text.reset();
  if (row.jsonTextId || !row.globalTid) return;
  const std::string json = context.payloads.take(*row.globalTid, row.start);
  if (!json.empty()) row.jsonTextId = context.trace.intern(json);
}

void write_range(NvtxRanges::Closed range, DecodeContext& context) {
  if (range.written_open) context.trace.remove<schema::NvtxRow>(*range.written_open);
  if (context.stretch.keeps(range.row.start, range.row.end.value_or(range.row.start))) {
    store_texts(range.row, context);
    context.trace.insert(range.row);
  } else {
    context.payloads.take(range.row.globalTid.value_or(0), range.row.start);
    // The counter counts records. A range has two records: one of its begin and one of its end. A
    // range that was open when the recording began has a negative id, and only the record of its
    // end.
    context.markers_outside += range.row.rangeId < 0 ? 1 : 2;
  }
}

void PayloadTexts::add(std::int64_t global_tid, std::int64_t begin, std::int64_t end,
                       std::string json) {
  auto& texts = by_thread_[global_tid];
  if (texts.size() == most) {
    texts.erase(texts.begin());
    --waiting_;
    ++dropped_;
  }
  const bool is_new = texts.try_emplace(begin, Text{end, std::move(json)}).second;
  ++(is_new ? waiting_ : dropped_);
}

std::string PayloadTexts::take(std::int64_t global_tid, std::int64_t time) {
  const auto thread = by_thread_.find(global_tid);
  if (thread == by_thread_.end()) return {};
  auto& texts = thread->second;
  const auto later = texts.upper_bound(time);
  if (later == texts.begin()) return {};
  const auto own = std::prev(later);
  if (own->second.end < time) return {};
  // Checks whether `time` is also within an earlier call. This is so if a signal handler made a
  // call in the middle of another call. It is not known to which of the two calls the record
  // belongs.
  if (own != texts.begin() && std::prev(own)->second.end >= time) return {};
  std::string json = std::move(own->second.json);
  texts.erase(own);
  --waiting_;
  return json;
}

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
    row.eventType = schema::codes::nvtx_mark;
    store_texts(row, context);
    context.trace.insert(row);
  } else {
    context.payloads.take(thread, row.start);
    ++context.markers_outside;
  }
}

}  // namespace lapscope::decode
