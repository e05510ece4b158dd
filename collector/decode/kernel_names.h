#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// The C++ name of a symbol, or the symbol itself when it is not mangled.
std::string demangle(const char* symbol);

// "void ns::scan<int>(int*, int)" -> "scan": without return type, namespaces, template arguments
// and parameters, as Nsight Systems' shortName.
std::string short_name(std::string_view demangled);

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

}  // namespace lapscope::decode
