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
// Options may follow the number of a thread or stream: process 2, context 2, device 1, priority -1,
// or channel 3 for all ops of a stream. A stream belongs to context 1 of device 0 by default. Ops
// that overlap within a stream need several lanes.
//
// A capital letter is an op, and its small letter is the call that issued it. The n-th call issued
// the n-th run of the letter. If there are several runs and one call, the call is a graph launch,
// which issued all runs. Without a drawn call, the trace has no call for the op.
//
// Options of an op: h2d, d2h, d2d, peer, memset; pageable; bytes N; fills N (the grid fills N % of
// the device; without it, an op has no shape); channel N; to N (the device that the op writes to);
// by x (the call); named NAME; after XY. With `after XY`, the op is a node of a graph with recorded
// edges, and waits for the nodes X and Y. First nodes have no `after`. "f = host, after XY" is a
// host function in this graph.
//
// An option of a call with a named function is `at FILE:LINE`: the line of main that called it. It
// applies to all calls with the letter, or to the first one with `once`. With `from FILE:LINE`,
// main called a helper at this line, and the helper made the CUDA call.
//
// Other options of calls: the function's name, and stream N, event N or context N. The stream and
// the capture of a host function or graph launch are recorded only if drawn. A wait for an event
// refers to the latest cudaEventRecord of this event.
//
// `samples 1 every 5 ....x....x` is a lane of samples of thread 1, taken every 5 characters. Each
// letter is a sample. A further line gives its state and stack, innermost frame first: "x = running
// load@data.py:27 main@train.py:9".
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
