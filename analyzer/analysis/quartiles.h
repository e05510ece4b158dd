#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// Computes exact quartiles of more values than fit into memory. Goes through the values twice, in
// any order. The first pass keeps a random sample. The sample gives two bounds between which a
// quartile very likely lies. The second pass keeps only the values between these bounds (R. W.
// Floyd, R. L. Rivest, Expected time bounds for selection, Communications of the ACM 18, 1975).
namespace lapscope::analyzer {

// The first pass over the values.
struct Sampled {
  std::int64_t count = 0;
  double least = 0;
  double most = 0;
  std::vector<double> kept;

  void add(double value, bool is_kept);
  void add(const Sampled& other);
};

// Returns the rank of quartile q (1 to 3) among `count` sorted values. The lowest rank is 0.
inline std::int64_t rank_of_quartile(std::int64_t count, std::int64_t q) {
  return (count - 1) * q / 4;
}

// The second pass over the values. Searches for the value that has a given rank.
class RankSearch {
 public:
  explicit RankSearch(std::int64_t rank) : rank_(rank) {}
  // `count` is the number of all values. `ordered` is a sorted sample of them. Chooses two values
  // of the sample as bounds, and searches between them. If the sample is empty, there are no
  // bounds.
  RankSearch(std::int64_t rank, std::int64_t count, const std::vector<double>& ordered);

  void add(double value);
  void add(const RankSearch& other);
  // Returns the value that has the rank. Returns nullopt if this value lies outside the bounds. In
  // this case, the caller must search without bounds.
  std::optional<double> found();
  std::int64_t rank() const { return rank_; }

 private:
  std::int64_t rank_;
  std::optional<double> low_;   // empty: no lower bound
  std::optional<double> high_;  // empty: no upper bound
  std::int64_t below_ = 0;      // values below low_
  std::int64_t at_low_ = 0;
  std::int64_t at_high_ = 0;
  std::vector<double> between_;
};

}  // namespace lapscope::analyzer
