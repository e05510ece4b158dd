#pragma once

#include <cstdint>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// What in a trace shows that an op may. rule_of() has the fact of CUDA behind each.
enum class Grounds : std::uint8_t {
  none,  // not known

  // Applies to an op that begins a tile, and all behind it, against all that is ahead of it in its
  // stream. A tile is a round from one copy in up to the next that recurs, computes, and copies out
  // least_result of what came in; what leaves less on the host may keep its results on the device,
  // as a training step does.
  //
  //   thread 1  hkdhkdhkd............     each was issued before the one ahead had ended: the host
  //   stream 1  .HHKKDDHHKKDDHHKKDD..     had read nothing of it
  issued_ahead,
  // Likewise: tiles that do the same were seen beside each other in streams of their own. Of two
  // ops of such tiles in different streams, too.
  side_by_side,

  // Applies to a copy in against all that is ahead of it in its stream, but not to what is behind
  // it. It begins a round that recurs and is no tile, and was issued before the round ahead had
  // ended.
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  data_on_host,

  // Applies to all that is behind a copy out in its stream against that copy: it was issued before
  // the copy had ended. The copies end rounds that recur; what is next is no copy in, which might
  // bring back what was taken out. A kernel that reads memory of the host by itself would need
  // them.
  //
  //   thread 1  kdkdkd............       K2 may overwrite what D copies, but cannot use what it
  //   stream 1  .KKDDKKDDKKDD.....       wrote
  result_unread,

  there_and_back,   // a copy from one device to another, and right behind it one back
  own_executable,   // launches, one right behind the other, of two executables of the same nodes
  separate_copies,  // copies the same way, or one out behind one in
};

// Which says whether it counts. Not of `none`.
const Rule& rule_of(Grounds grounds);

// Whether what comes behind the op in its stream does not need what is ahead of it, either.
bool begins_anew(Grounds grounds);
// Whether nothing is shown but that copies need not wait, or be waited for.
bool is_of_copies_alone(Grounds grounds);

}  // namespace lapscope::analyzer
