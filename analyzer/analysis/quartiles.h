#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// Exact quartiles of values that are too many to be kept: they are gone through twice, in any
// order. The first time a part of them is kept, and shows between which values each quartile must
// lie; the second time only what lies there is kept (R. W. Floyd, R. L. Rivest, Expected time
// bounds for selection, Communications of the ACM 18, 1975).
namespace lapscope::analyzer {

// Values gone through for the first time.
struct Sampled {
  std::int64_t count = 0;
  double least = 0;
  double most = 0;
  std::vector<double> kept;

  void add(double value, bool is_kept);
  void add(const Sampled& other);
};

// Quartile q, of 1 to 3, is the value of this rank in order, from 0.
inline std::int64_t rank_of_quartile(std::int64_t count, std::int64_t q) {
  return (count - 1) * q / 4;
}

// Values gone through for the second time, in search of one of a rank.
class RankSearch {
 public:
  // In all values.
  explicit RankSearch(std::int64_t rank) : rank_(rank) {}
  // Between two values of a sample in order, if it is a sample at all.
  RankSearch(std::int64_t rank, std::int64_t count, const std::vector<double>& ordered);

  void add(double value);
  void add(const RankSearch& other);
  // Nothing where it does not lie between these values: it is to be sought in all.
  std::optional<double> found();
  std::int64_t rank() const { return rank_; }

 private:
  std::int64_t rank_;
  std::optional<double> low_;   // nothing: no value is lower
  std::optional<double> high_;  // or higher
  std::int64_t below_ = 0;      // values below low_
  std::int64_t at_low_ = 0;
  std::int64_t at_high_ = 0;
  std::vector<double> between_;
};

}  // namespace lapscope::analyzer
