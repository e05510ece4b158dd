#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

// Draws traces as text and writes them as the collector would. A line is a lane: its key, a space
// and its picture (tests/analyzer/support/picture.h). Each lane of the device is a stream. The
// number behind the key is the stream's number. By default, it is the number of the line.
//
//   K  kernels                               T  a host thread's calls
//   N  communication kernels                 R  NVTX ranges of the thread above, named by letter;
//                                               if no thread is above: of a thread without calls
//   L  kernels in the legacy default stream  O  overheads of the thread above: p profiler,
//   B  kernels in blocking streams              m module loading, b command buffer full
//   A  kernels whose streams share a
//      hardware queue                        Calls: S synchronize, M allocate, P page-lock,
//   M  memsets                               Q record an event in the stream of the op before,
//   H  copies to the device                  E make the stream of the next op wait for the event,
//   W  copies to the device, of pageable     F host function, X another call. < and > switch the
//      memory                                profiler on and off. A small letter is the call that
//   D  copies to the host                    issued the op of this letter. If there are several
//   P  copies from another device            such ops, the call is a graph launch that issued all
//   C  copies within the device, of          of them. An op without a small letter has no call.
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

// Kernels by letter, and the percentage of the device that the grid of each can fill at once.
using Fills = std::vector<std::pair<char, std::int64_t>>;

// Returns the length of a character in ns: 1,000 for a drawing with a host thread, otherwise 1.
std::int64_t unit_of(std::string_view drawing);

void write_drawing(const std::filesystem::path& path, std::string_view drawing,
                   const Fills& fills = {});

}  // namespace lapscope::test
