#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The share of a device's throughput that a kernel uses when it runs alone, between two ends that
// are the same where the trace shows it. While kernels with demands d1 .. dn run, each goes at
// speed_at(d1 + .. + dn).
struct Demand {
  double least = 0;  // it takes nothing from others
  double most = 1;   // it uses all that there is, or that its multiprocessors can use of it
};

// Which end of what is known of the demands of kernels is taken for true.
enum class Sharing : std::uint8_t { least, most };

// The part of the speed that kernels have alone.
inline double speed_at(double demands) { return 1 / std::max(1.0, demands); }

// Whether demands slow kernels down, and whether something of them is not known, but for what
// adding them up is off by.
inline constexpr double demand_rounding = 1e-9;
inline bool is_shared(double demands) { return demands > 1 + demand_rounding; }
inline bool is_doubtful(double doubts) { return doubts > demand_rounding; }

// The kernels of one name and launch geometry. The same kernel may have more to do in one launch
// than in another: a class is fitted only where its lengths are alike.
struct KernelClass {
  std::uint32_t name = no_index;      // in Trace::names
  std::uint32_t geometry = no_index;  // in Ops::geometries; no_index where not known
  Demand demand;
  bool is_fitted = false;    // from these examples
  std::uint32_t alone = 0;   // launches that ran alone
  std::uint32_t beside = 0;  // and beside others, mostly
  Ns length_alone = 0;       // the median; 0 where there are too few, or they differ
  double spread = 0;  // of the times alone that those beside others stand for: the middle half,
                      // as a part of the median
};

struct Demands {
  std::vector<KernelClass> classes;
  std::vector<std::uint32_t> class_of;  // by op; no_index of what is no kernel
};

// What the trace shows of a device's kernels: how long the kernels of a class take alone, and
// beside others of their own class or of classes whose demand is known from that. `communication`,
// by name: kernels that wait for other devices are not fitted.
//
//   A  AAAA....AAAAAAA.      A takes 4 alone and 7 beside its own: what both want is 7/4 of the
//   A  ........AAAAAAA.      device
//
// Where nothing is shown a demand lies between 0 and 1, or `shares_of_one` times blocks /
// multiprocessors where that is less. Memsets and copies have no demands: bandwidth is not in this
// model.
Demands measure_demands(const Device& device, const std::vector<bool>& communication);

}  // namespace lapscope::analyzer
