// Catch2 3 has this main in a library; version 2 makes it here.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
