#pragma once

// toml++, the only way to include it. Its assertions are of what it goes on to complain of: a file
// must not end the program. With NDEBUG they would be assumptions, which a compiler may rely on.
// The functions are inline: where two files disagree about them, either may be taken.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
