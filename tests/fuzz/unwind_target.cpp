#include "collector/stacks/call_frame_program.h"
#include "tests/fuzz/targets.h"

namespace lapscope::fuzz {

// The input begins with the fields of a CommonPart, in the order of the code below. After them, it
// has the unwind instructions of a function. The target runs these for two addresses in the
// function.
void unwind_tables(Bytes input) {
  const auto* data = reinterpret_cast<const std::byte*>(input.data());
  stacks::Bytes bytes(data, input.size(), 0x1000);
  stacks::CommonPart common;
  common.code_factor = bytes.uleb();
  common.data_factor = bytes.sleb();
  common.pointers = bytes.byte();
  const std::uint8_t size = bytes.byte();
  stacks::Bytes initial = bytes;
  initial.end_after(size);
  bytes.skip(size);
  for (const std::uintptr_t wanted : {std::uintptr_t{0x2000}, std::uintptr_t{0x2010}}) {
    stacks::CallFrameProgram program(common, 0x2000, wanted);
    if (!program.run(initial)) continue;
    program.take_initial();
    program.run(bytes);
  }
}

}  // namespace lapscope::fuzz
