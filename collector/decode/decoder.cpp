#include "collector/decode/decoder.h"

#include <limits>
#include <utility>

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/nvtx/payload_json.h"

namespace lapscope::decode {
namespace {

// Frees the memory that a record owns when this object is destroyed, even if decoding throws.
class Released {
 public:
  Released(const Kind& kind, const void* record, std::size_t size)
      : kind_(kind), record_(record), size_(size) {}
  ~Released() {
    if (kind_.release) kind_.release(record_, size_);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  const Kind& kind_;
  const void* record_;
  std::size_t size_;
};

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();

}  // namespace

Decoder::Decoder(trace::TraceWriter& trace, const cupti::CuptiApi& cupti, std::uint32_t pid,
                 std::int64_t session_start_utc_ns, request::Capture capture,
                 std::int64_t first_use)
    : trace_(trace),
      cupti_(cupti),
      context_(trace, cupti, pid, session_start_utc_ns, std::move(capture), first_use) {
  for (const Kind& kind : recorded_kinds()) {
    schema::RecordsRow row;
    row.kind = kind.id;
    row.name = kind.name;
    const std::size_t size = cupti::probe_record_size(cupti, kind.id);
    row.recordSize = static_cast<std::int64_t>(size);
    if (!context_.stretch.is_everything()) row.outside = 0;
    tallies_.emplace(kind.id, Tally{&kind, std::move(row), size});
  }
}

void Decoder::decode(std::uint8_t* buffer, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  CUptiResult result = CUPTI_SUCCESS;
  while ((result = cupti_.activity_get_next_record(buffer, valid, &record)) == CUPTI_SUCCESS) {
    if (has_targets_apart_ && is_of_target(record->kind)) continue;
    Tally& tally = tally_of(record->kind);
    if (!tally.kind || tally.record_size == 0) {
      ++tally.row.received;
      add_loss("unknown-kind", 1, tally.row.name);
      continue;
    }
    const Released released(*tally.kind, record, tally.record_size);
    // Callbacks replace this kind. CUPTI delivers its records nevertheless if another CUPTI client
    // has enabled the kind.
    if (tally.is_told_by_callbacks) continue;
    if (!keeps(*tally.kind, record, tally.record_size)) {
      ++*tally.row.outside;
      continue;
    }
    decode_one(*record, *tally.kind, tally.row, tally.record_size);
  }
  // libcupti stopped at a record of an unknown kind. All later records of the buffer are lost.
  if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) {
    add_loss("decode-error", 1, cupti::result_name(cupti_, result));
  }
}

void Decoder::decode_one(const CUpti_Activity& record, const Kind& kind, schema::RecordsRow& row,
                         std::size_t size) {
  ++row.received;
  context_.invalid_timestamps = 0;
  kind.decode(&record, size, context_);
  row.invalidTimestamps += context_.invalid_timestamps;
}

void Decoder::decode_targets(std::span<const TargetRecords::Record> records) {
  for (const TargetRecords::Record& record : records) {
    Tally& tally = tally_of(record.activity().kind);
    decode_one(record.activity(), *tally.kind, tally.row, record.size);
  }
}

bool Decoder::keeps(const Kind& kind, const void* record, std::size_t size) const {
  if (context_.stretch.is_everything() || !kind.times) return true;
  const Times times = kind.times(record, size);
  return context_.stretch.keeps(context_.time(times.start), context_.time(times.end));
}

template <class Visit>
void Decoder::for_each_marker(std::span<const std::span<std::uint8_t>> buffers,
                              const Visit& visit) const {
  const std::size_t size = tallies_.at(CUPTI_ACTIVITY_KIND_MARKER).record_size;
  for (const std::span<std::uint8_t> buffer : buffers) {
    CUpti_Activity* record = nullptr;
    while (cupti_.activity_get_next_record(buffer.data(), buffer.size(), &record) ==
           CUPTI_SUCCESS) {
      if (record->kind != CUPTI_ACTIVITY_KIND_MARKER) continue;
      const cupti::RecordView<cupti::records::Marker> marker(record, size);
      visit(*marker.operator->(), context_.time(marker->timestamp));
    }
  }
}

// Searches all buffers for the begin of the range before it searches them for the end, because the
// buffers are not in the order of time.
void Decoder::find_range(std::span<const std::span<std::uint8_t>> buffers) {
  Stretch& stretch = context_.stretch;
  const std::string& wanted = stretch.wanted().range;
  if (!stretch.has_begun()) {
    std::map<std::int64_t, std::int64_t> begun;  // ids of ranges, by time
    for_each_marker(buffers, [&](const auto& marker, std::int64_t time) {
      const bool starts = (marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0;
      if (starts && marker.name && marker.name == wanted) begun.emplace(time, marker.id);
    });
    for (const auto& [time, id] : begun) {
      stretch.begin(time);
      if (!stretch.has_begun()) continue;  // the delay is not over
      range_id_ = id;
      break;
    }
  }
  if (!stretch.has_begun()) return;
  for_each_marker(buffers, [&](const auto& marker, std::int64_t time) {
    const bool ends = (marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0;
    if (ends && marker.id == range_id_) stretch.end(time, "NVTX range " + wanted);
  });
}

void Decoder::decode(std::span<const callbacks::Event> events) {
  for (const callbacks::Event& event : events) decode_one(event);
}

void Decoder::decode_one(const callbacks::Event& event) {
  if (const auto* enabled = std::get_if<callbacks::EnabledKind>(&event)) {
    set_enable_result(static_cast<CUpti_ActivityKind>(enabled->kind),
                      static_cast<CUptiResult>(enabled->result));
    return;
  }
  if (const auto* end = std::get_if<callbacks::EarlyRangeEnd>(&event)) {
    close_early(*end);
    return;
  }
  const callbacks::Source source = callbacks::source_of(event);
  if (source == callbacks::Source::none) {
    decode_event(event, context_);
    return;
  }
  Tally& tally = tally_of(source);
  if (kind_of(source) && !tally.is_told_by_callbacks) return;  // CUPTI's records have these events
  context_.invalid_timestamps = 0;
  if (decode_event(event, context_)) {
    ++tally.row.received;
    tally.row.invalidTimestamps += context_.invalid_timestamps;
  } else {
    tally.row.outside = tally.row.outside.value_or(0) + 1;
  }
}

void Decoder::add_payloads(std::span<const nvtx::RawPayload> payloads) {
  for (const nvtx::RawPayload& payload : payloads) {
    std::string json = nvtx::payload_json(*payload.schema, payload.content(),
                                          nvtx::range_payloads().schemas(), payload.domain);
    if (json.empty()) continue;
    context_.payloads.add(schema::global_tid(context_.pid, payload.thread),
                          context_.time(payload.begin), context_.time(payload.end),
                          std::move(json));
  }
}

void Decoder::open_early(std::span<const nvtx::EarlyRanges::Range> ranges) {
  const request::Capture& wanted = context_.stretch.wanted();
  for (const nvtx::EarlyRanges::Range& range : ranges) {
    const std::int64_t time = context_.time(range.time);
    const bool is_wanted =
        wanted.trigger == request::Capture::Trigger::nvtx && range.text == wanted.range;
    if (is_wanted && !context_.stretch.has_begun()) {
      context_.stretch.begin(time);
      if (context_.stretch.has_begun()) range_id_ = range.id;
    }
    schema::NvtxRow row;
    row.start = time;
    row.rangeId = range.id;
    row.globalTid = schema::global_tid(context_.pid, range.thread);
    row.textId = trace_.intern(range.text);
    row.domainId = nvtx_domain_id(range.domain, time, context_);
    context_.nvtx.start(std::move(row));
  }
}

void Decoder::close_early(const callbacks::EarlyRangeEnd& end) {
  const std::int64_t time = context_.time(end.time);
  if (end.range == range_id_) {
    context_.stretch.end(time, "NVTX range " + context_.stretch.wanted().range);
  }
  const auto range =
      context_.nvtx.end(end.range, {time, schema::global_tid(context_.pid, end.thread)});
  if (range) write_range(*range, context_);
  ++early_ends_;
}

// Sets the device in rows of waits and events that were written before the record of their context.
// Only the record of the context contains the device.
void Decoder::place_waits() {
  auto& unplaced = context_.unplaced_contexts;
  for (auto context = unplaced.begin(); context != unplaced.end();) {
    const std::uint32_t device = context_.device_of(*context);
    if (device == not_applicable) {
      ++context;
      continue;
    }
    trace_.set_device<schema::SynchronizationRow>(*context, device, not_applicable);
    trace_.set_device<schema::CudaEventRow>(*context, device, not_applicable);
    context = unplaced.erase(context);
  }
}

// Sets the id of the GPU in each row of a link. Before this call, the row contains only the uuid of
// the GPU.
void Decoder::name_linked_gpus() {
  const std::string links(schema::describe<schema::LinkRow>.name);
  const std::string gpus(schema::describe<schema::GpuRow>.name);
  schema::Database& database = trace_.database();
  if (!database.has_table(links) || !database.has_table(gpus)) return;
  database.execute("UPDATE " + links + " SET gpuId = (SELECT min(id) FROM " + gpus +
                   " WHERE uuid = " + links + ".uuid)");
}

Decoder::Tally& Decoder::tally_of(callbacks::Source source) {
  if (const auto in_its_place = kind_of(source)) return tally_of(*in_its_place);
  const int kind = -1 - static_cast<int>(source);  // numbers of CUPTI's kinds are positive
  const auto known = tallies_.find(kind);
  if (known != tallies_.end()) return known->second;
  schema::RecordsRow row;
  row.kind = kind;
  row.name = name_of(source);
  return tallies_.emplace(kind, Tally{nullptr, std::move(row)}).first->second;
}

Decoder::Tally& Decoder::tally_of(CUpti_ActivityKind kind) {
  const auto known = tallies_.find(kind);
  if (known != tallies_.end()) return known->second;
  schema::RecordsRow row;
  row.kind = kind;
  row.name = "kind " + std::to_string(static_cast<int>(kind));
  return tallies_.emplace(kind, Tally{nullptr, std::move(row)}).first->second;
}

void Decoder::set_enable_result(CUpti_ActivityKind kind, CUptiResult result) {
  tally_of(kind).row.enableResult = result;
}

void Decoder::set_enable_result(callbacks::Source source, CUptiResult result) {
  Tally& tally = tally_of(source);
  tally.row.enableResult = result;
  if (!kind_of(source)) return;
  tally.is_told_by_callbacks = true;
  tally.row.recordSize.reset();
}

void Decoder::add_loss(const std::string& code, std::int64_t count, const std::string& detail) {
  schema::LossRow& row = losses_[code];
  row.code = code;
  row.count += count;
  if (!row.detail && !detail.empty()) row.detail = detail;
}

void Decoder::write_counts() {
  place_waits();
  const Stretch& stretch = context_.stretch;
  std::int64_t markers_outside = context_.markers_outside;
  context_.nvtx.write_open([&](schema::NvtxRow& range) -> std::optional<std::int64_t> {
    if (stretch.has_begun() && stretch.keeps(range.start, latest)) {
      store_texts(range, context_);
      return trace_.insert(range);
    }
    if (range.rangeId >= 0) ++markers_outside;
    return std::nullopt;
  });
  if (!stretch.is_everything()) {
    std::vector<schema::StretchRow> stretches;
    if (stretch.row()) stretches.push_back(*stretch.row());
    trace_.replace_all<schema::StretchRow>(stretches);
  }
  std::vector<schema::RecordsRow> records;
  for (const auto& [kind, tally] : tallies_) {
    // Leaves out optional kinds that were not enabled, because users do not expect their records in
    // the trace.
    const bool asked_for = tally.row.enableResult || tally.row.received > 0;
    if (asked_for || !tally.kind || is_default(*tally.kind)) records.push_back(tally.row);
    if (kind != CUPTI_ACTIVITY_KIND_MARKER || markers_outside == 0) continue;
    records.back().received -= markers_outside;
    records.back().outside = records.back().outside.value_or(0) + markers_outside;
  }
  trace_.replace_all<schema::RecordsRow>(records);
  context_.chains.write_counts();
  std::vector<schema::LossRow> losses;
  for (const auto& [code, row] : losses_) losses.push_back(row);
  trace_.replace_all<schema::LossRow>(losses);
}

void Decoder::finish() {
  // early_ends_ counts the ends of ranges that were open when the recording began. These ends are
  // not losses.
  const auto ends = static_cast<std::int64_t>(context_.nvtx.unmatched_ends()) - early_ends_;
  if (ends > 0) {
    add_loss("unmatched-range-ends", ends,
             "their NVTX ranges were opened before the program first used CUDA");
  }
  name_linked_gpus();
}

}  // namespace lapscope::decode
