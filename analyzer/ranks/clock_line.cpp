#include "analyzer/ranks/clock_line.h"

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// The number of steps of a search. Each step leaves at most two thirds of the interval, so these
// steps reach the precision of a double.
constexpr int search_steps = 100;

// The rounding error, in ns, of a difference between two times. Times are whole ns.
constexpr double rounding = 0.5;

struct Point {
  double time = 0;
  double value = 0;
};

// Returns the points of the upper convex hull, by time:
//
//      x--.--x          x: in the hull
//     /  .    \         .: not in the hull
//    x   .  .  x
std::vector<Point> upper_hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.time < b.time || (a.time == b.time && a.value < b.value);
  });
  std::vector<Point> hull;
  for (const Point& next : points) {
    while (hull.size() >= 2) {
      const Point& a = hull[hull.size() - 2];
      const Point& b = hull.back();
      const double rises = (b.value - a.value) * (next.time - a.time);
      if (rises > (next.value - a.value) * (b.time - a.time)) break;
      hull.pop_back();
    }
    hull.push_back(next);
  }
  return hull;
}

// Returns the x from `low` to `high` at which a concave function is greatest.
double peak(double low, double high, const auto& function) {
  for (int i = 0; i < search_steps; ++i) {
    const double third = (high - low) / 3;
    if (function(low + third) < function(high - third)) {
      low += third;
    } else {
      high -= third;
    }
  }
  return (low + high) / 2;
}

// Between `good` and `bad`, is_good() changes once from true to false. Returns the last x before
// this change, or `bad` if is_good(bad) is true.
double edge(double good, double bad, const auto& is_good) {
  if (is_good(bad)) return bad;
  for (int i = 0; i < search_steps; ++i) {
    const double middle = (good + bad) / 2;
    (is_good(middle) ? good : bad) = middle;
  }
  return good;
}

// Finds the lines with a given drift that meet all bounds (ClockBound).
class Lines {
 public:
  Lines(std::vector<Point> at_least, std::vector<Point> at_most) {
    for (Point& point : at_most) point.value = -point.value;
    least_ = upper_hull(std::move(at_least));
    negated_most_ = upper_hull(std::move(at_most));
  }

  // The lower and upper limit of the difference at time 0, for a line with this drift.
  double least(double drift) const { return intercept(least_, drift); }
  double most(double drift) const { return -intercept(negated_most_, -drift); }
  double width(double drift) const { return most(drift) - least(drift); }

 private:
  static double intercept(const std::vector<Point>& points, double drift) {
    double most = -HUGE_VAL;
    for (const Point& point : points) most = std::max(most, point.value - drift * point.time);
    return most;
  }

  std::vector<Point> least_;
  std::vector<Point> negated_most_;
};

}  // namespace

Ns ClockLine::at(Ns time) const {
  return offset + std::llround(drift * static_cast<double>(time - from));
}

Ns ClockLine::on_own_clock(Ns time) const {
  return from + std::llround(static_cast<double>(time - offset - from) / (1 + drift));
}

std::optional<FittedClock> fit_clock(const std::vector<ClockBound>& at_least,
                                     const std::vector<ClockBound>& at_most, Interval whole) {
  // Times are relative to the first bound, because a double would round times since 1970 to some
  // 100 ns.
  const ClockBound origin = at_least.front();
  auto begin = static_cast<double>(whole.start - origin.time);
  auto end = static_cast<double>(whole.end - origin.time);
  const auto points = [&](const std::vector<ClockBound>& bounds) {
    std::vector<Point> result;
    for (const ClockBound& bound : bounds) {
      result.push_back({static_cast<double>(bound.time - origin.time),
                        static_cast<double>(bound.difference - origin.difference)});
      begin = std::min(begin, result.back().time);
      end = std::max(end, result.back().time);
    }
    return result;
  };
  const Lines lines(points(at_least), points(at_most));
  const auto is_kept = [&lines](double drift) { return lines.width(drift) >= -rounding; };
  const double best = peak(-assumed::most_drift, assumed::most_drift,
                           [&lines](double drift) { return lines.width(drift); });
  if (!is_kept(best)) return std::nullopt;
  const double slowest = edge(best, -assumed::most_drift, is_kept);
  const double fastest = edge(best, assumed::most_drift, is_kept);

  const double drift = std::clamp(0.0, slowest, fastest);
  const double at_origin = (lines.least(drift) + lines.most(drift)) / 2;
  double error = 0;
  for (const double time : {begin, end}) {
    const auto high = [&](double d) { return lines.most(d) + d * time; };
    const auto negated_low = [&](double d) { return -(lines.least(d) + d * time); };
    const double value = at_origin + drift * time;
    error = std::max({error, high(peak(slowest, fastest, high)) - value,
                      value + negated_low(peak(slowest, fastest, negated_low))});
  }
  return FittedClock{{origin.time, origin.difference + std::llround(at_origin), drift},
                     std::llround(error)};
}

}  // namespace lapscope::analyzer
