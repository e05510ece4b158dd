#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// The evidence that an op may start before an op ahead of it has ended. rule_of() returns the rule
// of CUDA on which each kind of evidence relies.
enum class Grounds : std::uint8_t {
  none,  // not known

  // The op begins a tile. The host issued it before the previous tile had ended. The op and all
  // later ops of its stream do not need the work ahead of the op.
  //
  // A tile is a round of ops. The round begins with a copy to the device (copy in) and ends before
  // the next copy in. The round recurs, computes, and copies out at least assumed::hardly_any of
  // the bytes that it copies in. A round that copies out less may keep its results on the device,
  // as a training step does.
  //
  //   thread 1  hkdhkdhkd............     each tile was issued before the tile ahead had ended,
  //   stream 1  .HHKKDDHHKKDDHHKKDD..     so the host had not read the results of that tile
  issued_ahead,
  // The op begins a tile. Tiles that do the same work ran at the same time in different streams. So
  // the op and all later ops of its stream do not need the work ahead of the op. Ops of these tiles
  // in different streams do not need each other.
  side_by_side,

  // The op is a copy to the device that begins a round. It needs no op ahead of it in its stream.
  // The evidence is that the host issued the copy before the round ahead had ended. Later ops of
  // the round may need ops ahead of the copy. The round recurs, but is no tile because it copies
  // out too little (see issued_ahead).
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  data_on_host,

  // The op is a copy to the host that ends a round. No later op of its stream needs the copy. The
  // evidence is that the host issued the next op before the copy had ended. The round recurs. The
  // next op must not be a copy to a device, because it might bring the data back. The evidence does
  // not hold for kernels that read memory of the host.
  //
  //   thread 1  kdkdkd............       K2 may overwrite what D copies, but K2 cannot use
  //   stream 1  .KKDDKKDDKKDD.....       what D wrote
  result_unread,

  there_and_back,   // a copy from one device to another, and right behind it a copy back
  own_executable,   // two launches in a row of different executables with the same nodes
  separate_copies,  // two copies in the same direction, or a copy out behind a copy in
};

// Returns the rule that the grounds rely on. The grounds must not be `none`.
const Rule& rule_of(Grounds grounds);

// Whether the grounds of an op also hold for all later ops of its stream. If so, the later ops need
// no op ahead of this op.
bool begins_anew(Grounds grounds);
// Whether the grounds hold only for a copy. Either the copy need not wait for other ops, or other
// ops need not wait for the copy.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
