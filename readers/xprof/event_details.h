#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Parses XProf's texts about an event, and converts them to the codes of a trace. A member has no
// value if the text does not contain it.
namespace lapscope::xprof {

struct KernelShape {
  std::optional<std::int64_t> registers, static_shared, dynamic_shared;
  std::optional<std::int64_t> grid[3];
  std::optional<std::int64_t> block[3];
};
// Parses a text such as "regs:32 static_shared:0 dynamic_shared:1024 grid:64,2,1 block:128,1,1
// occ_pct:100".
KernelShape kernel_shape(std::string_view details);

struct Transfer {
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> target_device;
  std::optional<std::int64_t> source_kind, target_kind;  // ENUM_CUDA_MEM_KIND
  std::optional<bool> is_async;
};
// Parses the text about a copy or a memset: "kind_src:pageable kind_dst:device size:4096 dest:0
// async:1" or "kind:device num_bytes:4096 async:1".
Transfer transfer(std::string_view details);

// Returns ENUM_CUDA_MEMCPY_OPER for a name such as "MemcpyH2D".
std::int64_t copy_kind(std::string_view name);

// Returns the CUDA function of a call. XProf names a call by its effect: "MemcpyH2D", or the kernel
// that it launches. For copies, this is a driver function, because XProf records only driver calls.
std::string function_of_call(std::string_view name, const Transfer& transfer);

// Converts "$train.py:12 step" to the form of PyTorch's profiler, "train.py(12): step". If there is
// no file, returns the text after "$".
std::string python_function(std::string_view name);

}  // namespace lapscope::xprof
