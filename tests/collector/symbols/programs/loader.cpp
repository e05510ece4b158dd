#include <dlfcn.h>

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (!library) return 1;
  const auto run = reinterpret_cast<void (*)()>(dlsym(library, "run"));
  if (!run) return 1;
  run();
}
