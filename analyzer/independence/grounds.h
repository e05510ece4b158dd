#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// Kinds of evidence that an op may start before an op ahead of it has ended. rule_of() returns the
// rule of each kind, with the fact about CUDA on which the rule relies.
enum class Grounds : std::uint8_t {
  none,  // not known

  // An op begins a tile and was issued before the tile ahead had ended. The op and all later ops of
  // its stream need no op ahead of it.
  //
  // A tile is a round of ops. The round begins with a copy to the device (copy in) and ends before
  // the next copy in. The round recurs, computes, and copies out at least assumed::hardly_any of
  // the bytes that it copies in. A round that copies out less may keep its results on the device,
  // as a training step does.
  //
  //   thread 1  hkdhkdhkd............     each tile was issued before the tile ahead had ended,
  //   stream 1  .HHKKDDHHKKDDHHKKDD..     so the host had not read the results of that tile
  issued_ahead,
  // An op begins a tile, and tiles that do the same work ran at the same time in different streams.
  // The op and all later ops of its stream need no op ahead of it. Ops of these tiles in different
  // streams do not need each other.
  side_by_side,

  // A copy to the device begins a round and needs no op ahead of the copy in its stream. The
  // evidence is that the host issued the copy before the round ahead had ended. Later ops of the
  // round may need ops ahead of the copy. The round recurs, but is no tile because it copies out
  // too little (see issued_ahead).
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  data_on_host,

  // A copy brings data to the host, and no op behind the copy in its stream needs the copy. The
  // evidence is that the host issued the next op before the copy had ended. The copy ends a round
  // of ops that recurs. The next op must not be a copy to a device, because it might bring the data
  // back. The evidence does not hold for kernels that read memory of the host.
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
// Whether the grounds are only about copies. They show that a copy need not wait for other ops, or
// that other ops need not wait for a copy.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
