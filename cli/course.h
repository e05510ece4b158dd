#pragma once

#include <optional>

#include "analyzer/intervals/units.h"

namespace lapscope::cli {

// What of a command is done and what is left, stage by stage. Each stage is planned with the time
// that it took where it was measured; how much longer this machine takes shows while stages go on,
// and a stage that knows how far it has come is soon estimated by that alone. All times are in
// seconds, `now` since the command began. For one thread at a time.
class Course {
 public:
  // A stage that will come.
  void expect(double planned) { expected_ += planned; }
  // A stage that comes now, whether it was expected or not.
  void begin(double planned, double now);
  void end(double now);
  // One that was expected and does not come.
  void leave_out(double planned);

  struct Outlook {
    analyzer::Share share = 0;  // of the command's time, below 1
    double left = 0;
  };
  // `done` is the share of the stage that is done, if that is known. Returns nothing if neither
  // that nor a plan is known. If it is asked again, the share never falls, and what is left moves
  // towards a new estimate within seconds.
  std::optional<Outlook> outlook(std::optional<double> done, double now);

 private:
  double left_of(std::optional<double> done, double now) const;

  double expected_ = 0;  // of stages to come, with the present one
  double planned_ = 0;   // of the present one
  double begin_ = 0;
  double ended_planned_ = 0;
  double ended_took_ = 0;
  std::optional<double> end_shown_;  // the end of the command, as last shown
  double shown_at_ = 0;
  analyzer::Share share_ = 0;
};

}  // namespace lapscope::cli
