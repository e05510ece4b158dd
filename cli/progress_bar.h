#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "analyzer/reader/progress.h"

namespace lapscope::cli {

// "label [####------] 42 %", at most `width` columns; more than all of it counts as all.
std::string progress_line(const std::string& label, double share, int width);

// Shows on stderr how far a reading has come, when that is a terminal and the reading takes longer
// than half a second; what it drew is gone when it ends. Nothing otherwise.
class ProgressBar {
 public:
  // `progress` must outlive the bar.
  ProgressBar(std::string label, const analyzer::Progress& progress);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_stopped();

  const std::string label_;
  const analyzer::Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace lapscope::cli
