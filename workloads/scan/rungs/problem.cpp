#include "workloads/scan/rungs/problem.h"

#include <string>

#include "workloads/harness/guard.h"

namespace lapscope::workloads::scan {

std::string_view name_of(Type type) {
  switch (type) {
    case Type::u32:
      return "u32";
    case Type::u64:
      return "u64";
    case Type::f32:
      break;
  }
  return "f32";
}

std::string_view name_of(Kind kind) { return kind == Kind::inclusive ? "inclusive" : "exclusive"; }

Type parse_type(std::string_view name) {
  for (const Type type : all_types) {
    if (name_of(type) == name) return type;
  }
  throw UsageError("--type must be one of u32, u64, f32, not '" + std::string(name) + "'");
}

std::size_t bytes_of(Type type) { return type == Type::u64 ? 8 : 4; }

void fill_host(Type type, void* in, std::uint64_t n) {
  with_type(type, [&]<typename T>(T) {
    auto* const elements = static_cast<T*>(in);
    for (std::uint64_t i = 0; i < n; ++i) elements[i] = input_at<T>(i);
  });
}

std::optional<std::uint64_t> first_wrong_on_host(Type type, Kind kind, const void* out,
                                                 std::uint64_t n) {
  std::optional<std::uint64_t> wrong;
  with_type(type, [&]<typename T>(T) {
    const auto* const results = static_cast<const T*>(out);
    for (std::uint64_t i = 0; i < n && !wrong; ++i) {
      if (results[i] != expected_at<T>(results, i, kind)) wrong = i;
    }
  });
  return wrong;
}

}  // namespace lapscope::workloads::scan
