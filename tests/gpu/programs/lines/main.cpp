// Calls run_tiles(), which is linked to this program. With LOADS_LIBRARY, run_tiles() is in the
// library that the argument names.
#include <dlfcn.h>

#include <cstdio>

#ifdef LOADS_LIBRARY
int main(int count, char** arguments) {
  void* library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : nullptr;
  void* found = library == nullptr ? nullptr : dlsym(library, "run_tiles");
  if (found == nullptr) {
    std::fprintf(stderr, "usage: tiles_loader LIBRARY\n%s\n", count > 1 ? dlerror() : "");
    return 2;
  }
  const int status = reinterpret_cast<int (*)()>(found)();
  return status;
}
#else
#include "tiles.h"

int main() {
  const int status = run_tiles();
  return status;
}
#endif
