#include "collector/decode/kernel_names.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "collector/trace/kernel_name.h"

namespace lapscope::decode {

std::string demangle(const char* symbol) {
  // The demangler also decodes the codes of types. So it would return "float" for the name "f" of a
  // C kernel.
  if (!std::string_view(symbol).starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : symbol;
}

KernelNames::Ids KernelNames::ids(const char* symbol) {
  if (!symbol) symbol = "(unnamed kernel)";
  if (const auto known = known_.find(std::string_view(symbol)); known != known_.end()) {
    return known->second;
  }
  const std::string demangled = demangle(symbol);
  const Ids ids{trace_.intern(symbol), trace_.intern(demangled),
                trace_.intern(trace::short_name(demangled))};
  known_.emplace(symbol, ids);
  return ids;
}

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

std::int64_t ApiNames::id(CUpti_CallbackDomain domain, std::uint32_t cbid) {
  const std::uint64_t key = static_cast<std::uint64_t>(domain) << 32 | cbid;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const char* name = nullptr;
  const bool found =
      cupti_.get_callback_name(domain, cbid, &name) == CUPTI_SUCCESS && name != nullptr;
  const std::int64_t id = trace_.intern(
      found ? std::string(name)
            : (domain == CUPTI_CB_DOMAIN_DRIVER_API ? "driver cbid " : "runtime cbid ") +
                  std::to_string(cbid));
  known_.emplace(key, id);
  return id;
}

}  // namespace lapscope::decode
