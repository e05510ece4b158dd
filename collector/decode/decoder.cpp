#include "collector/decode/decoder.h"

#include "collector/decode/callback_event.h"

namespace lapscope::decode {

Decoder::Decoder(trace::TraceWriter& trace, const cupti::CuptiApi& cupti, std::uint32_t pid,
                 std::int64_t session_start_utc_ns)
    : trace_(trace), cupti_(cupti), context_(trace, cupti, pid, session_start_utc_ns) {
  for (const Kind& kind : recorded_kinds()) {
    schema::RecordsRow row;
    row.kind = kind.id;
    row.name = kind.name;
    row.recordSize = static_cast<std::int64_t>(cupti::probe_record_size(cupti, kind.id));
    tallies_.emplace(kind.id, Tally{&kind, std::move(row)});
  }
}

void Decoder::decode(std::uint8_t* buffer, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  CUptiResult result = CUPTI_SUCCESS;
  while ((result = cupti_.activity_get_next_record(buffer, valid, &record)) == CUPTI_SUCCESS) {
    Tally& tally = tally_of(record->kind);
    ++tally.row.received;
    if (!tally.kind || tally.row.recordSize == 0) {
      add_loss("unknown-kind", 1, tally.row.name);
      continue;
    }
    context_.invalid_timestamps = 0;
    tally.kind->decode(record, static_cast<std::size_t>(*tally.row.recordSize), context_);
    tally.row.invalidTimestamps += context_.invalid_timestamps;
  }
  // A kind that libcupti itself cannot step over hides everything behind it in this buffer.
  if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) {
    add_loss("decode-error", 1, cupti::result_name(cupti_, result));
  }
}

void Decoder::decode(std::span<const callbacks::Event> events) {
  for (const callbacks::Event& event : events) {
    ++tally_of(callbacks::source_of(event)).row.received;
    decode_event(event, context_);
  }
}

Decoder::Tally& Decoder::tally_of(callbacks::Source source) {
  const int kind = -1 - static_cast<int>(source);  // CUPTI's are positive
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
  tally_of(source).row.enableResult = result;
}

void Decoder::add_loss(const std::string& code, std::int64_t count, const std::string& detail) {
  schema::LossRow& row = losses_[code];
  row.code = code;
  row.count += count;
  if (!row.detail && !detail.empty()) row.detail = detail;
}

void Decoder::write_counts() {
  context_.nvtx.write_open([this](const schema::NvtxRow& range) { return trace_.insert(range); });
  std::vector<schema::RecordsRow> records;
  for (const auto& [kind, tally] : tallies_) {
    // What must be asked for and was not is nothing that the trace lacks.
    const bool asked_for = tally.row.enableResult || tally.row.received > 0;
    if (asked_for || !tally.kind || is_default(*tally.kind)) records.push_back(tally.row);
  }
  trace_.replace_all<schema::RecordsRow>(records);
  std::vector<schema::LossRow> losses;
  for (const auto& [code, row] : losses_) losses.push_back(row);
  trace_.replace_all<schema::LossRow>(losses);
}

void Decoder::finish() {
  if (const std::size_t ends = context_.nvtx.unmatched_ends(); ends > 0) {
    add_loss("unmatched-range-ends", static_cast<std::int64_t>(ends),
             "their NVTX ranges were opened before the program first used CUDA");
  }
}

}  // namespace lapscope::decode
