#include <array>
#include <string>

#include "workloads/harness/guard.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::array<const Rung*, 7> ladder{
    &cpu_sequential,      &block_hillis_steele, &block_tree, &block_tree_padded,
    &scan_then_propagate, &contender,           &cub_scan,
};

template <typename T>
void scan_in_one_loop(const ScanCall& call) {
  const auto* const in = static_cast<const T*>(call.in);
  auto* const out = static_cast<T*>(call.out);
  T left = T{0};
  if (call.kind == Kind::inclusive) {
    for (std::uint64_t i = 0; i < call.n; ++i) out[i] = left += in[i];
  } else {
    for (std::uint64_t i = 0; i < call.n; ++i) {
      const T own = in[i];
      out[i] = left;
      left += own;
    }
  }
}

}  // namespace

const Rung cpu_sequential{.name = "cpu-sequential",
                          .change = "one loop on one core",
                          .scan =
                              [](const ScanCall& call) {
                                with_type(call.type,
                                          [&]<typename T>(T) { scan_in_one_loop<T>(call); });
                              },
                          .on_cpu = true};

std::span<const Rung* const> rungs() { return ladder; }

const Rung& find_rung(std::string_view name) {
  std::string valid;
  for (const Rung* rung : ladder) {
    if (rung->name == name) return *rung;
    valid.append(valid.empty() ? "" : ", ").append(rung->name);
  }
  throw UsageError("--rung must be one of " + valid + ", not '" + std::string(name) + "'");
}

}  // namespace lapscope::workloads::scan
