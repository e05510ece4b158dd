#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collector/python_frames/interpreter.h"
#include "collector/python_frames/shared_tables.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {

// The maximum number of frames that a stack walk returns.
inline constexpr std::size_t most_frames = 64;

// The code that a frame runs, as read from the frame.
struct RunningCode {
  std::uintptr_t code = 0;
  std::uintptr_t instruction = 0;  // its address; in Python 3.10 its index
  std::uint8_t owner = 0;          // the owner of the frame: see owned_by_generator
  std::int32_t copy = 0;  // index of the copy of the instructions that runs; 0: the original
};

// Reads the file, the function and the line of an instruction from Python's code objects.
class CodeObjects {
 public:
  CodeObjects(const Interpreter& interpreter, TextTable& texts, FrameTable& known, Snapshot& memory)
      : interpreter_(interpreter),
        layout_(interpreter.layout),
        texts_(texts),
        known_(known),
        memory_(memory) {}

  // Reads the memory that resolve() will need, for all frames at once.
  void fetch(std::span<const RunningCode> running);

  enum class Outcome { frame, not_begun, nonsense };
  Outcome resolve(const RunningCode& running, PythonFrame& frame);

 private:
  struct Text;

  std::uintptr_t instructions_of(const RunningCode& running, const std::byte* code);
  std::optional<Text> text_at(std::uintptr_t address);
  std::uint32_t number_of(const Text& text);
  std::uint64_t hash_of_texts(const std::byte* code, bool& is_sound);
  bool line_of(const std::byte* code, std::uint32_t instruction, std::uint32_t& line);

  const Interpreter& interpreter_;
  const Layout& layout_;
  TextTable& texts_;
  FrameTable& known_;
  Snapshot& memory_;
};

}  // namespace lapscope::python_frames
