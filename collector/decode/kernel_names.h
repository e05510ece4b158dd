#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collector/cupti/cupti_api.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// Returns the C++ name of a symbol, or the symbol itself if it is not mangled.
std::string demangle(const char* symbol);

// Returns the StringIds of kernel names, and demangles each name only once. Names are compared by
// text, not by address: after a module is unloaded, CUPTI may store the name of another kernel at
// the same address.
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

// Returns the demangled name of a function of this process. If the library does not export the
// function, returns the library's file name and the offset, for addr2line: "libworker.so+0x11c0".
// Returns an empty text if the address is in no library.
std::string function_name(const void* address);

// Converts CUPTI's callback id of an API function to the StringIds.id of the function's name, such
// as cudaLaunchKernel_v7000.
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
