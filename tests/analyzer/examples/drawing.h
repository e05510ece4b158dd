#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

// Traces drawn as text, written as the collector would write them. A line is a lane: its key, a
// space, and its picture (tests/analyzer/support/picture.h). A lane of the device is a stream of
// its own, numbered from 1 by line, unless a number stands behind its key.
//
//   K  kernels                               T  a host thread's calls
//   N  communication kernels                 R  NVTX ranges of the thread above, named by letter;
//                                               above all of them, of a thread without calls
//   L  kernels in the legacy default stream  O  overheads of the thread above: p profiler,
//   B  kernels in blocking streams                 m module loading, b command buffer full
//   A  kernels whose streams share a
//      hardware queue                        Calls: S synchronize, M allocate, P page-lock,
//   M  memsets                               Q record an event in the stream of the op before, E
//   H  copies to the device                  make the stream of the next op wait for it, F host
//   W  copies to the device, of pageable     function, X another; < and > switch the profiler on
//      memory                                and off. A small letter is the call that issued the
//   D  copies to the host                    op of that letter, or all of them, when there are
//   P  copies from another device            several: a graph launch. An op without a small
//   C  copies within the device, of          letter has no call.
//      which no channel is known
//   V  copies to the device on a
//      compute channel
//   U  migrations of managed memory
//   I  copies to the device of 1 KiB
//   J  copies to the device of 1 MiB
//   G  launches of one executable graph,
//      which has one kernel
//
// In lanes of the device '>' behind an op means that its end is not in the trace, and '!' is an op
// whose times were lost.
namespace lapscope::test {

// A kernel, by letter, and how much of the device its grid can fill at once, in percent.
using Fills = std::vector<std::pair<char, std::int64_t>>;

// What a character stands for, in ns: a microsecond where a host thread is drawn, else a
// nanosecond.
std::int64_t unit_of(std::string_view drawing);

void write_drawing(const std::filesystem::path& path, std::string_view drawing,
                   const Fills& fills = {});

}  // namespace lapscope::test
