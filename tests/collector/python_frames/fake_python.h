#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "collector/python_frames/interpreter.h"

namespace lapscope::test {

// The type objects that an interpreter of a release exports, as far as they are looked at. The
// sizes and offsets are those that the releases themselves print (sys.getsizeof, PyMemberDef), not
// the layout's.
class FakeTypes {
 public:
  explicit FakeTypes(std::uint32_t version);

  python_frames::Exported exported() const;

  // For what differs from the release.
  std::array<std::uint64_t, 64> type{}, code{}, text{}, bytes{};
  struct Member {
    const char* name;
    std::uint64_t type, offset, flags, doc;
  };
  std::vector<Member> members;

 private:
  std::uint32_t version_;
};

// A thread of a fake interpreter, object by object in one piece of memory, with frames to be added
// from the outermost inwards. It describes the releases once more, by numbers: a layout that is
// wrong here and there would not be noticed otherwise.
class FakePython {
 public:
  explicit FakePython(std::uint32_t version);  // 0x030b02f0 is 3.11.2
  FakePython(const FakePython&) = delete;

  const python_frames::Interpreter& interpreter() const { return interpreter_; }

  // The calling thread is its thread from now on.
  void run_in_this_thread();

  // Its interpreter does, and this thread has the interpreter's lock, or not.
  void collect_garbage(bool holds_lock);

  std::uintptr_t add_text(std::string_view text);
  std::uintptr_t add_bytes(const std::vector<std::uint8_t>& bytes);
  // Of ten instructions, the i-th of which is in line `first_line` + i.
  std::uintptr_t add_code(std::uintptr_t file, std::uintptr_t name, std::int32_t first_line);
  // `instruction` has begun last.
  std::uintptr_t add_frame(std::uintptr_t code, std::int64_t instruction, std::uint8_t owner = 0);

  // Where an object's field is, by its name in CPython, and what is there.
  template <typename T>
  T& at(std::uintptr_t address) {
    return *reinterpret_cast<T*>(address);
  }
  std::uintptr_t thread() const { return thread_; }
  std::uintptr_t c_frame() const { return c_frame_; }
  std::vector<std::uint64_t>& memory() { return memory_; }

  bool is_3_12() const { return version_ >= 0x030c0000; }

 private:
  std::uintptr_t reserve(std::size_t bytes);

  std::uint32_t version_;
  FakeTypes types_;
  std::vector<std::uint64_t> memory_;
  std::size_t used_ = 0;  // words
  std::uintptr_t thread_ = 0;
  std::uintptr_t c_frame_ = 0;
  std::uintptr_t innermost_ = 0;
  std::uint32_t codes_ = 0;
  python_frames::Interpreter interpreter_;
};

}  // namespace lapscope::test
