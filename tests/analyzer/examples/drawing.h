#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

// Draws traces as text and writes them as the collector would. A line is a lane: its key, a space
// and its picture (tests/analyzer/support/picture.h). Each lane of the device is a stream of its
// own. Its number is the number of the line, counted from 1, or the number behind the key.
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
// In lanes of the device, '>' behind an op means that the trace lacks its end. '!' is an op whose
// times were lost.
namespace lapscope::test {

// Pairs of a kernel's letter and the percentage of the device that its grid can fill at once.
using Fills = std::vector<std::pair<char, std::int64_t>>;

// Returns the time in ns that a character stands for: 1,000 if a host thread is drawn, otherwise 1.
std::int64_t unit_of(std::string_view drawing);

void write_drawing(const std::filesystem::path& path, std::string_view drawing,
                   const Fills& fills = {});

}  // namespace lapscope::test
