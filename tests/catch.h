#pragma once

#include <string>

// Debian 12 has Catch2 2.13, and Ubuntu 24.04 has Catch2 3. Their macros are the same, but their
// headers differ.
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
// Ends a test case that cannot run on this machine. Prints "lapscope-skip: CASE: REASON" on stderr.
// scripts/test.sh lists all such lines. Catch2 2 has no SKIP.
[[noreturn]] void skip_because(const std::string& reason);
}  // namespace lapscope::test
