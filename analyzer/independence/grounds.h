#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// A trace can show that an op may start before an op ahead of it has ended. Each value is one kind
// of evidence for this. For each kind, rule_of() returns the rule and the fact about CUDA on which
// the rule relies.
enum class Grounds : std::uint8_t {
  none,  // not known

  // An op begins a tile and was issued before the tile ahead had ended. Neither this op nor any op
  // behind it needs an op that is ahead of this op in its stream.
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
  // Neither this op nor any op behind it needs an op that is ahead of this op in its stream. Ops of
  // two such tiles in different streams do not need each other, either.
  side_by_side,

  // A copy to the device begins a round and needs no op ahead of the copy in its stream. The
  // evidence is that the host issued the copy before the round ahead had ended. Later ops of the
  // round may need ops ahead of the copy. Such rounds recur, but are no tiles: they copy out too
  // little (see issued_ahead).
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  data_on_host,

  // A copy brings data to the host, and no op behind the copy in its stream needs the copy. The
  // evidence is that the host issued the next op before the copy had ended. The copy ends a round
  // of ops that recurs. The next op is no copy to a device. Such a copy might bring back the data
  // from the host. The evidence does not hold for a kernel that itself reads memory of the host.
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
// no op ahead of this op, either.
bool begins_anew(Grounds grounds);
// Whether the grounds are only about copies. They show that a copy need not wait, or that nothing
// needs to wait for a copy.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
