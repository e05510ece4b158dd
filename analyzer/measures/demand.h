#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The share of a device's throughput that a kernel uses when it runs alone, as a lower and an upper
// bound. The two bounds are equal if the trace shows the share. While kernels with demands d1 .. dn
// run, each runs at speed_at(d1 + .. + dn).
struct Demand {
  double least = 0;  // 0: the kernel does not slow other kernels down
  double most = 1;   // below 1 if the kernel's multiprocessors cannot use all throughput
};

// Which bound of the demands of kernels is used.
enum class Sharing : std::uint8_t { least, most };

// Returns the speed of each running kernel. `demands` is the sum of the demands of the running
// kernels. A kernel that runs alone has the speed 1.
inline double speed_at(double demands) { return 1 / std::max(1.0, demands); }

// is_shared(): whether kernels with this sum of demands slow each other down.
// is_doubtful(): whether the unknown part of a sum of demands is above 0.
// Both allow for rounding errors.
inline constexpr double demand_rounding = 1e-9;
inline bool is_shared(double demands) { return demands > 1 + demand_rounding; }
inline bool is_doubtful(double doubts) { return doubts > demand_rounding; }

// The kernels of one name and launch geometry. The work of two launches may differ. So a demand is
// fitted only if launches that ran alone took about equally long.
struct KernelClass {
  std::uint32_t name = no_index;      // in Trace::names
  std::uint32_t geometry = no_index;  // in Ops::geometries; no_index where not known
  Demand demand;
  bool is_fitted = false;    // whether `demand` is fitted to launches in the trace
  std::uint32_t alone = 0;   // launches that ran alone
  std::uint32_t beside = 0;  // launches that ran mostly beside other kernels
  Ns length_alone = 0;       // median length of launches alone; 0 if too few, or if lengths differ
};

struct Demands {
  std::vector<KernelClass> classes;
  std::vector<std::uint32_t> class_of;  // by op; no_index: not a kernel
};

// Returns the demands of a device's kernels. The demand of a class is fitted to two lengths of its
// kernels: the length of a kernel that runs alone, and the length of a kernel that runs beside
// others. The others must be of the same class, or have a known demand. `communication` has, for
// each name, whether kernels of this name wait for other devices. Demands of such kernels are not
// fitted.
//
//   A  AAAA....AAAAAAA.      A takes 4 alone and 7 beside another A: both together demand 7/4 of
//   A  ........AAAAAAA.      the device
//
// If the demand of a class is not fitted, its lower bound is 0. Its upper bound is min(1,
// `shares_of_one` × blocks / multiprocessors), or min(1, blocks / multiprocessors) for kernels that
// communicate. Memsets and copies have no demands, because this model does not contain bandwidth.
Demands measure_demands(const Device& device, const std::vector<bool>& communication);

}  // namespace lapscope::analyzer
