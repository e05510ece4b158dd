#pragma once

// Returns the exit status for the program, which is 77 without a GPU. Has C linkage, so that dlsym
// finds it.
extern "C" int run_tiles();
