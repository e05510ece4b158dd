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

void Course::begin(double planned, double now) {
  planned_ = planned;
  begin_ = now;
  expected_ = std::max(expected_, planned);
}

void Course::end(double now) {
  // Without a planned duration, a stage shows nothing about the speed of this machine.
  if (planned_ > 0) {
    ended_planned_ += planned_;
    ended_took_ += now - begin_;
  }
  leave_out(planned_);
  planned_ = 0;
}

void Course::leave_out(double planned) { expected_ = std::max(0.0, expected_ - planned); }

double Course::left_of(std::optional<double> done, double now) const {
  constexpr double usual = 0.5;  // seconds of assumed work at the planned speed
  const double took = now - begin_;
  double of_plan = ended_planned_ + usual;
  double in_fact = ended_took_ + usual;
  // Estimates the seconds that remain in the present stage, from its planned duration and the speed
  // of this machine. If the stage does not report its progress, the estimate is at least a tenth of
  // the time since the stage began.
  constexpr double overrun = 0.1;
  double left = std::max(planned_ * in_fact / of_plan - took, done ? 0 : took * overrun);
  if (done && *done > 0) {
    constexpr double enough = 0.2;  // from this share on, the planned duration does not count
    const double weight = planned_ > 0 ? std::min(1.0, *done / enough) : 1;
    left += weight * (took * (1 - *done) / *done - left);
  }
  if (done || took > planned_ * in_fact / of_plan) {
    of_plan += planned_ * done.value_or(1);
    in_fact += took;
  }
  return left + (expected_ - planned_) * in_fact / of_plan;
}

std::optional<Course::Outlook> Course::outlook(std::optional<double> done, double now) {
  if (expected_ <= 0 && !(done && *done > 0)) return std::nullopt;
  if (done) done = std::clamp(*done, 0.0, 1.0);
  const double left = left_of(done, now);
  constexpr double settles = 1.5;  // seconds
  const double before = end_shown_.value_or(now + left);
  const double weight = end_shown_ ? 1 - std::exp((shown_at_ - now) / settles) : 1;
  // If the estimate of the remaining time suddenly grows, at least half of the new estimate is
  // shown at once.
  end_shown_ = std::max(now + left / 2, before + weight * (now + left - before));
  shown_at_ = now;
  constexpr double most = 0.99;
  if (*end_shown_ > 0) share_ = std::clamp(now / *end_shown_, share_, most);
  return Outlook{share_, *end_shown_ - now};
}

}  // namespace lapscope::cli
