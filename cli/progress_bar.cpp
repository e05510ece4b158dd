#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 500ms;
constexpr auto period = 100ms;

int terminal_width() {
  winsize size{};
  constexpr int usual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

double share_of(const analyzer::Progress& progress) {
  const std::int64_t expected = progress.expected;
  if (expected <= 0) return 0;
  return static_cast<double>(progress.done) / static_cast<double>(expected);
}

}  // namespace

std::string progress_line(const std::string& label, double share, int width) {
  share = std::clamp(share, 0.0, 1.0);
  const std::string percent = fmt::format("{:3.0f} %", 100 * share);
  constexpr int least_bar = 10;
  const auto room = width - static_cast<int>(percent.size()) - 4;  // brackets and spaces
  if (room < least_bar) return percent.substr(0, static_cast<std::size_t>(std::max(width, 0)));
  const auto named = std::min(static_cast<int>(label.size()), room - least_bar);
  const int bar = std::min(room - named, 40);
  const int filled = static_cast<int>(share * bar);
  return fmt::format("{} [{}{}] {}", label.substr(0, static_cast<std::size_t>(named)),
                     std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(bar - filled), '-'), percent);
}

std::string left_line(double share, double seconds) {
  constexpr double enough = 0.02;  // less says little about the rest
  if (share < enough || share >= 1) return "";
  return fmt::format(", {:.0f} s left", std::ceil(seconds * (1 - share) / share));
}

std::string elapsed_line(const std::string& label, std::int64_t seconds, int width) {
  const std::string elapsed = fmt::format(", {} s", seconds);
  const auto room = std::max(width, 0);
  const auto named =
      std::clamp(room - static_cast<int>(elapsed.size()), 0, static_cast<int>(label.size()));
  return (label.substr(0, static_cast<std::size_t>(named)) + elapsed)
      .substr(0, static_cast<std::size_t>(room));
}

ProgressBar::ProgressBar(const std::string& label, const analyzer::Progress& progress)
    : ProgressBar(label, &progress) {}

ProgressBar::ProgressBar(const std::string& label) : ProgressBar(label, nullptr) {}

ProgressBar::ProgressBar(const std::string& label, const analyzer::Progress* progress)
    : label_(reports::printable(label)), progress_(progress) {
  if (::isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { draw_until_stopped(); });
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

std::string ProgressBar::line() const {
  const int width = terminal_width() - 1;
  const auto elapsed = std::chrono::steady_clock::now() - begin_;
  if (progress_ != nullptr && progress_->expected > 0) {
    const double share = share_of(*progress_);
    const std::string left = left_line(share, std::chrono::duration<double>(elapsed).count());
    return progress_line(label_, share, width - static_cast<int>(left.size())) + left;
  }
  return elapsed_line(label_, std::chrono::floor<std::chrono::seconds>(elapsed).count(), width);
}

void ProgressBar::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stopped_; };
  if (changed_.wait_for(lock, patience, stopped)) return;
  do {
    std::cerr << '\r' << line() << "\x1b[K" << std::flush;
  } while (!changed_.wait_for(lock, period, stopped));
  std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace lapscope::cli
