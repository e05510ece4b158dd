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

// "label [####------] 42 %", at most `width` columns; more than all of it counts as all.
std::string progress_line(const std::string& label, analyzer::Share share, int width);

// ", 12 s left", and from 100 s on ", 2 min left".
std::string left_line(double seconds);

// "label, 12 s", at most `width` columns: for work whose remaining time is not known.
std::string elapsed_line(const std::string& label, double seconds, int width);

// A part of a command, and how long it takes if that was measured; 0 s: not known.
struct Stage {
  std::string doing;  // as "reading t.sqlite"
  double planned = 0;
};

// Announces stages that a bar will show later, so that the time left is that of the whole command.
void expect_stages(const std::vector<Stage>& stages);

// Shows on stderr what a command does, how far it is and how long it will still take, in one line,
// when that is a terminal and the command has taken a second; what it drew is gone when it ends.
// Nothing otherwise. There is one at a time.
class ProgressBar {
 public:
  // The stages are the parts of `progress`, which must outlive the bar; null: there is one stage,
  // which does not report how far it has come.
  explicit ProgressBar(std::vector<Stage> stages, const analyzer::Progress* progress = nullptr);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_stopped();
  void follow();  // to the part that goes on now
  std::string line();

  const std::vector<Stage> stages_;
  const analyzer::Progress* const progress_;
  std::size_t stage_ = 0;  // that goes on
  double stage_begin_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace lapscope::cli
