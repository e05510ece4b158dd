#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

// A kernel starts when the multiprocessors have room for its first block.
//
//   stream 1  AAAAAAAA........    A takes all the room. B starts when A ends.
//   stream 2  ........BBBB....    C is small and starts beside B.
//   stream 3  .........CCC....
//
// SmUse is the room that a kernel takes. It is computed from the kernel's launch configuration.
// RoomObserver compares recorded times to find the kernel that made room for a waiting kernel.
const Constraint sm_saturated_constraint{.cause = Cause::sm_saturated};

}  // namespace lapscope::analyzer
