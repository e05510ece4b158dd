#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <system_error>

#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr double patience = 1;  // seconds from the command's start until the bar appears
constexpr auto period = 100ms;

const Clock::time_point begin_of_command = Clock::now();

double now() { return std::chrono::duration<double>(Clock::now() - begin_of_command).count(); }

// Returns the course of the command. One object is enough, because a process runs one command.
Course& course() {
  static Course one;
  return one;
}

int terminal_width() {
  winsize size{};
  constexpr int usual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::optional<analyzer::Share> share_of(const analyzer::Progress* progress) {
  if (progress == nullptr || progress->expected <= 0) return std::nullopt;
  return static_cast<double>(progress->done) / static_cast<double>(progress->expected);
}

}  // namespace

std::string progress_line(const std::string& label, analyzer::Share share, int width) {
  share = std::clamp(share, 0.0, 1.0);
  const std::string percent = fmt::format("{:3.0f} %", 100 * share);
  constexpr int least_bar = 10;
  const auto room = width - static_cast<int>(percent.size()) - 4;  // for brackets and spaces
  if (room < least_bar) return percent.substr(0, static_cast<std::size_t>(std::max(width, 0)));
  const auto named = std::min(static_cast<int>(label.size()), room - least_bar);
  const int bar = std::min(room - named, 40);
  const int filled = static_cast<int>(share * bar);
  return fmt::format("{} [{}{}] {}", label.substr(0, static_cast<std::size_t>(named)),
                     std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(bar - filled), '-'), percent);
}

std::string left_line(double seconds) {
  constexpr double minutes_from = 100;
  if (seconds < minutes_from) return fmt::format(", {:.0f} s left", std::ceil(seconds));
  return fmt::format(", {:.0f} min left", std::ceil(seconds / 60));
}

std::string elapsed_line(const std::string& label, double seconds, int width) {
  const std::string elapsed = fmt::format(", {:.0f} s", std::floor(seconds));
  const auto room = std::max(width, 0);
  const auto named =
      std::clamp(room - static_cast<int>(elapsed.size()), 0, static_cast<int>(label.size()));
  return (label.substr(0, static_cast<std::size_t>(named)) + elapsed)
      .substr(0, static_cast<std::size_t>(room));
}

void expect_stages(const std::vector<Stage>& stages) {
  for (const Stage& stage : stages) course().expect(stage.planned);
}

ProgressBar::ProgressBar(std::vector<Stage> stages, const analyzer::Progress* progress)
    : stages_(std::move(stages)), progress_(progress) {
  if (::isatty(STDERR_FILENO) != 1) return;
  stage_begin_ = now();
  course().begin(stages_.front().planned, stage_begin_);
  try {
    thread_ = std::thread([this] { draw_until_stopped(); });
  } catch (const std::system_error&) {
    // If the system cannot create another thread, the work continues without a progress display.
  }
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
  course().end(now());
  while (++stage_ < stages_.size()) course().leave_out(stages_[stage_].planned);
}

void ProgressBar::follow() {
  const std::size_t part = progress_ == nullptr ? 0 : progress_->part.load();
  if (part <= stage_ || part >= stages_.size()) return;
  stage_begin_ = now();
  course().end(stage_begin_);
  while (++stage_ < part) course().leave_out(stages_[stage_].planned);
  course().begin(stages_[stage_].planned, stage_begin_);
}

std::string ProgressBar::line() {
  const int width = terminal_width() - 1;
  const std::string doing = reports::printable(stages_[stage_].doing);
  if (const auto outlook = course().outlook(share_of(progress_), now())) {
    const std::string left = left_line(outlook->left);
    return progress_line(doing, outlook->share, width - static_cast<int>(left.size())) + left;
  }
  return elapsed_line(doing, now() - stage_begin_, width);
}

void ProgressBar::draw_until_stopped() {
  bool is_drawn = false;
  std::unique_lock lock(mutex_);
  do {
    follow();
    if (now() < patience) continue;
    std::cerr << '\r' << line() << "\x1b[K" << std::flush;
    is_drawn = true;
  } while (!changed_.wait_for(lock, period, [this] { return stopped_; }));
  if (is_drawn) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace lapscope::cli
