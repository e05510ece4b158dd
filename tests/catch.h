#pragma once

// Debian 12 ships Catch2 2.13, Ubuntu 24.04 ships 3.x: the same macros from different headers.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
