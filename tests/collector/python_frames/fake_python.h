#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "collector/python_frames/interpreter.h"
#include "tests/collector/python_frames/fake_release.h"

namespace lapscope::test {

// The symbols of an interpreter that the collector reads: type objects and the list of offsets.
class FakeTypes {
 public:
  explicit FakeTypes(const FakeRelease& release);

  python_frames::Exported exported() const;

  // Tests change these members.
  std::uint32_t version;
  std::vector<std::uint64_t> runtime;
  using Type = std::array<std::uint64_t, 64>;
  Type type{}, code{}, text{}, bytes{};
  std::uint64_t& type_of(Type& object) const { return object[release_.object_type / 8]; }
  std::uint64_t& basic_size(Type& object) const { return object[release_.object_size / 8 + 2]; }
  std::uint64_t& item_size(Type& object) const { return object[release_.object_size / 8 + 3]; }
  std::uint64_t& list_of_members() { return code[release_.object_size / 8 + 28]; }
  struct Member {
    const char* name;
    std::uint64_t type, offset, flags, doc;
  };
  std::vector<Member> members;

 private:
  const FakeRelease& release_;
};

// A thread of a fake interpreter, with all objects in one block of memory. Frames are added from
// the outermost to the innermost. The class has its own copy of the layout's numbers, so a wrong
// number in the collector fails a test.
class FakePython {
 public:
  explicit FakePython(const FakeRelease& release);
  FakePython(const FakePython&) = delete;

  const python_frames::Interpreter& interpreter() const { return interpreter_; }

  // Makes the calling thread the thread of this interpreter.
  void run_in_this_thread();

  // Starts a garbage collection. `holds_lock`: this thread holds the interpreter's lock.
  void collect_garbage(bool holds_lock);
  // Adds another thread of the interpreter. The thread runs if it holds the lock.
  void add_thread(bool holds_lock);
  // Sets how many collections of a generation have ended.
  void count_collections(std::size_t generation, std::int64_t count);

  std::uintptr_t add_text(std::string_view text);
  std::uintptr_t add_bytes(const std::vector<std::uint8_t>& bytes);
  // Adds a code object with ten instructions. Instruction i is in line `first_line` + i.
  std::uintptr_t add_code(std::uintptr_t file, std::uintptr_t name, std::int32_t first_line);
  // Adds a frame that is at `instruction`. In releases with a copy of the instructions for each
  // thread, `copy` selects the copy.
  std::uintptr_t add_frame(std::uintptr_t code, std::int64_t instruction, std::uint8_t owner = 0,
                           std::int32_t copy = 0);

  // Returns the field at an address.
  template <typename T>
  T& at(std::uintptr_t address) {
    return *reinterpret_cast<T*>(address);
  }
  std::uintptr_t thread() const { return thread_; }
  // Returns the address of the pointer to the innermost frame.
  std::uintptr_t innermost() const;
  std::uintptr_t interpreter_state() const { return interpreter_state_; }
  std::vector<std::uint64_t>& memory() { return memory_; }

  const FakeRelease& release() const { return release_; }

 private:
  std::uintptr_t reserve(std::size_t bytes);

  const FakeRelease& release_;
  FakeTypes types_;
  std::vector<std::uint64_t> memory_;
  std::size_t used_ = 0;  // words
  std::uintptr_t thread_ = 0;
  std::uintptr_t loop_ = 0;
  std::uintptr_t innermost_ = 0;
  std::uintptr_t interpreter_state_ = 0;
  std::uint32_t codes_ = 0;
  python_frames::Interpreter interpreter_;
};

}  // namespace lapscope::test
