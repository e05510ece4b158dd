#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The data of a page's timeline, to be deflated: 4 bytes (little endian) with the length of a JSON
// text, that text, and the columns. First come the columns of every lane (start, duration, name,
// bytes, call, others, idle, geometry, cause of the gap before), then those of every thread's calls
// and ranges (start, duration, name, others), in the order of the JSON's lists; others and idle are
// as in thin.h. If samples were taken of a thread, what it was seen to do follows (start, duration,
// name, work). That is not cut by its calls yet, as there may be thousands within. A column is the
// number of its planes, in a byte, and the planes: the lowest bytes of all entries, then the next
// ones. A geometry is 0 for that of the last kernel of its name in the lane, 1 for none, else 2
// more than its place in the list; a cause is 1 more than its place in the list, 0 if it is
// unknown. A start is stored as its difference from the previous end, a call as its difference from
// the previous call; both, and idle, are zigzag-coded. All times are relative to the extent's
// start. page/payload.js reads the data.
//
// `extent` is what is drawn: where times are counted from, and how long it is. Ops and calls are
// thinned out until they take `most_bytes` deflated, about; the JSON says so.
std::string encode_timeline(const analyzer::Report& report, analyzer::Interval extent,
                            std::size_t most_bytes);

}  // namespace lapscope::reports
