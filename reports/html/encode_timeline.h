#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns the data of a page's timeline, before compression: the length of a JSON text in 4 bytes
// (little-endian), the JSON text, and columns in the order of the lists in the JSON. All times are
// relative to the start of `extent`. page/payload.js reads the data.
//
// Each lane has the columns start, duration, name, bytes, call, others, idle, geometry, and cause
// (of the gap before the op). Each thread has columns for its calls (start, duration, name, others,
// site), for its NVTX ranges (start, duration, name, others) and, if it was sampled, for its
// samples (start, duration, name, work). A sampled interval may contain thousands of calls.
// page/payload.js splits the interval at these calls.
//
// A column begins with the number of its byte planes, in one byte. The first plane has the lowest
// byte of all entries, the next plane the second byte, and so on. Indices refer to the lists in the
// JSON. The values are:
// - start: the difference from the end of the previous entry, zigzag-coded
// - call: the difference from the call of the previous entry, zigzag-coded
// - others and idle: see thin.h; idle is zigzag-coded
// - geometry: 0 if it is the same as in the lane's previous op of this name, otherwise 1 if the op
//   has none, otherwise 2 + its index
// - site: 0 if it is the same as in the thread's previous call of this name, otherwise 1 if it is
//   unknown, otherwise 2 + its index
// - cause: 0 if it is unknown, otherwise 1 + its index
//
// `extent` is the interval that is drawn. Ops and calls are thinned out until they take about
// `most_bytes` compressed. The member `thinned` of the JSON shows whether this happened.
std::string encode_timeline(const analyzer::Report& report, analyzer::Interval extent,
                            std::size_t most_bytes);

}  // namespace lapscope::reports
