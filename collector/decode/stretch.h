#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "collector/request/capture.h"
#include "collector/schema/tables/capture_rows.h"

namespace lapscope::decode {

// The interval of a run that is captured, and what belongs to it. All times are session times in
// ns.
//
//   interval      |------------|
//   kept      [aaaa]  [b]   [cccc]          whole, so that nothing is missing inside
//   dropped  [d]                  [e]
class Stretch {
 public:
  // `first_use` of CUDA is what a delay counts from; NVTX ranges may have begun before.
  explicit Stretch(request::Capture wanted, std::int64_t first_use = 0);

  // The trigger fired, or was released. Only the first of each counts, and none before the delay is
  // over. To be called before what came after it is decoded.
  void begin(std::int64_t time);
  void end(std::int64_t time, const std::string& why);

  // What is decoded next took place in this interval, whether or not it records its own time: for
  // example from the begin of the last flush to now.
  void set_flush_interval(std::int64_t start, std::int64_t end) {
    earliest_ = start;
    latest_ = end;
  }

  // Whether an activity of this interval belongs in the trace. A time of -1 is not known: such an
  // activity is kept if it may have taken place in the captured interval.
  bool keeps(std::int64_t start, std::int64_t end) const {
    return is_everything_ || reaches_into(start, end);
  }
  // The same for what has no time.
  bool keeps_untimed() const { return keeps(-1, -1); }
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
