#include "workloads/scan/problem/reference.h"

#include <cmath>
#include <type_traits>

#include "workloads/scan/problem/float_bound.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
constexpr bool rounds = std::is_floating_point_v<typename P::Acc>&& P::Op::name == Operator::sum;

template <typename P>
class Exact {
 public:
  explicit Exact(const Expectation& expectation) : expectation_(expectation) {}

  std::optional<std::uint64_t> operator()(const void* part, std::uint64_t count) {
    const auto* const found = static_cast<const typename P::Acc*>(part);
    for (std::uint64_t i = 0; i < count; ++i, ++index_) {
      const auto left = left_;
      left_ = typename P::Op{}(
          left_, static_cast<typename P::Acc>(input_at<P>(index_, expectation_.fill)));
      if (found[i] != (expectation_.kind == Kind::inclusive ? left_ : left)) return index_;
    }
    return std::nullopt;
  }

 private:
  Expectation expectation_;
  std::uint64_t index_ = 0;
  typename P::Acc left_ = P::Op::identity();
};

// Inputs are multiples of 2^-23 below 1: in double precision their sum is exact up to 2^30 of them,
// and after that its error is far below the bound.
template <typename P>
class Rounded {
 public:
  explicit Rounded(const Expectation& expectation) : expectation_(expectation) {}

  std::optional<std::uint64_t> operator()(const void* part, std::uint64_t count) {
    const auto* const found = static_cast<const float*>(part);
    for (std::uint64_t i = 0; i < count; ++i, ++index_) {
      const double left = sum_;
      const double left_magnitudes = magnitudes_;
      const auto input = static_cast<double>(input_at<P>(index_, expectation_.fill));
      sum_ += input;
      magnitudes_ += std::abs(input);
      const bool inclusive = expectation_.kind == Kind::inclusive;
      const double bound =
          float_error_bound(expectation_.depth, inclusive ? magnitudes_ : left_magnitudes);
      const double error = std::abs(static_cast<double>(found[i]) - (inclusive ? sum_ : left));
      if (!(error <= bound)) return index_;  // Also if it is not a number.
    }
    return std::nullopt;
  }

 private:
  Expectation expectation_;
  std::uint64_t index_ = 0;
  double sum_ = 0;
  double magnitudes_ = 0;
};

}  // namespace

void fill_host(Combination combination, Fill fill, void* in, std::uint64_t n) {
  with_problem(AllProblems{}, combination, [&]<typename P>(P) {
    auto* const elements = static_cast<typename P::In*>(in);
    for (std::uint64_t i = 0; i < n; ++i) elements[i] = input_at<P>(i, fill);
  });
}

Comparison compare_with_reference(const Expectation& expectation) {
  Comparison comparison;
  with_problem(AllProblems{}, expectation.combination, [&]<typename P>(P) {
    if constexpr (rounds<P>) {
      comparison = Rounded<P>(expectation);
    } else {
      comparison = Exact<P>(expectation);
    }
  });
  return comparison;
}

bool is_exact(Combination combination) {
  return combination != Combination{ElementType::f32, Operator::sum};
}

}  // namespace lapscope::workloads::scan
