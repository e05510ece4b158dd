#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// The evidence that an op may start before an earlier op has ended. rule_of() returns the rule of
// CUDA on which each kind of evidence relies.
enum class Grounds : std::uint8_t {
  none,  // not known

  // The op begins a tile that the host issued before the previous tile had ended. Neither this op
  // nor a later op of its stream needs an op from before this tile.
  //
  // A tile is a round of ops that recurs. It begins with a copy to the device (copy in) and ends
  // before the next copy in. It has a kernel. It copies out at least assumed::hardly_any of the
  // bytes that it copies in. A round that copies out less may keep its results on the device, as a
  // training step does.
  //
  //   thread 1  hkdhkdhkd............     tile 2 was issued before tile 1 had ended, so the host
  //   stream 1  .HHKKDDHHKKDDHHKKDD..     had not read the results of tile 1
  issued_ahead,
  // The op begins a tile. Elsewhere in the trace, tiles with the same work ran at the same time in
  // different streams. So neither this op nor a later op of its stream needs an op from before this
  // tile. Ops of such tiles in different streams do not need each other either.
  side_by_side,

  // The op is a copy to the device, and begins a round that recurs. The host issued this copy
  // before the previous round had ended. So this copy needs no earlier op of its stream. The other
  // ops of the round may need earlier ops. The round is not a tile, because it copies out too
  // little.
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       the second and the third copy need no kernel
  data_on_host,

  // The op is a copy to the host at the end of a recurring round. The host issued the next op
  // before the copy had ended, so no later op of its stream needs the copy. The next op is not a
  // copy to a device: such a copy might bring the data back. This conclusion is wrong if a later
  // kernel reads the data in the host's memory. A later kernel may also overwrite the data that is
  // copied.
  //
  //   thread 1  kdkdkd............       the kernels do not need the copies
  //   stream 1  .KKDDKKDDKKDD.....
  result_unread,

  there_and_back,   // a copy from one device to another, and right behind it a copy back
  own_executable,   // two consecutive launches of different executable graphs with equal nodes
  separate_copies,  // two copies in the same direction, or a copy out behind a copy in
};

// Returns the rule that the grounds rely on. The grounds must not be `none`.
const Rule& rule_of(Grounds grounds);

// Whether the grounds of an op X also hold for all later ops of the same stream. If so, X and the
// later ops need none of the ops before X.
bool begins_anew(Grounds grounds);
// Whether the grounds are only about one copy. The grounds show either that the copy need not wait
// for earlier ops, or that later ops need not wait for the copy.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
