#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"

// Makes traces in memory from drawn programs: the calls of their threads and the ops of their
// streams.
namespace lapscope::test {

// A program drawn as lanes with a picture each (tests/analyzer/support/picture.h). Further lines
// explain the letters:
//
//   thread 1     abc.sssssss.d.        calls
//   loading 1    ..m...........        code is loaded in thread 1 meanwhile
//   stream 1     .AAAA.....           non-blocking
//   blocking 2   ...CCC....           blocking; also used for a per-thread default stream
//   legacy 7     ..........DDD        the legacy default stream
//   s = cudaDeviceSynchronize
//   BC = h2d, bytes 4096
//
// Options may follow the number of a thread or stream: process 2, context 2, device 1, priority -1,
// channel 3 (of all its ops). By default, a stream belongs to context 1 of device 0. A stream may
// have several lanes if its ops overlap.
//
// A capital letter is an op. The small letter is the call that issued it. The n-th call issued the
// n-th run of a letter. If there are several runs but only one call, the call is a graph launch
// that issued all of them. An op without a drawn call has no call in the trace.
//
// Options of an op: h2d, d2h, d2d, peer, memset; pageable; bytes N; fills N (percentage of the
// device that its grid fills; without it, the op has no shape); channel N; to N (the device that
// the op writes to); by x (the call); named NAME; after XY. With `after XY`, the op is a node of a
// graph with recorded edges and waits for the nodes X and Y. The first nodes of the graph have no
// `after`. In this graph, "f = host, after XY" is a host function.
//
// Options of a call whose function is given: `at FILE:LINE` is the line where main called the
// function. With `once`, it applies to the first call with the letter. If `once` is missing, it
// applies to all calls with the letter. If `from FILE:LINE` follows, main called another function
// at this line, and that function made the call.
//
// Other options of calls are the function's name, and stream N, event N or context N. For a host
// function or graph launch, the stream and a capture are recorded only if they are drawn. As in
// CUDA, an event means its latest cudaEventRecord before the call.
//
// A lane of samples, such as `samples 1 every 5 ....x....x`, samples the thread with this number at
// each character. `every` is the sampling interval in characters. Each letter has a state of the
// thread and the frames of its stack, innermost first:
// x = running load@data.py:27 main@train.py:9.
class Program {
 public:
  // A character is `unit` ns.
  explicit Program(std::string_view drawing, std::int64_t unit = 10'000);

  analyzer::Trace trace;
  std::int64_t unit;
  // The letters of the ops of each device. The second op of a letter is named B2.
  std::vector<std::vector<std::string>> ops;
  std::vector<std::string> calls;  // the letters of the calls, named in the same way
};

}  // namespace lapscope::test
