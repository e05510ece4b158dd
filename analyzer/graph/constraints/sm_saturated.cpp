#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

// A kernel starts when the multiprocessors have room for its first block.
//
//   stream 1  AAAAAAAA........    A takes all there is: B starts when it ends,
//   stream 2  ........BBBB....    and C, which is small, beside B
//   stream 3  .........CCC....
//
// How much room a kernel takes follows from its launch (SmUse), who made room from the times
// (RoomObserver).
const Constraint sm_saturated_constraint{.cause = Cause::sm_saturated, .is_of_machine = true};

}  // namespace lapscope::analyzer
