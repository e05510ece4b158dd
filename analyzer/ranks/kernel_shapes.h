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
  // Returns the part of more() that is due to longer kernels. In the drawing, more() is 20. Two
  // kernels take 4 longer each, and one of 12 runs only on the late rank:
  //
  //   late rank  [kernel    ][kernel    ][kernel    ]
  //   other      [kernel][kernel]
  double longer() const;
  // Returns how much more time the shape takes on the late ranks, in ns.
  double more() const { return late.time - others.time; }

  std::string name;
  LaunchGeometry launch;
  Side late;
  Side others;
};

// Why the late ranks compute longer. Times are in ns, in the window, on average over the ranks.
struct KernelComparison {
  double longer = 0;  // the sum of ComparedKernel::longer()
  double more = 0;    // the rest of the sum of ComparedKernel::more(): more kernels, or other ones
  double hidden = 0;  // at most this much of `more` runs on the others, too, but is not kept there
  // The kernels that contribute most to `longer` and to `more`.
  ComparedKernel longest;
  ComparedKernel most;
};

// Compares the kernels of ranks[r] with late[r] with those of the others. Both must exist. Each
// rank's kernels are scaled from its interval `judged` to the window, by the communication kernels
// in both: `judged` of only some ranks may have a long set-up. All is 0 if the kernels of any rank
// are not known, as in rank summaries of older versions.
KernelComparison compare_kernels(std::span<const RankWork> ranks, const std::vector<bool>& late,
                                 const Interval& window);

}  // namespace lapscope::analyzer
