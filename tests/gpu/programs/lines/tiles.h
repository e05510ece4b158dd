#pragma once

// Returns the exit status of a program: 77 without a GPU. Has C linkage, so that dlsym finds it.
extern "C" int run_tiles();
