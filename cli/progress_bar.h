#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "analyzer/model/progress.h"

namespace lapscope::cli {

// "label [####------] 42 %", at most `width` columns; more than all of it counts as all.
std::string progress_line(const std::string& label, double share, int width);

// ", 12 s left", by what has been done in so many seconds; nothing where that says little.
std::string left_line(double share, double seconds);

// "label, 12 s", at most `width` columns: for work of which nobody knows how much is left.
std::string elapsed_line(const std::string& label, std::int64_t seconds, int width);

// Shows on stderr how far a work has come, when that is a terminal and the work takes longer than
// half a second; what it drew is gone when it ends. Nothing otherwise.
class ProgressBar {
 public:
  // `progress` must outlive the bar. While it expects nothing the bar shows how long it has taken.
  ProgressBar(const std::string& label, const analyzer::Progress& progress);
  // Of work that does not tell how far it has come: shows how long it has taken.
  explicit ProgressBar(const std::string& label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  ProgressBar(const std::string& label, const analyzer::Progress* progress);
  void draw_until_stopped();
  std::string line() const;

  const std::string label_;
  const analyzer::Progress* const progress_;  // null: of unknown length
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace lapscope::cli
