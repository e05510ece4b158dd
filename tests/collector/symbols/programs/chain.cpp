// This program prints its call stack: each return address, and the mapping that contains it. A
// recording stores the same data. The program also prints the source lines of its calls, which
// lapscope must find for these addresses.
#include <unwind.h>

#include <cstdint>
#include <cstdio>

namespace {

_Unwind_Reason_Code print_frame(_Unwind_Context* context, void*) {
  const auto address = static_cast<unsigned long>(_Unwind_GetIP(context));
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[4096];
  while (maps && std::fgets(line, sizeof line, maps)) {
    unsigned long start = 0;
    unsigned long end = 0;
    unsigned long offset = 0;
    char path[2048] = "";
    std::sscanf(line, "%lx-%lx %*s %lx %*s %*s %2047s", &start, &end, &offset, path);
    if (start <= address && address < end) {
      std::printf("frame %lu %lu %lu %lu %s\n", address, start, end, offset, path);
    }
  }
  if (maps) std::fclose(maps);
  return _URC_NO_REASON;
}

__attribute__((noinline)) void capture() {
  _Unwind_Backtrace(print_frame, nullptr);
  asm volatile("");
}

}  // namespace

namespace tiles {

struct Tile {
  int number = 0;
};

// This function is local to the file.
__attribute__((always_inline)) static inline void step(const Tile&) {
  std::printf("line %d\n", __LINE__ + 1);
  capture();
  asm volatile("");
}

template <class T>
__attribute__((noinline)) void process_tile(T, const Tile& tile) {
  std::printf("line %d\n", __LINE__ + 1);
  step(tile);
  asm volatile("");
}

}  // namespace tiles

#ifdef IS_LIBRARY
extern "C" void run() {
#else
int main() {
#endif
  std::printf("line %d\n", __LINE__ + 1);
  tiles::process_tile(1.0F, tiles::Tile{});
  asm volatile("");
}
