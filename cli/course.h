#pragma once

#include <optional>

#include "analyzer/intervals/units.h"

namespace lapscope::cli {

// Estimates the progress of a command and the time until its end. The command has stages. Each
// stage has a planned duration, measured on another machine. Completed stages show how much slower
// or faster this machine is. If a stage reports its progress, the estimate for this stage soon
// depends only on this progress. All times are in seconds. `now` is the time since the start of the
// command. Not thread-safe.
class Course {
 public:
  // Announces a stage that will begin later.
  void expect(double planned) { expected_ += planned; }
  // Begins a stage, whether or not expect() announced it.
  void begin(double planned, double now);
  void end(double now);
  // Removes a stage that was announced with expect() but will not begin.
  void leave_out(double planned);

  struct Outlook {
    analyzer::Share share = 0;  // the part of the command that is done; below 1
    double left = 0;
  };
  // Returns the progress of the command. `done` is the completed share of the present stage, if
  // known. Returns empty if neither `done` nor the planned duration is known. Outlook::share never
  // decreases. Outlook::left approaches a new estimate within seconds.
  std::optional<Outlook> outlook(std::optional<double> done, double now);

 private:
  double left_of(std::optional<double> done, double now) const;

  double expected_ = 0;  // of the present stage and all later stages
  double planned_ = 0;   // of the present stage
  double begin_ = 0;
  double ended_planned_ = 0;
  double ended_took_ = 0;
  std::optional<double> end_shown_;  // estimated end of the command, as last shown
  double shown_at_ = 0;
  analyzer::Share share_ = 0;
};

}  // namespace lapscope::cli
