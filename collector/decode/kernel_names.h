#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collector/cupti/cupti_api.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// The C++ name of a symbol, or the symbol itself when it is not mangled.
std::string demangle(const char* symbol);

// StringIds of kernel names, worked out once per name. Keyed by the text: after a module is
// unloaded, CUPTI may give another kernel's name at the same address.
class KernelNames {
 public:
  struct Ids {
    std::int64_t mangled;
    std::int64_t demangled;
    std::int64_t brief;
  };

  explicit KernelNames(trace::TraceWriter& trace) : trace_(trace) {}
  Ids ids(const char* symbol);

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  trace::TraceWriter& trace_;
  std::unordered_map<std::string, Ids, TextHash, std::equal_to<>> known_;
};

// The name of a function of this process, demangled; where its library does not export it, the
// library's file name and the offset in it, as addr2line takes it: "libworker.so+0x11c0". Empty
// when the address lies in no library.
std::string function_name(const void* address);

// StringIds of API functions by CUPTI's callback id, as cudaLaunchKernel_v7000.
class ApiNames {
 public:
  ApiNames(trace::TraceWriter& trace, const cupti::CuptiApi& cupti)
      : trace_(trace), cupti_(cupti) {}

  std::int64_t id(CUpti_CallbackDomain domain, std::uint32_t cbid);

 private:
  trace::TraceWriter& trace_;
  const cupti::CuptiApi& cupti_;
  std::unordered_map<std::uint64_t, std::int64_t> known_;
};

}  // namespace lapscope::decode
