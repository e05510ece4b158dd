#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// The evidence that an op may start before an op ahead of it has ended. rule_of() returns the rule
// of CUDA on which each kind of evidence relies.
enum class Grounds : std::uint8_t {
  none,  // not known

  // The op begins a tile that the host issued before the previous tile had ended. The op and all
  // later ops of its stream need no op ahead of it.
  //
  // A tile is a round of ops that recurs. It begins with a copy to the device (copy in) and ends
  // before the next copy in. It has a kernel. It copies out at least assumed::hardly_any of the
  // bytes that it copies in. A round that copies out less may keep its results on the device, as a
  // training step does.
  //
  //   thread 1  hkdhkdhkd............     each tile was issued before the tile ahead had ended,
  //   stream 1  .HHKKDDHHKKDDHHKKDD..     so the host had not read the results of that tile
  issued_ahead,
  // The op begins a tile. Elsewhere in the trace, tiles with the same work ran at the same time in
  // different streams. So the op and all later ops of its stream need no op ahead of it. Ops of
  // such tiles in different streams do not need each other either.
  side_by_side,

  // The op is a copy to the device that begins a round. The host issued this copy before the round
  // ahead had ended, so the copy needs no op ahead of it in its stream. Later ops of the round may
  // need such ops. The round recurs, but is not a tile, because it copies out too little.
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  data_on_host,

  // The op is a copy to the host that ends a recurring round. The host issued the next op before
  // the copy had ended, so no later op of its stream needs the copy. The next op must not be a copy
  // to a device, because it might bring the data back. Not valid for kernels that read memory of
  // the host.
  //
  //   thread 1  kdkdkd............       K2 may overwrite what D copies, but K2 cannot use
  //   stream 1  .KKDDKKDDKKDD.....       what D wrote
  result_unread,

  there_and_back,   // a copy from one device to another, and right behind it a copy back
  own_executable,   // two consecutive launches of different executable graphs with equal nodes
  separate_copies,  // two copies in the same direction, or a copy out behind a copy in
};

// Returns the rule that the grounds rely on. The grounds must not be `none`.
const Rule& rule_of(Grounds grounds);

// Whether the grounds of an op also hold for all later ops of its stream. If so, neither the op nor
// the later ops need an op that is ahead of this op.
bool begins_anew(Grounds grounds);
// Whether the grounds hold only for a copy: the copy need not wait, or no op needs to wait for the
// copy.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
