#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Which ops of a device are copies to the host that the work behind them needs nothing of: that
// was issued before the copy had ended, and all that the copy does is on the host.
//
//   thread 1  kdkdkd............       K2 may overwrite what D copies, but cannot use what it
//   stream 1  .KKDDKKDDKKDD.....       wrote
//
// They count where the same ops end in such copies least_rounds of times in a lane, and where what
// comes next does not copy to the device, for it might bring back what was taken out. A kernel
// that reads memory of the host by itself would need them; no trace shows that.
//
// lanes: by op, what puts it into its stream; is_apart: by op, those that are no part of this.
std::vector<bool> copies_left_behind(const Trace& trace, const Device& device,
                                     const std::vector<std::uint32_t>& lanes,
                                     const std::vector<bool>& is_apart);

}  // namespace lapscope::analyzer
