#include "reports/words/health_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "collector/schema/laws.h"
#include "reports/words/filled.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"

namespace lapscope::reports::health_details {
namespace {

using analyzer::Ns;

struct Error {
  std::int64_t number;
  std::string_view meaning;
};

// Errors of calls that issue work or wait for it.
constexpr Error errors[] = {
    {1, "invalid value"},
    {2, "out of memory"},
    {3, "initialization error"},
    {4, "driver shutting down"},
    {9, "invalid configuration"},
    {12, "invalid pitch"},
    {17, "invalid device pointer"},
    {21, "invalid direction of a copy"},
    {35, "driver too old for this CUDA"},
    {46, "devices unavailable"},
    {52, "missing configuration"},
    {98, "invalid device function"},
    {100, "no device"},
    {101, "invalid device"},
    {200, "invalid kernel image"},
    {201, "invalid context"},
    {209, "no kernel image for this GPU"},
    {214, "uncorrectable ECC error"},
    {218, "invalid PTX"},
    {220, "NVLink error"},
    {221, "PTX compiler not found"},
    {222, "unsupported PTX version"},
    {223, "PTX compilation disabled"},
    {300, "invalid source"},
    {304, "operating system call failed"},
    {400, "invalid handle"},
    {401, "illegal state"},
    {500, "symbol not found"},
    {700, "illegal memory access"},
    {701, "too many resources requested for launch"},
    {702, "kernel timed out"},
    {703, "incompatible texturing mode"},
    {709, "context destroyed"},
    {710, "assertion in a kernel failed"},
    {714, "hardware stack error"},
    {715, "illegal instruction"},
    {716, "misaligned address"},
    {717, "invalid address space"},
    {718, "invalid program counter"},
    {719, "kernel failed"},
    {720, "cooperative launch too large"},
    {800, "not permitted"},
    {801, "not supported"},
    {802, "system not ready"},
    {803, "driver and CUDA do not fit together"},
    {804, "forward compatibility not supported on this GPU"},
    {900, "not permitted while a stream is captured"},
    {901, "capture invalidated"},
    {906, "would make a captured stream wait for the legacy one"},
    {910, "update of a graph failed"},
    {912, "invalid cluster size"},
    {999, "unknown error"},
};

// Returns the number of a cudaError_t or CUresult, and its meaning: "222 (unsupported PTX
// version)". The meaning comes from CUDA's headers (driver_types.h, cuda.h). An error that both
// enums define has the same number in both. Returns only the number if the headers do not explain
// it.
std::string error_words(std::int64_t error) {
  const auto* found = std::find_if(std::begin(errors), std::end(errors),
                                   [error](const Error& one) { return one.number == error; });
  return found == std::end(errors) ? fmt::format("{}", error)
                                   : fmt::format("{} ({})", error, found->meaning);
}

std::int64_t number(const Details& details, std::size_t at) {
  return std::get<std::int64_t>(details.at(at));
}

const std::string& name(const Details& details, std::size_t at) {
  return std::get<std::string>(details.at(at));
}

std::string seconds_by(const Details& details, std::size_t at) {
  return fmt::format("{:.3f} s ({})", static_cast<double>(number(details, at)) / 1e9,
                     name(details, at + 1));
}

// Lists each count above 0 with its reason. For ops, an example is "3 start before the call that
// issued them, 1 end after the recording".
std::string by_reason(const Details& counts, std::initializer_list<std::string_view> reasons) {
  std::string list;
  std::size_t at = 1;
  for (const std::string_view reason : reasons) {
    const std::int64_t count = number(counts, at++);
    if (count > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, reason);
  }
  return list;
}

std::string tenths(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t tenths = (numerator * 10 + denominator / 2) / denominator;
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

// Returns two texts: the error, such as "222 (unsupported PTX version)", and how many ops of other
// calls ran, such as "no kernel ran". If other calls succeeded but no op was recorded, the second
// text states this.
Details error_and(const Details& details, std::string_view one, std::string_view several) {
  const std::int64_t ran = number(details, 1);
  const std::int64_t succeeded = details.size() < 3 ? 0 : number(details, 2);
  std::string others = fmt::format("no {} ran", one);
  if (ran > 0) {
    others = fmt::format("{} {} of other calls ran", ran, ran == 1 ? one : several);
  } else if (succeeded > 0) {
    others = fmt::format("of {} that succeeded no {} was recorded", succeeded, one);
  }
  return {error_words(number(details, 0)), others};
}

}  // namespace

// Returns a further fact about lost records, in brackets.
Details in_brackets(const Details& details) {
  return {details.size() < 2 ? "" : " (" + name(details, 1) + ")"};
}

Details stretch(const Details& details) {
  return {seconds_by(details, 0),
          details.size() < 3 ? std::string("the end of the recording") : seconds_by(details, 2)};
}

Details law(const Details& details) {
  for (const schema::LawText& one : schema::law_texts) {
    if (one.code == name(details, 0)) return {std::string(one.says)};
  }
  return details;
}

Details incomplete_stacks(const Details& details) {
  return {details.at(0),
          by_reason(details, {"have none because there was no room",
                              "have none because it could not be read",
                              "lack their outermost frames", "lack their frames of Python"})};
}

Details by_fault(const Details& details) {
  return {details.at(0),
          by_reason(details, {"start before the call that issued them", "end after the recording",
                              "run beside others of their stream"})};
}

// Lists tables with their counts: "CUPTI_ACTIVITY_KIND_KERNEL 3, CUPTI_ACTIVITY_KIND_MEMSET 1".
Details by_table(const Details& details) {
  std::string list;
  for (std::size_t at = 0; at + 1 < details.size(); at += 2) {
    list += fmt::format("{}{} {}", at == 0 ? "" : ", ", name(details, at), number(details, at + 1));
  }
  return {list};
}

Details came(const Details& details) {
  std::string kinds;
  for (const std::string& kind : names_from(details, 1)) {
    kinds += (kinds.empty() ? "" : " and ") + kind;
  }
  return {details.at(0), kinds};
}

Details overhead(const Details& details) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  const Ns held = number(details, 0);
  const Ns all = number(details, 1);
  return {tenths(held, ns_per_ms), tenths(all, ns_per_ms), tenths(held * 100, all)};
}

Details pace(const Details& details) {
  const auto middle_half = [&details](std::size_t at) {
    return format_ns(number(details, at)) + " to " + format_ns(number(details, at + 2));
  };
  const auto before = static_cast<double>(std::max<std::int64_t>(number(details, 6), 1));
  const auto added = static_cast<double>(number(details, 2)) - before;
  return {details.at(0),
          format_ns(number(details, 2)),
          middle_half(1),
          details.at(4),
          format_ns(number(details, 6)),
          middle_half(5),
          fmt::format("{:.0f}", 100 * std::abs(added) / before)};
}

Details other_ranges(const Details& details) {
  const std::string ranges = ranges_to_name(names_from(details, 1));
  return {details.at(0),
          ranges.empty()
              ? "No range did; those opened before the first use of CUDA are not recorded."
              : "Ranges by GPU work: " + ranges + "."};
}

Details unknown_rate(const Details& details) { return {unknown_rate_sentences(name(details, 0))}; }

Details and_kernels(const Details& details) { return error_and(details, "kernel", "kernels"); }

Details and_copies(const Details& details) {
  return error_and(details, "copy or memset", "copies and memsets");
}

}  // namespace lapscope::reports::health_details
