#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "analyzer/measures/activity.h"
#include "analyzer/measures/value.h"

// A second computation of all figures from times of ops, without code of the analyzer. A bitmap has
// an entry for each nanosecond, and the figures are counts of entries.
namespace lapscope::test {

class Bitmap {
 public:
  // The ops that run at one instant.
  struct Instant {
    std::array<int, analyzer::all_engines.size()> on_engine{};
    int kernels = 0;
    analyzer::Demand demands{0, 0};  // sum over the running kernels

    std::map<std::uint32_t, int> in_stream;

    bool has(analyzer::Engine engine) const {
      return on_engine[static_cast<std::size_t>(engine)] > 0;
    }
    bool copies() const {
      using analyzer::Engine;
      return has(Engine::h2d) || has(Engine::d2h) || has(Engine::other_copy);
    }
    bool busy() const {
      return copies() || has(analyzer::Engine::compute) || has(analyzer::Engine::communication);
    }
  };

  // Stores the ops of the device inside the window.
  Bitmap(const analyzer::Subject& subject, analyzer::Interval window);

  // Returns the number of nanoseconds for which the predicate is true.
  template <class F>
  std::int64_t count(F&& holds) const {
    std::int64_t ns = 0;
    for (const Instant& instant : instants_) ns += holds(instant) ? 1 : 0;
    return ns;
  }

  // Returns every measure by name. An undefined measure has an empty reason.
  std::map<std::string_view, analyzer::Value> measures() const;

 private:
  std::int64_t bound() const;

  std::vector<Instant> instants_;
  std::int64_t sum_ = 0;
  std::array<std::int64_t, analyzer::all_engines.size()> engine_sum_{};
  std::int64_t kernel_sum_ = 0;
  std::int64_t longest_kernel_ = 0;
  std::int64_t area_ = 0;
  bool knows_area_ = true;
};

// Returns whether two values are equal, or both undefined. The reasons may differ.
bool same(const analyzer::Value& a, const analyzer::Value& b);

// Makes random ops of all kinds in [0, 120) on four streams. Kernels with name 2 communicate. Some
// shapes and limits are unknown.
analyzer::Device random_device(std::mt19937& random);
std::vector<bool> random_device_communication();

// Returns a part of the device's time, or all of it.
analyzer::Interval random_window(const analyzer::Device& device, std::mt19937& random);

}  // namespace lapscope::test
