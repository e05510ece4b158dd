#pragma once

#include <string>

// Debian 12 ships Catch2 2.13, Ubuntu 24.04 ships 3.x: the same macros from different headers.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
namespace lapscope::test {
inline auto Containing(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
}  // namespace lapscope::test
#else
#include <catch2/catch.hpp>
namespace lapscope::test {
inline auto Containing(const std::string& part) { return Catch::Matchers::Contains(part); }
}  // namespace lapscope::test
#endif

namespace lapscope::test {
// Ends a test case that cannot run here. (Catch2 2 has no SKIP.) Prints "lapscope-skip: CASE:
// REASON" on stderr; scripts/test.sh lists these lines at its end.
[[noreturn]] void skip_because(const std::string& reason);
}  // namespace lapscope::test
