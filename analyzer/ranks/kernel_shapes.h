#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

class JsonIo;
struct RankWork;

// The kernels of one name with one launch geometry. They do the same work, unless their arguments
// differ: a kernel that loops over more data may have the same shape.
struct KernelShape {
  std::string name;
  LaunchGeometry launch;   // all 0 if not known
  std::int64_t count = 0;  // at least 1
  Ns time = 0;             // of all these kernels together
};

// The kernels of a rank that begin in RankWork::judged and do not communicate.
struct KernelShapes {
  std::vector<KernelShape> kept;  // those that take most time; at most limits::kernel_shapes
  Ns time = 0;                    // of all kernels, also of those that are not kept
  Ns busy = 0;                    // when at least one of them ran: at most `time`
};

// Returns the shapes of a device's kernels that begin in an interval. `communication` is a result
// of communication_names().
KernelShapes kernel_shapes(const Names& names, const Ops& ops,
                           const std::vector<bool>& communication, const Interval& judged);

// Reads or writes the kernels of a rank summary.
void fields(JsonIo& io, KernelShapes& shapes);

// A shape of kernels on the late ranks, and on the others.
struct ComparedKernel {
  struct Side {
    double count = 0;  // in the window, on average over the ranks
    double time = 0;   // likewise, in ns
    double mean() const { return count > 0 ? time / count : 0; }
  };
  // Return the parts of the additional time on the late ranks that are due to longer kernels, and
  // to more kernels, in ns. In the drawing, `longer` is 8: two kernels take 4 longer each. `more`
  // is 12.
  //
  //   late rank  [kernel    ][kernel    ][kernel    ]
  //   other      [kernel][kernel]
  double longer() const;
  double more() const { return late.time - others.time - longer(); }

  std::string name;
  LaunchGeometry launch;
  Side late;
  Side others;
};

// Why late ranks compute longer. The sums are lower bounds, because doubtful time is left out.
// Times are in ns, in the window, on average over the ranks.
struct KernelComparison {
  // The sum of ComparedKernel::longer() over all shapes with a known launch geometry. Left out:
  // time that kernels may lose beside communication (LostBeside::most).
  double longer = 0;
  // The sum of ComparedKernel::more() over all shapes. Left out: the time of kernels that the
  // others run, too, but that are not kept there, and of kernels that may lie outside the window.
  double more = 0;
  double busy = 0;  // how much longer at least one kernel runs
  // The kernels that contribute most to `longer` and to `more`.
  ComparedKernel longest;
  ComparedKernel most;
};

// Compares the kernels of late ranks with those of the other ranks: first of all late ranks on
// average, then of each of them alone. `late` has their indices. Both kinds must exist.
//
// Each rank's kernels are scaled from its interval `judged` to the window, by the communication
// kernels in both. Returns nothing in these cases:
// - The kernels of a rank are not known, as in rank summaries of older versions.
// - `judged` and the window of a rank do not have most of their time in common.
// - Only some ranks have launch geometries.
std::vector<KernelComparison> compare_kernels(std::span<const RankWork> ranks,
                                              std::span<const std::uint32_t> late,
                                              const Interval& window);

}  // namespace lapscope::analyzer
