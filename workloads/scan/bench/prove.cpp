#include "workloads/scan/bench/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "workloads/harness/cuda_check.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/bench/memory.h"
#include "workloads/scan/bench/verify.h"
#include "workloads/scan/rungs/ladder.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::uint64_t deepest = (std::uint64_t{1} << 31) + 17;

constexpr Combination u32_sum{ElementType::u32, Operator::sum};
constexpr Combination f32_sums{ElementType::f32, Operator::sum};

// A scan whose input and result can be spoiled. All elements are 4 bytes of zeros, or not.
class Spoilable {
 public:
  explicit Spoilable(const Expectation& expectation) : expectation_(expectation) {}
  virtual ~Spoilable() = default;
  Spoilable(const Spoilable&) = delete;
  Spoilable& operator=(const Spoilable&) = delete;

  const Expectation& expectation() const { return expectation_; }

  virtual void fill() = 0;
  virtual void lose(std::uint64_t index) = 0;  // Of the input.
  virtual void scan() = 0;
  virtual void zero_from(std::uint64_t index) = 0;
  virtual void add_one(std::uint64_t index) = 0;
  virtual std::optional<std::uint64_t> first_wrong() = 0;

 protected:
  void add_one_to(void* element) const {
    if (expectation_.combination == f32_sums) {
      *static_cast<float*>(element) += 1;
    } else {
      *static_cast<std::uint32_t*>(element) += 1;
    }
  }

 private:
  Expectation expectation_;
};

class OnHost : public Spoilable {
 public:
  OnHost(const Expectation& expectation, std::uint64_t n)
      : Spoilable(expectation), in_(n), out_(n) {}

  void fill() override {
    fill_host(expectation().combination, expectation().fill, in_.data(), in_.size());
  }
  void lose(std::uint64_t index) override { in_[index] = 0; }
  void scan() override {
    cpu_sequential.scan({.combination = expectation().combination,
                         .in = in_.data(),
                         .out = out_.data(),
                         .n = in_.size()});
  }
  void zero_from(std::uint64_t index) override {
    std::fill(out_.begin() + static_cast<std::ptrdiff_t>(index), out_.end(), 0U);
  }
  void add_one(std::uint64_t index) override { add_one_to(&out_[index]); }
  std::optional<std::uint64_t> first_wrong() override {
    return find_wrong_on_host(expectation(), out_.data(), out_.size());
  }

 private:
  std::vector<std::uint32_t> in_;
  std::vector<std::uint32_t> out_;
};

class OnDevice : public Spoilable {
 public:
  OnDevice(const Expectation& expectation, std::uint64_t n, cudaStream_t stream)
      : Spoilable(expectation),
        n_(n),
        stream_(stream),
        arrays_(expectation.combination, n, Placement::aligned) {}

  void fill() override {
    fill_device(expectation().combination, expectation().fill, arrays_.in(), n_, stream_);
  }
  void lose(std::uint64_t index) override { clear(arrays_.in(), index, 1); }
  void scan() override {
    contender.scan({.combination = expectation().combination,
                    .in = arrays_.in(),
                    .out = arrays_.out(),
                    .n = n_,
                    .workspace = &workspace_,
                    .stream = stream_});
  }
  void zero_from(std::uint64_t index) override { clear(arrays_.out(), index, n_ - index); }
  void add_one(std::uint64_t index) override {
    std::uint32_t element = 0;
    auto* const at = static_cast<std::uint32_t*>(arrays_.out()) + index;
    copy(&element, at, cudaMemcpyDeviceToHost);
    add_one_to(&element);
    copy(at, &element, cudaMemcpyHostToDevice);
  }
  std::optional<std::uint64_t> first_wrong() override {
    return find_wrong(expectation(), arrays_.out(), n_, stream_);
  }

 private:
  void clear(void* array, std::uint64_t index, std::uint64_t count) {
    check(cudaMemsetAsync(static_cast<std::uint32_t*>(array) + index, 0,
                          count * sizeof(std::uint32_t), stream_),
          "spoil elements");
  }
  void copy(void* to, const void* from, cudaMemcpyKind direction) {
    check(cudaMemcpyAsync(to, from, sizeof(std::uint32_t), direction, stream_), "copy one element");
    check(cudaStreamSynchronize(stream_), "wait for one element");
  }

  std::uint64_t n_;
  cudaStream_t stream_;
  DeviceArrays arrays_;
  Workspace workspace_;
};

[[noreturn]] void fail(const Expectation& expectation, std::uint64_t n, std::string_view why) {
  throw std::runtime_error(fmt::format("the check of {} results of {}, {} input, {}", n,
                                       name_of(expectation.combination.type),
                                       name_of(expectation.fill), why));
}

void prove(Spoilable& scan, std::uint64_t n) {
  const auto expect = [&](std::string_view error, std::uint64_t at, std::uint64_t slack = 0) {
    const auto found = scan.first_wrong();
    if (found && *found >= at && *found - at <= slack) return;
    fail(scan.expectation(), n, fmt::format("does not find {}", error));
  };
  scan.fill();
  scan.scan();
  if (scan.first_wrong()) fail(scan.expectation(), n, "finds something in a right one");
  scan.add_one(n / 3);
  expect("an element that is off by one", n / 3);
  scan.scan();
  scan.zero_from(n / 2);
  expect("zeros from the middle on", n / 2);
  scan.zero_from(0);
  // The first random u32 is 0, and so is the first result.
  expect("a result of nothing but zeros", 0, 1);
  scan.lose(n / 3);
  scan.scan();
  expect("an element that was lost", n / 3);
}

// Real input says something only about few elements: see bound_means_something.
constexpr std::uint64_t few = 3000;

}  // namespace

void prove_host_checks() {
  const auto prove_one = [](const Expectation& expectation, std::uint64_t n) {
    OnHost scan(expectation, n);
    prove(scan, n);
  };
  for (const std::uint64_t n : {few, std::uint64_t{1} << 20}) {
    for (const Fill fill : {Fill::random, Fill::constant}) {
      prove_one({.combination = u32_sum, .fill = fill}, n);
      prove_one({.combination = f32_sums, .fill = fill, .depth = deepest}, n);
    }
  }
  prove_one({.combination = f32_sums, .fill = Fill::real, .depth = few}, few);
}

void prove_device_checks(std::uint64_t max_n, cudaStream_t stream) {
  for (const std::uint64_t n : {few, std::uint64_t{1} << 20, std::uint64_t{1} << 28}) {
    for (const Combination combination : {u32_sum, f32_sums}) {
      const Case entry{.rung = &contender, .combination = combination, .n = n};
      // The smallest proves the check on the host, which results of any rung may need.
      if ((n > few && n > max_n) || bytes_for(entry) > free_device_memory()) continue;
      OnDevice scan(expectation_of(entry), n, stream);
      prove(scan, n);
    }
  }
}

}  // namespace lapscope::workloads::scan
