#pragma once

// Exit status of a program: 77 where there is no GPU. With C linkage, to be found by dlsym.
extern "C" int run_tiles();
