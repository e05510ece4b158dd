#include "workloads/scan/problem/reference.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "workloads/scan/problem/float_bound.h"
#include "workloads/scan/problem/in_threads.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

// Below this many elements, starting a thread costs more than it saves.
constexpr std::uint64_t worth_a_thread = 1 << 19;

// Up to here every sum of ones is a whole number that f32 holds.
constexpr std::uint64_t exact_ones = 1 << 24;

template <typename P>
constexpr bool may_round = std::is_floating_point_v<typename P::Acc>&& P::Op::name == Operator::sum;

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
      if (expectation_.kind == Kind::inclusive) take();
      const double error = std::abs(static_cast<double>(found[i]) - sum_);
      if (!(error <= bound())) return index_;  // Also if it is not a number.
      if (expectation_.kind == Kind::exclusive) take();
    }
    return std::nullopt;
  }

 private:
  void take() {
    const auto input = static_cast<double>(input_at<P>(terms_, expectation_.fill));
    ++terms_;
    sum_ += input;
    magnitudes_ += std::abs(input);
  }

  double bound() const {
    if (expectation_.fill == Fill::constant && terms_ <= exact_ones) return 0;
    return float_error_bound(roundings_of(terms_, expectation_.depth), magnitudes_);
  }

  Expectation expectation_;
  std::uint64_t index_ = 0;
  std::uint64_t terms_ = 0;
  double sum_ = 0;
  double magnitudes_ = 0;
};

// The first result of the range that does not follow from the one before it by the rule; the whole
// length of the array if all do.
template <typename P>
std::uint64_t first_that_does_not_follow(const Expectation& expectation, const typename P::Acc* out,
                                         Range range, std::uint64_t none) {
  const bool exclusive = expectation.kind == Kind::exclusive;
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    if (out[i] != follows<P>(out, i, expectation.fill, exclusive)) return i;
  }
  return none;
}

}  // namespace

std::string_view name_of(Fill fill) {
  switch (fill) {
    case Fill::random:
      return "random";
    case Fill::constant:
      return "constant";
    case Fill::real:
      break;
  }
  return "real";
}

void fill_host(Combination combination, Fill fill, void* in, std::uint64_t n) {
  with_problem(AllProblems{}, combination, [&]<typename P>(P) {
    auto* const elements = static_cast<typename P::In*>(in);
    const std::size_t parts = threads_for(n, worth_a_thread);
    in_threads(parts, [=](std::size_t part) {
      const Range range = part_of(n, parts, part);
      for (std::uint64_t i = range.begin; i < range.end; ++i) elements[i] = input_at<P>(i, fill);
    });
  });
}

Comparison compare_with_reference(const Expectation& expectation) {
  Comparison comparison;
  with_problem(AllProblems{}, expectation.combination, [&]<typename P>(P) {
    comparison = Exact<P>(expectation);
    if constexpr (may_round<P>) {
      if (expectation.fill != Fill::random) comparison = Rounded<P>(expectation);
    }
  });
  return comparison;
}

std::optional<std::uint64_t> find_wrong_on_host(const Expectation& expectation, const void* out,
                                                std::uint64_t n) {
  const std::size_t parts = threads_for(n, worth_a_thread);
  if (parts == 1 || !is_exact(expectation, n)) return compare_with_reference(expectation)(out, n);
  std::vector<std::uint64_t> lowest(parts, n);
  with_problem(AllProblems{}, expectation.combination, [&]<typename P>(P) {
    in_threads(parts, [&](std::size_t part) {
      lowest[part] = first_that_does_not_follow<P>(
          expectation, static_cast<const typename P::Acc*>(out), part_of(n, parts, part), n);
    });
  });
  const std::uint64_t wrong = std::ranges::min(lowest);
  if (wrong == n) return std::nullopt;
  return wrong;
}

bool is_exact(const Expectation& expectation, std::uint64_t n) {
  if (expectation.combination != Combination{ElementType::f32, Operator::sum}) return true;
  return expectation.fill == Fill::random ||
         (expectation.fill == Fill::constant && n <= exact_ones);
}

}  // namespace lapscope::workloads::scan
