#include "reports/ranks/straggler_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "reports/words/format.h"

namespace lapscope::reports {

using analyzer::LateBy;
using analyzer::RunFinding;

namespace {

std::string_view late_clause(const RunFinding& finding) {
  switch (finding.late_by) {
    case LateBy::computing:
      return ", whose kernels or copies take longer";
    case LateBy::longer_kernels:
      return ", whose kernels take longer than kernels of the same name and shape elsewhere";
    case LateBy::more_kernels:
      return finding.ranks.size() > 1 ? ", which run more, larger or other kernels"
                                      : ", which runs more, larger or other kernels";
    case LateBy::idle:
      return finding.ranks.size() > 1 ? ", whose host threads are late with their work"
                                      : ", whose host is late with its work";
    case LateBy::turns:
      break;
  }
  return ", and that one for others: they are late by turns";
}

// Returns how often a kernel runs: "8 times a step", "once in all" or "never". `decimals`: the
// least number of decimals. `steps`: 0 to return the number in all.
std::string how_often(double in_window, double steps, int decimals) {
  if (in_window == 0) return "never";
  double count = steps > 0 ? in_window / steps : in_window;
  const bool is_by_step = steps > 0 && count >= 0.1;
  if (!is_by_step) count = in_window;
  const std::string_view per = is_by_step ? "a step" : "in all";
  const long long tenths = std::llround(10 * count);
  if (tenths == 0) return fmt::format("less than 0.1 times {}", per);
  if (tenths == 10 && decimals == 0) return fmt::format("once {}", per);
  if (tenths < 100 && tenths % 10 != 0) decimals = 1;
  return fmt::format("{:.{}f} times {}", count, decimals, per);
}

// Returns "8 times a step, on the other ranks never". The two numbers read differently.
std::string how_often(const analyzer::ComparedKernel& kernel, const analyzer::RunResult& run) {
  const bool has_steps = run.collectives_in_step > 1 && run.steps.size() > 1;
  const double steps = has_steps ? static_cast<double>(run.steps.size() - 1) : 0;
  std::string late;
  std::string others;
  for (const double of : {steps, 0.0}) {
    for (const int decimals : {0, 1}) {
      if (late != others) break;
      late = how_often(kernel.late.count, of, decimals);
      others = how_often(kernel.others.count, of, decimals);
    }
  }
  return fmt::format("{}, on the other ranks {}", late, others);
}

// Returns " Its kernels take longer than kernels of the same name and shape elsewhere: …"; ""
// without a kernel.
std::string kernel_sentence(const RunFinding& finding, const RunReport& run) {
  if (!finding.kernel) return "";
  const analyzer::ComparedKernel& kernel = *finding.kernel;
  const bool is_one = finding.ranks.size() == 1;
  std::string name = printable(kernel.name);
  if (kernel.launch.blocks > 0) {
    name += fmt::format(" ({} blocks of {} threads)", kernel.launch.blocks,
                        kernel.launch.threads_per_block);
  }
  if (finding.late_by == LateBy::longer_kernels) {
    return fmt::format(
        " {} kernels take longer than kernels of the same name and shape elsewhere: {} {}, on the "
        "other ranks {}.",
        is_one ? "Its" : "On average, their", name, format_ns(std::llround(kernel.late.mean())),
        format_ns(std::llround(kernel.others.mean())));
  }
  return fmt::format(" {} more, larger or other kernels: {} {}.",
                     is_one ? "It runs" : "On average, they run", name, how_often(kernel, run.run));
}

// Whether the late ranks have one kind of device, and no other rank has it.
bool has_other_device(const RunFinding& finding, const RunReport& run) {
  const std::vector<analyzer::RankResult>& ranks = run.run.ranks;
  const std::string& device = ranks[finding.ranks.front()].device_name;
  std::size_t with_device = 0;
  for (const analyzer::RankResult& rank : ranks) with_device += rank.device_name == device;
  const bool is_one_kind = std::ranges::all_of(
      finding.ranks, [&](std::uint32_t r) { return ranks[r].device_name == device; });
  return is_one_kind && with_device == finding.ranks.size();
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text;
}

}  // namespace

std::string straggler_clause(const RunFinding& finding, const RunReport& run) {
  const bool is_one = run.run.ranks.size() == finding.ranks.size() + 1;
  return fmt::format("the other {} for {}{}", is_one ? "rank waits" : "ranks wait",
                     named(finding.ranks, run), late_clause(finding));
}

std::string straggler_sentence(const RunFinding& finding, const RunReport& run) {
  const analyzer::RankResult& of_rank = run.run.ranks[finding.ranks.front()];
  const bool is_one = finding.ranks.size() == 1;
  std::string why = capitalized(named(finding.ranks, run));
  why += is_one ? fmt::format(" is the last of {} of {} collectives", finding.count,
                              of_rank.collectives + of_rank.exchanges)
                : fmt::format(" begin {} collectives later than all others", finding.count);
  if (finding.late_by == LateBy::turns) {
    why += ", and neither computes nor idles for much longer than the others.";
  } else {
    const bool is_idle = finding.late_by == LateBy::idle;
    const std::string_view device = is_one ? (is_idle ? "its device is idle" : "its device works")
                                    : is_idle ? "their devices are idle"
                                              : "their devices work";
    why += fmt::format("; {} {} longer than the others' on average.", device,
                       format_ns(finding.excess));
    why += kernel_sentence(finding, run);
    if (has_other_device(finding, run)) {
      why += fmt::format(" {} on another device, {}.", is_one ? "It runs" : "They run",
                         printable(of_rank.device_name));
    }
  }
  const analyzer::OwnFinding& own = of_rank.own;
  if (finding.late_by != LateBy::turns && !own.code.empty()) {
    why += fmt::format(" Analyzed alone, {} first finding is {}{}{}{}{}.",
                       is_one ? "its" : "rank " + printable(of_rank.name) + "'s",
                       printable(own.code), own.where.empty() ? "" : " at ", printable(own.where),
                       own.function.empty() ? "" : ", mostly in ", printable(own.function));
  }
  return why;
}

std::string straggler_fix(const RunFinding& finding, const RunReport& run) {
  const bool is_one = finding.ranks.size() == 1;
  switch (finding.late_by) {
    case LateBy::computing:
    case LateBy::more_kernels:
      if (!finding.kernel || finding.kernel->others.count > 0) {
        return "Give each rank equally much work.";
      }
      return fmt::format(
          "Give each rank equally much work. The others never run this kernel: {} may also "
          "have chosen it for the same work (an autotuner, another version of a library, other "
          "shapes of the data).",
          is_one ? "the late rank" : "the late ranks");
    case LateBy::longer_kernels:
      if (has_other_device(finding, run)) {
        return "Use equal devices, or divide the work by their speed.";
      }
      return fmt::format(
          "Compare clocks and power with a GPU that is not late (nvidia-smi -q -d "
          "PERFORMANCE), look for other processes on the late GPU{}, and check whether the "
          "late {} more data, or data that takes longer.",
          is_one ? "" : "s", is_one ? "rank has" : "ranks have");
    case LateBy::idle:
      return is_one ? "Find what that rank's host does that the others' do not."
                    : "Find what the hosts of these ranks do that the others' do not.";
    case LateBy::turns:
      break;
  }
  return "Issue work further ahead on every rank, or communicate less often.";
}

}  // namespace lapscope::reports
