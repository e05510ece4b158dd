#include "collector/decode/stretch.h"

#include <utility>

namespace lapscope::decode {
namespace {

using Trigger = request::Capture::Trigger;

std::int64_t ns(std::chrono::milliseconds time) { return std::chrono::nanoseconds(time).count(); }

std::string name_of_trigger(const request::Capture& wanted) {
  switch (wanted.trigger) {
    case Trigger::profiler_api:
      return "cudaProfilerStart";
    case Trigger::nvtx:
      return "NVTX range " + wanted.range;
    case Trigger::command:
      return "lapscope ctl";
    case Trigger::start:
      break;
  }
  return wanted.delay.count() > 0 ? "delay" : "first use of CUDA";
}

}  // namespace

Stretch::Stretch(request::Capture wanted, std::int64_t first_use)
    : wanted_(std::move(wanted)), first_use_(first_use), is_everything_(wanted_.is_everything()) {
  if (!is_everything_ && wanted_.trigger == Trigger::start) begin(first_use_ + ns(wanted_.delay));
}

void Stretch::begin(std::int64_t time) {
  if (is_everything_ || row_) return;
  if (wanted_.delay.count() > 0 && time < first_use_ + ns(wanted_.delay)) return;
  row_ = schema::StretchRow{time, std::nullopt, name_of_trigger(wanted_), std::nullopt};
  if (wanted_.duration) end(time + ns(*wanted_.duration), "duration");
}

void Stretch::end(std::int64_t time, const std::string& why) {
  if (!row_ || time < row_->start) return;
  if (row_->end && *row_->end <= time) return;
  row_->end = time;
  row_->endedBy = why;
}

bool Stretch::reaches_into(std::int64_t start, std::int64_t end) const {
  if (!row_) return false;
  if (start < 0) start = earliest_;
  if (end < 0) end = latest_;
  return row_->start <= end && (!row_->end || start < *row_->end);
}

}  // namespace lapscope::decode
