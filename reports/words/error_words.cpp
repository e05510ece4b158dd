#include "reports/words/error_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace lapscope::reports {
namespace {

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

}  // namespace

std::string error_words(std::int64_t error) {
  const auto* found = std::find_if(std::begin(errors), std::end(errors),
                                   [error](const Error& one) { return one.number == error; });
  return found == std::end(errors) ? fmt::format("{}", error)
                                   : fmt::format("{} ({})", error, found->meaning);
}

}  // namespace lapscope::reports
