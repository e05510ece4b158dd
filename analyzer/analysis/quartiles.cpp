#include "analyzer/analysis/quartiles.h"

#include <algorithm>
#include <cmath>

namespace lapscope::analyzer {

void Sampled::add(double value, bool is_kept) {
  least = count == 0 ? value : std::min(least, value);
  most = count == 0 ? value : std::max(most, value);
  ++count;
  if (is_kept) kept.push_back(value);
}

void Sampled::add(const Sampled& other) {
  if (other.count == 0) return;
  least = count == 0 ? other.least : std::min(least, other.least);
  most = count == 0 ? other.most : std::max(most, other.most);
  count += other.count;
  kept.insert(kept.end(), other.kept.begin(), other.kept.end());
}

RankSearch::RankSearch(std::int64_t rank, std::int64_t count, const std::vector<double>& ordered)
    : rank_(rank) {
  if (ordered.empty()) return;
  // The sample has n random values. Let v be the value to find, which has the given rank among all
  // values. The number of sample values below v has a binomial distribution. The bounds are
  // `deviations` standard deviations from the mean of that distribution.
  constexpr double deviations = 4;
  const auto n = static_cast<double>(ordered.size());
  const double part = (static_cast<double>(rank) + 0.5) / static_cast<double>(count);
  const double margin = 1 + deviations * std::sqrt(n * part * (1 - part));
  const double first = std::floor(n * part - margin);
  const double last = std::ceil(n * part + margin);
  if (first >= 0) low_ = ordered[static_cast<std::size_t>(first)];
  if (last < n) high_ = ordered[static_cast<std::size_t>(last)];
}

void RankSearch::add(double value) {
  if (low_ && value <= *low_) {
    ++(value < *low_ ? below_ : at_low_);
  } else if (high_ && value >= *high_) {
    if (value == *high_) ++at_high_;
  } else {
    between_.push_back(value);
  }
}

void RankSearch::add(const RankSearch& other) {
  below_ += other.below_;
  at_low_ += other.at_low_;
  at_high_ += other.at_high_;
  between_.insert(between_.end(), other.between_.begin(), other.between_.end());
}

std::optional<double> RankSearch::found() {
  std::int64_t place = rank_ - below_;
  if (place < 0) return std::nullopt;
  if (place < at_low_) return low_;
  place -= at_low_;
  if (place < static_cast<std::int64_t>(between_.size())) {
    const auto nth = between_.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(between_.begin(), nth, between_.end());
    return *nth;
  }
  place -= static_cast<std::int64_t>(between_.size());
  if (place < at_high_) return high_;
  return std::nullopt;
}

}  // namespace lapscope::analyzer
