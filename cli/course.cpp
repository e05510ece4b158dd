#include "cli/course.h"

#include <algorithm>
#include <cmath>

namespace lapscope::cli {

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
  // Estimates the seconds that remain in the present stage, from its planned duration. If the
  // progress of the stage is not known, the estimate is at least a tenth of the time since the
  // begin of the stage.
  constexpr double overrun = 0.1;
  double left = std::max(planned_ * in_fact / of_plan - took, done ? 0 : took * overrun);
  if (done && *done > 0) {
    constexpr double enough = 0.2;  // from this share on, only the stage's own progress counts
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
  // If the estimate of the remaining time suddenly grows, shows at least half of the new estimate
  // at once.
  end_shown_ = std::max(now + left / 2, before + weight * (now + left - before));
  shown_at_ = now;
  constexpr double most = 0.99;
  if (*end_shown_ > 0) share_ = std::clamp(now / *end_shown_, share_, most);
  return Outlook{share_, *end_shown_ - now};
}

}  // namespace lapscope::cli
