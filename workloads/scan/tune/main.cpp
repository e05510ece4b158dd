// Which design and which parameters scan fastest on this GPU? Times all candidates, cold, and
// prints GB/s beside a copy and CUB from the same run.
//
//   scan_tune [FILTER]         only candidates whose name contains FILTER
//   scan_tune --wide [FILTER]  those for u64, 2^18 to 2^24
//
// waits_% and resolve_%, of the largest size: see Shares.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/statistics.h"
#include "workloads/harness/watchdog.h"
#include "workloads/scan/bench/measure.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/tune/candidates.h"

namespace lapscope::workloads::scan {
namespace {

constexpr Limits limits{.min_samples = 7, .max_samples = 15, .max_seconds = 0.03};

double speed(std::uint64_t bytes, const Samples& samples) {
  return static_cast<double>(bytes) / (1e3 * quantile(samples.us, 0.5));
}

using Lists = std::vector<std::vector<Candidate>>;

Lists general_lists() {
  return {classic_candidates(), early_candidates(), large_candidates(), bulk_candidates()};
}

// With CUB and the rung as it is before them.
std::vector<Candidate> chosen(const Lists& lists, std::string_view filter) {
  std::vector<Candidate> all{{"cub", cub_scan.scan}, {"rung contender", contender.scan}};
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  std::erase_if(all, [&](const Candidate& c) { return c.name.find(filter) == std::string::npos; });
  return all;
}

// A candidate that cannot be launched, or is wrong, loses its figure and not the whole run.
std::string figure(Measurement& measurement, const Candidate& candidate) {
  const Rung rung{
      .name = candidate.name, .depth = [](std::uint64_t n) { return n; }, .scan = candidate.scan};
  try {
    const Samples samples = candidate.looks_back ? measurement.scan(rung, Cache::cold, limits)
                                                 : measurement.time(rung, Cache::cold, limits);
    return fmt::format("{:.0f}", speed(measurement.scan_bytes(), samples));
  } catch (const std::exception& error) {
    fmt::print(stderr, "scan_tune: {}: {}\n", candidate.name, error.what());
    return "failed";
  }
}

void tune(ElementType type, std::initializer_list<int> exponents,
          const std::vector<Candidate>& candidates, Sampler& sampler) {
  Watchdog watchdog(std::chrono::seconds(60), "scan_tune: a candidate did not finish");
  std::vector<std::string> rows;
  for (const Candidate& candidate : candidates)
    rows.push_back(fmt::format("{:<46}", candidate.name));
  std::vector<Shares> shares(candidates.size());
  std::string copies = fmt::format("{:<46}", "copy");
  std::string head = fmt::format("{:<46}", fmt::format("{} GB/s", name_of(type)));
  for (const int exponent : exponents) {
    head += fmt::format(" {:>7}", fmt::format("2^{}", exponent));
    Measurement measurement(
        {.combination = {type, Operator::sum}, .n = std::uint64_t{1} << exponent}, sampler);
    copies += fmt::format(" {:>7.0f}",
                          speed(measurement.copy_bytes(), measurement.copy(Cache::cold, limits)));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      // One by one, in case a later candidate does not finish.
      fmt::print(stderr, "{} 2^{} {}", name_of(type), exponent, candidates[i].name);
      const std::string measured = figure(measurement, candidates[i]);
      fmt::print(stderr, ": {}\n", measured);
      rows[i] += fmt::format(" {:>7}", measured);
      if (candidates[i].take_shares != nullptr) {
        shares[i] = candidates[i].take_shares();
      }
      watchdog.kick();
    }
  }
  fmt::print("{} {:>7} {:>9}\n{}\n", head, "waits_%", "resolve_%", copies);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // Of the largest size, the last that was timed.
    const std::string percent =
        fmt::format(" {:>7.1f} {:>9.1f}", 100 * shares[i].waits, 100 * shares[i].resolves);
    fmt::print("{}{}\n", rows[i], candidates[i].take_shares == nullptr ? "" : percent);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace lapscope::workloads::scan

int main(int argc, char** argv) {
  using namespace lapscope::workloads;
  return guard("scan_tune", [&] {
    using scan::ElementType;
    const bool wide = argc > 1 && std::string_view(argv[1]) == "--wide";
    const char* const* const filters = argv + (wide ? 2 : 1);
    const std::string_view filter = *filters == nullptr ? "" : *filters;
    scan::Sampler sampler(open_device());
    if (wide) {
      const auto candidates = scan::chosen({scan::wide_candidates()}, filter);
      return scan::tune(ElementType::u64, {18, 20, 21, 22, 23, 24}, candidates, sampler);
    }
    const auto candidates = scan::chosen(scan::general_lists(), filter);
    for (const ElementType type : {ElementType::u32, ElementType::u64}) {
      scan::tune(type, {20, 22, 24, 26, 28, 30}, candidates, sampler);
    }
  });
}
