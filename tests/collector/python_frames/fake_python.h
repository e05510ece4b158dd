#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "collector/python_frames/interpreter.h"
#include "tests/collector/python_frames/fake_release.h"

namespace lapscope::test {

// What an interpreter of a release exports, as far as it is looked at: type objects, and what it
// says of itself.
class FakeTypes {
 public:
  explicit FakeTypes(const FakeRelease& release);

  python_frames::Exported exported() const;

  // For what differs from the release.
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

// A thread of a fake interpreter, object by object in one piece of memory, with frames to be added
// from the outermost inwards. It describes the releases once more, by numbers: a layout that is
// wrong here and there would not be noticed otherwise.
class FakePython {
 public:
  explicit FakePython(const FakeRelease& release);
  FakePython(const FakePython&) = delete;

  const python_frames::Interpreter& interpreter() const { return interpreter_; }

  // The calling thread is its thread from now on.
  void run_in_this_thread();

  // Its interpreter does, and this thread has the interpreter's lock, or not.
  void collect_garbage(bool holds_lock);
  // The state of another thread of the same interpreter, that runs or not.
  void add_thread(bool holds_lock);
  // So many of a generation have ended.
  void count_collections(std::size_t generation, std::int64_t count);

  std::uintptr_t add_text(std::string_view text);
  std::uintptr_t add_bytes(const std::vector<std::uint8_t>& bytes);
  // Adds the code of ten instructions, the i-th of which is in line `first_line` + i.
  std::uintptr_t add_code(std::uintptr_t file, std::uintptr_t name, std::int32_t first_line);
  // `instruction` has begun last. Where threads have copies of the instructions it is in that one.
  std::uintptr_t add_frame(std::uintptr_t code, std::int64_t instruction, std::uint8_t owner = 0,
                           std::int32_t copy = 0);

  // Where an object's field is, by its name in CPython, and what is there.
  template <typename T>
  T& at(std::uintptr_t address) {
    return *reinterpret_cast<T*>(address);
  }
  std::uintptr_t thread() const { return thread_; }
  // Where the pointer to the innermost frame is.
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
