#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns the data of a page's timeline, before compression. It begins with the length of a JSON
// text in 4 bytes (little-endian). The JSON text follows, and then the columns, in the order of the
// lists in the JSON. All times are relative to the start of `extent`. page/payload.js reads the
// data.
//
// Each lane has the columns start, duration, name, bytes, call, others, idle, geometry, and cause
// (of the gap before the op). Each thread has columns for its calls (start, duration, name, others,
// site). It also has columns for its NVTX ranges (start, duration, name, others). If the thread was
// sampled, columns for its samples follow (start, duration, name, work). A sampled interval may
// contain thousands of calls. The reader splits the interval at these calls.
//
// A column begins with one byte that has the number of its byte planes. The first plane has the
// lowest byte of all entries, the next plane the second byte, and so on. Indices refer to the lists
// in the JSON. The values are:
// - start: the difference from the end of the previous entry, zigzag-coded
// - call: the difference from the call of the previous entry, zigzag-coded
// - others and idle: see thin.h; idle is zigzag-coded
// - geometry: 0 if the lane's previous op of this name has the same geometry; if not, 2 + the index
//   of the geometry, or 1 if the op has no geometry
// - site: 0 if the thread's previous call of this name has the same site; if not, 2 + the index of
//   the site, or 1 if the site is unknown
// - cause: 1 + the index of the cause, or 0 if the cause is unknown
//
// `extent` is the interval that is drawn. Ops and calls are thinned out until they take about
// `most_bytes` compressed. The JSON says whether this happened.
std::string encode_timeline(const analyzer::Report& report, analyzer::Interval extent,
                            std::size_t most_bytes);

}  // namespace lapscope::reports
