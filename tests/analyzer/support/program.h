#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"

// Makes traces in memory from drawn programs: calls of threads and ops of streams.
namespace lapscope::test {

// A drawn program. Each lane has a picture in the format of tests/analyzer/support/picture.h.
// Further lines say what the letters mean:
//
//   thread 1     abc.sssssss.d.        calls
//   loading 1    ..m...........        thread 1 loads code
//   stream 1     .AAAA.....           non-blocking
//   blocking 2   ...CCC....           blocking; also used for a per-thread default stream
//   legacy 7     ..........DDD        the legacy default stream
//   s = cudaDeviceSynchronize
//   BC = h2d, bytes 4096
//
// Options of a lane follow its number: process 2, context 2, device 1, priority -1, or channel 3
// for all ops of a stream. By default, a stream belongs to context 1 of device 0. Ops that overlap
// within a stream need several lanes.
//
// A capital letter is an op, and its small letter is the call that issued it. The n-th call issued
// the n-th run of the letter. If there are several runs and one call, the call is a graph launch,
// which issued all runs. Without a drawn call, the trace has no call for the op.
//
// Options of an op:
// - h2d, d2h, d2d, peer or memset. Without one of these options, the op is a kernel.
// - pageable, bytes N, channel N, named NAME
// - fills N: the grid fills N % of the device. Without this option, the op has no shape.
// - to N: the op writes to device N.
// - by x: call x issued the op.
// - after XY: the op is a node of a graph with recorded edges, and waits for the nodes X and Y. The
//   first nodes of the graph have no `after`. A host function of the graph is "f = host, after XY".
//
// The first option of a call is the name of its function. Other options of a call:
// - stream N, event N, context N. A wait for an event refers to the latest cudaEventRecord of this
//   event. Without `stream N`, the trace lacks the stream of a host function or graph launch.
// - captured, for a host function or graph launch
// - at FILE:LINE: the call has a stack. In it, main made the call at this line.
// - from FILE:LINE, beside `at`: main called a helper at this line. The helper made the call, at
//   the line of `at`.
// - once: only the first call with this letter has the stack.
//
// `samples 1 every 5 ....x....x` is a lane of samples of thread 1, taken every 5 characters. Each
// letter is a sample. Another line has the state and the stack of the sample, innermost frame
// first: "x = running load@data.py:27 main@train.py:9".
class Program {
 public:
  // A character is `unit` ns.
  explicit Program(std::string_view drawing, std::int64_t unit = 10'000);

  analyzer::Trace trace;
  std::int64_t unit;
  // The letters of the ops, for each device. The second op with the letter B is named B2.
  std::vector<std::vector<std::string>> ops;
  std::vector<std::string> calls;  // the letters of the calls, named in the same way
};

}  // namespace lapscope::test
