#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"

// Makes traces in memory from drawn programs: the calls of their threads and the ops of their
// streams.
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
// or channel 3 for all ops of a stream. By default, a stream belongs to context 1 of device 0. If
// ops of a stream overlap, draw the stream in several lanes.
//
// A capital letter is an op. The small letter is the call that issued it. The n-th call issued the
// n-th run of a letter. If a letter has several runs but only one call, this call is a graph launch
// and issued all runs. If the call is not drawn, the trace has no call for the op.
//
// Options of an op: h2d, d2h, d2d, peer, memset; pageable; bytes N; fills N (the grid fills N % of
// the device; an op without this option has no shape); channel N; to N (the device that the op
// writes to); by x (the call); named NAME; after XY. With `after XY`, the op is a node of a graph
// with recorded edges. It waits for the nodes X and Y. The first nodes of the graph have no
// `after`. "f = host, after XY" is a host function in this graph.
//
// If the function of a call is given, `at FILE:LINE` is the line of main that called it. This
// applies to all calls with the letter. With `once`, it applies only to the first call with the
// letter. If `from FILE:LINE` follows, main called a helper function at this line. The helper
// function made the CUDA call.
//
// Other options of calls are the function's name, and stream N, event N or context N. For a host
// function or graph launch, the stream and a capture are recorded only if they are drawn. A wait
// for an event refers to the latest cudaEventRecord of this event before the wait, as in CUDA.
//
// `samples 1 every 5 ....x....x` is a lane of samples of thread 1. Each letter is one sample.
// `every` is the sampling interval in characters. A further line says which state and stack the
// letter means, with the innermost frame first: "x = running load@data.py:27 main@train.py:9".
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
