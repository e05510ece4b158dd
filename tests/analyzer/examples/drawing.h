#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

// Draws traces as text and writes them as the collector would. A line is a lane: its key, a space
// and its picture (tests/analyzer/support/picture.h).
//
// Each lane of the device is a stream. A number in the key, as in "K7", is the number of the
// stream. By default, the streams are numbered from 1 in the order of the lines.
//
//   K  kernels
//   N  communication kernels
//   L  kernels in the legacy default stream
//   B  kernels in blocking streams
//   A  kernels whose streams share a hardware queue
//   G  launches of one executable graph, which has one kernel
//   M  memsets
//   H  copies to the device
//   W  copies to the device from pageable memory
//   V  copies to the device on a compute channel
//   I  copies to the device, of 1 KiB
//   J  copies to the device, of 1 MiB
//   D  copies to the host
//   P  copies from another device
//   C  copies within the device, on an unknown channel
//   U  migrations of managed memory
//
// In lanes of the device, '>' after an op means that the trace lacks the end of this op. '!' is an
// op whose times were lost.
//
// Lanes of the host:
//
//   T  calls of a thread
//   R  NVTX ranges of the thread above, named by letter. Without a thread above, they belong to a
//      thread that has no calls
//   O  overheads of the thread above: p profiler, m module loading, b command buffer full
//
// Calls are drawn with these letters:
//
//   S  synchronize
//   M  allocate
//   P  page-lock
//   Q  record an event in the stream of the thread's previous op
//   E  make the stream of the thread's next op wait for the event that was recorded last
//   F  launch a host function
//   X  another call
//   <  switch the profiler on
//   >  switch the profiler off
//
// A small letter is the call that issued the op of this letter. If there are several such ops, the
// call is a graph launch that issued all of them. An op without a small letter has no call.
namespace lapscope::test {

// Kernels by letter, and the percentage of the device that the grid of each can fill at once.
using Fills = std::vector<std::pair<char, std::int64_t>>;

// Returns the length of a character in ns: 1,000 for a drawing with a host thread, otherwise 1.
std::int64_t unit_of(std::string_view drawing);

void write_drawing(const std::filesystem::path& path, std::string_view drawing,
                   const Fills& fills = {});

}  // namespace lapscope::test
