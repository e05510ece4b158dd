#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/progress.h"
#include "cli/course.h"

namespace lapscope::cli {

// Returns "label [####------] 42 %", at most `width` columns. A share above 1 is shown as 1.
std::string progress_line(const std::string& label, analyzer::Share share, int width);

// Returns ", 12 s left", and from 100 s on ", 2 min left".
std::string left_line(double seconds);

// Returns "label, 12 s", at most `width` columns, for work whose remaining time is not known.
std::string elapsed_line(const std::string& label, double seconds, int width);

// A part of a command and its planned duration in seconds. 0: the duration is not known.
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

}  // namespace lapscope::cli
