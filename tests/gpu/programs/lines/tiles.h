#pragma once

// Returns the program's exit status: 77 without a GPU. Has C linkage, so that dlsym finds it.
extern "C" int run_tiles();
