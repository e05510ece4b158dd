#include "collector/decode/target_records.h"

#include <algorithm>
#include <cstring>

#include "collector/decode/kinds.h"

namespace lapscope::decode {

void TargetRecords::take(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti) {
  CUpti_Activity* record = nullptr;
  while (cupti.activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (!is_of_target(record->kind) || records_.size() >= most) continue;
    const std::size_t size = cupti::probe_record_size(cupti, record->kind);
    if (size == 0) continue;
    Record& kept = records_.emplace_back();
    kept.size = size;
    kept.bytes.resize((size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    std::memcpy(kept.bytes.data(), record, size);
  }
}

bool TargetRecords::has_context() const {
  return std::any_of(records_.begin(), records_.end(), [](const Record& record) {
    return record.activity().kind == CUPTI_ACTIVITY_KIND_CONTEXT;
  });
}

}  // namespace lapscope::decode
