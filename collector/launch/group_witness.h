#pragma once

#include <sys/types.h>

namespace lapscope::launch {

// Distinguishes a signal that was sent to the whole process group from one that was sent to this
// process alone. Nothing in the signal itself shows which: the witness is a process of the same
// group that does nothing but keep what it is sent, and there is no reason to signal it alone.
//
// Signals to be asked about must be blocked where the witness is made. It ends with this process.
class GroupWitness {
 public:
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Whether the witness has got the signal, too. Asked once for each: what was seen is forgotten.
  // False when there is no witness.
  bool has_got(int signal);

 private:
  pid_t pid_ = -1;
};

}  // namespace lapscope::launch
