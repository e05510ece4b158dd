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
//   N  communication kernels                 R  NVTX ranges of the thread above, named by letter
//   M  memsets                               O  overheads of the thread above: p profiler,
//   H  copies to the device                        m module loading, b command buffer full
//   D  copies to the host
//   P  copies from another device            Calls: S synchronize, M allocate, P page-lock,
//   C  copies within the device, of          E make the stream of the next op wait for an event,
//      which no channel is known             F host function, Q another; < and > switch the
//   V  copies to the device on a             profiler on and off. A small letter is the call that
//      compute channel                       issued the op of that letter, or all of them, when
//   U  migrations of managed memory          there are several: a graph launch. An op without a
//                                            small letter has no call.
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
