#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"

// Programs drawn as text: what their threads called and what their streams did, as a trace in
// memory.
namespace lapscope::test {

// Lanes with a picture each (tests/analyzer/support/picture.h), and lines that say what a letter
// is:
//
//   thread 1     abc.sssssss.d.        calls
//   loading 1    ..m...........        code is loaded in thread 1 meanwhile
//   stream 1     .AAAA.....           non-blocking
//   blocking 2   ...CCC....           blocking; a per-thread default stream is drawn so, too
//   legacy 7     ..........DDD        the legacy default stream
//   s = cudaDeviceSynchronize
//   BC = h2d, bytes 4096
//
// Behind the number of a thread or stream may stand: process 2, context 2, device 1, priority -1,
// channel 3 (of all its ops). A stream belongs to context 1 of device 0 unless it says else, and
// may have several lanes, if its ops overlap.
//
// A capital letter is an op, the small one the call that issued it. The n-th run of a letter was
// issued by the n-th call, or all of them by the only one, which is a graph launch then. An op for
// which no call is drawn has none in the trace. An op may have: h2d, d2h, d2d, peer, memset;
// pageable; bytes N; fills N (percent of the device that its grid fills; it has no shape
// otherwise); channel N; to N (device that is written to); by x (the call); named NAME; after XY
// (the op is in a graph whose edges are recorded: the nodes that it waits for; nodes without it
// begin the graph). In such a graph f = host, after XY is a host function.
//
// A call that says which function it is may have: at FILE:LINE, where main called it (all of its
// letter, or with `once` the first alone); then from FILE:LINE, where main called the function that
// did.
//
// Other calls say which function they are, and the stream N, event N or context N. For a host
// function or graph launch the stream is recorded only if it is drawn, and so is that it was
// captured. An event stands for the latest cudaEventRecord of it before the call, as in CUDA.
//
// A lane of samples has a look at the thread of its number for each character, `every` so many of
// them, as `samples 1 every 5 ....x....x`. For each of its letters the state of the thread is
// given, then the frames of its stack, innermost first: x = running load@data.py:27
// main@train.py:9.
class Program {
 public:
  // A character stands for `unit` ns.
  explicit Program(std::string_view drawing, std::int64_t unit = 10'000);

  analyzer::Trace trace;
  std::int64_t unit;
  // For each op of each device: its letter; the second op of a letter is B2.
  std::vector<std::vector<std::string>> ops;
  std::vector<std::string> calls;  // likewise
};

}  // namespace lapscope::test
