#include "collector/process/thread_number.h"

extern "C" std::uint32_t number_of_this_thread() { return lapscope::process::thread_number(); }
