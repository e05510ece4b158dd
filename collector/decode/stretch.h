#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "collector/request/request.h"
#include "collector/schema/tables/capture_rows.h"

namespace lapscope::decode {

// The captured interval of a run. Decides which activities belong in the trace. All times are
// session times in ns.
//
//   interval      |------------|
//   kept      [aaaa]  [b]   [cccc]          with their whole duration
//   dropped  [d]                  [e]
class Stretch {
 public:
  // `first_use` is the time of the first use of CUDA. A delay of the capture starts at this time.
  // begin() can get an earlier time, because an NVTX range can begin before the first use of CUDA.
  explicit Stretch(request::Capture wanted, std::int64_t first_use = 0);

  // begin() and end() set the limits of the interval. The interval begins at the time of the first
  // begin() after the delay. It ends at the earliest time that was passed to end().
  // Activities that took place after `time` must be decoded after the call.
  void begin(std::int64_t time);
  void end(std::int64_t time, const std::string& why);

  // States that all activities in the next records took place between `start` and `end`. For
  // example, `start` is the begin of the previous flush, and `end` is now. keeps() uses these times
  // in place of unknown times.
  void set_flush_interval(std::int64_t start, std::int64_t end) {
    earliest_ = start;
    latest_ = end;
  }

  // Returns whether an activity from `start` to `end` belongs in the trace. A time of -1 is
  // unknown. In doubt, the activity belongs in the trace.
  bool keeps(std::int64_t start, std::int64_t end) const {
    return is_everything_ || reaches_into(start, end);
  }
  // Returns whether an activity belongs in the trace if none of its times is known.
  bool keeps_untimed() const { return keeps(-1, -1); }
  // Returns whether the interval ended at this time or earlier.
  bool has_ended_by(std::int64_t time) const { return row_ && row_->end && *row_->end <= time; }
  bool has_begun() const { return is_everything_ || row_; }

  bool is_everything() const { return is_everything_; }
  const request::Capture& wanted() const { return wanted_; }
  const std::optional<schema::StretchRow>& row() const { return row_; }

 private:
  bool reaches_into(std::int64_t start, std::int64_t end) const;

  const request::Capture wanted_;
  const std::int64_t first_use_;
  const bool is_everything_;
  std::optional<schema::StretchRow> row_;
  std::int64_t earliest_ = 0;
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace lapscope::decode
