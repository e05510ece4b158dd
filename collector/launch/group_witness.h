#pragma once

#include <sys/types.h>

namespace lapscope::launch {

// Determines whether a signal was sent to the whole process group or to this process alone. The
// signal itself does not show this. The witness is a process of the same group that only keeps the
// signals that it gets. Nobody has a reason to send a signal to the witness alone. So a signal that
// the witness has got was sent to the group.
//
// Block the signals in question before making the witness. The witness ends with this process.
class GroupWitness {
 public:
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Returns whether the witness has received the signal, too. Call it only once for each signal,
  // because it also makes the witness forget the signal. Returns false if there is no witness.
  bool has_got(int signal);

 private:
  pid_t pid_ = -1;
};

}  // namespace lapscope::launch
