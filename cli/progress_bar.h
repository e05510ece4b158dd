#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/progress.h"

namespace lapscope::cli {

// Returns "label [####------] 42 %", at most `width` columns. A share above 1 is shown as 1.
std::string progress_line(const std::string& label, analyzer::Share share, int width);

// Returns ", 12 s left" for less than 100 s, and ", 2 min left" for more.
std::string left_line(double seconds);

// Returns "label, 12 s", at most `width` columns, for work whose remaining time is not known.
std::string elapsed_line(const std::string& label, double seconds, int width);

// A part of a command. `planned` is its planned duration in seconds, or 0 if it is not known.
struct Stage {
  std::string doing;  // such as "reading t.sqlite"
  double planned = 0;
};

// Announces stages that a bar will show later, so that the displayed remaining time includes them.
void expect_stages(const std::vector<Stage>& stages);

// Shows what a command does, its progress and its remaining time, on one line of stderr. Draws only
// if stderr is a terminal and the command has run for 1 s. The destructor erases the line. Only one
// bar exists at a time.
class ProgressBar {
 public:
  // `stages` has one entry for each part of `progress`, which must outlive the bar. If `progress`
  // is null, `stages` has one entry, and the progress is not known.
  explicit ProgressBar(std::vector<Stage> stages, const analyzer::Progress* progress = nullptr);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_stopped();
  void follow();  // moves to the present part of progress_
  std::string line();

  const std::vector<Stage> stages_;
  const analyzer::Progress* const progress_;
  std::size_t stage_ = 0;  // index of the present stage
  double stage_begin_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

// Estimates the progress of a command and the time until its end. The command has stages. Each
// stage has a planned duration, which was measured on another machine. The stages that have ended
// show how much slower or faster this machine is. If a stage reports its progress, the estimate for
// this stage soon depends only on this progress. All times are in seconds. `now` is the time since
// the start of the command. Not thread-safe.
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

  double expected_ = 0;  // planned duration of the present stage and all later stages
  double planned_ = 0;   // planned duration of the present stage
  double begin_ = 0;
  double ended_planned_ = 0;
  double ended_took_ = 0;
  std::optional<double> end_shown_;  // estimated end of the command, as last shown
  double shown_at_ = 0;
  analyzer::Share share_ = 0;
};

}  // namespace lapscope::cli
