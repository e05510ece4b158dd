#include "collector/decode/discard.h"

#include <algorithm>

#include "collector/cupti/record_view.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {
namespace {

template <class Visit>
std::int64_t for_each_record(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti,
                             Visit visit) {
  std::int64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (cupti.activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    visit(*record);
    ++count;
  }
  return count;
}

}  // namespace

std::int64_t count_records(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti) {
  return for_each_record(buffer, valid, cupti, [](const CUpti_Activity&) {});
}

std::int64_t discard(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti) {
  return for_each_record(buffer, valid, cupti, [&cupti](const CUpti_Activity& record) {
    const auto kind = std::ranges::find(recorded_kinds(), record.kind, &Kind::id);
    if (kind == recorded_kinds().end() || !kind->release) return;
    kind->release(&record, cupti::probe_record_size(cupti, record.kind));
  });
}

}  // namespace lapscope::decode
