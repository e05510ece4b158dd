#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What XProf writes as text about an event, in the codes of a trace. No text, or another one: what
// it would say is not known.
namespace lapscope::xprof {

struct KernelShape {
  std::optional<std::int64_t> registers, static_shared, dynamic_shared;
  std::optional<std::int64_t> grid[3];
  std::optional<std::int64_t> block[3];
};
// "regs:32 static_shared:0 dynamic_shared:1024 grid:64,2,1 block:128,1,1 occ_pct:100"
KernelShape kernel_shape(std::string_view details);

struct Transfer {
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> target_device;
  std::optional<std::int64_t> source_kind, target_kind;  // ENUM_CUDA_MEM_KIND
  std::optional<bool> is_async;
};
// "kind_src:pageable kind_dst:device size:4096 dest:0 async:1", or, of memsets,
// "kind:device num_bytes:4096 async:1"
Transfer transfer(std::string_view details);

// ENUM_CUDA_MEMCPY_OPER of "MemcpyH2D".
std::int64_t copy_kind(std::string_view name);

// The function of a call that XProf names by what it does ("MemcpyH2D", the name of a kernel that
// is launched). A copy is named as one of the driver's, which are those that XProf records.
std::string function_of_call(std::string_view name, const Transfer& transfer);

// "train.py(12): step", as PyTorch's profiler has it, of "$train.py:12 step". Without a file the
// text is that behind "$".
std::string python_function(std::string_view name);

}  // namespace lapscope::xprof
