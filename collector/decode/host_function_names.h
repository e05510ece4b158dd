#pragma once

#include <string>

namespace lapscope::decode {

// The name of a function of this process, demangled; where its library does not export it, the
// library's file name and the offset in it, as addr2line takes it: "libworker.so+0x11c0". Empty
// when the address lies in no library.
std::string function_name(const void* address);

}  // namespace lapscope::decode
