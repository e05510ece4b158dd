#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapscope::test {

// What one of the programs printed: its stack, and the source lines of its calls.
struct ProgramRun {
  struct Frame {
    std::int64_t address = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t offset = 0;
    std::string path;
  };
  std::vector<Frame> frames;
  // The lines of three calls. They are in main(), process_tile() and step(), in this order.
  std::vector<int> lines;
};
ProgramRun run_program(const std::vector<std::string>& command);

// Writes a trace with the stack of this run, as the recorder does.
void write_chain(const ProgramRun& run, const std::filesystem::path& path);

}  // namespace lapscope::test
