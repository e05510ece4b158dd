#include "collector/decode/host_function_names.h"

#include <dlfcn.h>

#include <charconv>
#include <filesystem>

#include "collector/decode/kernel_names.h"

namespace lapscope::decode {

std::string function_name(const void* address) {
  Dl_info info{};
  if (!address || ::dladdr(address, &info) == 0 || !info.dli_fname) return "";
  if (info.dli_sname) return demangle(info.dli_sname);
  const auto offset = static_cast<const char*>(address) - static_cast<const char*>(info.dli_fbase);
  char digits[20];
  constexpr int hexadecimal = 16;
  const auto end = std::to_chars(digits, digits + sizeof digits, offset, hexadecimal).ptr;
  return std::filesystem::path(info.dli_fname).filename().string() + "+0x" +
         std::string(digits, end);
}

}  // namespace lapscope::decode
