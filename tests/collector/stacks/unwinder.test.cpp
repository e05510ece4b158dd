#include "collector/stacks/unwinder.h"

#include <sys/mman.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "collector/stacks/module_table.h"
#include "tests/catch.h"
#include "tests/collector/stacks/shapes.h"

extern "C" void lapscope_test_rbp_middle(lapscope::test::Callback, void*);
extern "C" void lapscope_test_rbp_outer(lapscope::test::Callback, void*);

namespace lapscope::stacks {
namespace {

using Addresses = std::vector<std::uintptr_t>;

struct Walked {
  Addresses addresses;
  bool is_whole = false;
};

class Walker {
 public:
  Walked walk(Registers from) {
    const Unwinder::Walk walk = unwinder_.walk(from, {}, frames_, *room_);
    Walked walked;
    for (std::size_t i = 0; i < walk.frames; ++i) walked.addresses.push_back(frames_[i].address);
    walked.is_whole = walk.is_whole;
    count_ = walk.frames;
    return walked;
  }
  // Returns the frames of the last walk.
  std::span<const Unwinder::Frame> frames() const { return std::span(frames_).first(count_); }

 private:
  OwnMemory memory_;
  Unwinder unwinder_{memory_};
  std::unique_ptr<WalkRoom> room_ = std::make_unique<WalkRoom>();
  std::array<Unwinder::Frame, 100> frames_;
  std::size_t count_ = 0;
};

Addresses by_libgcc() {
  Addresses addresses;
  ::_Unwind_Backtrace(
      [](_Unwind_Context* context, void* list) {
        static_cast<Addresses*>(list)->push_back(::_Unwind_GetIP(context));
        return _URC_NO_REASON;
      },
      &addresses);
  if (!addresses.empty() && addresses.back() == 0) addresses.pop_back();
  return addresses;
}

// Checks that our walk and libgcc's walk agree, except for their innermost frames.
void check_that_both_agree(Walker& walker) {
  Walked ours = walker.walk(registers_here());
  Addresses theirs = by_libgcc();
  CHECK(ours.is_whole);
  REQUIRE(ours.addresses.size() > 2);
  // Our walk begins with this function. libgcc's walk begins with by_libgcc(), and this function
  // follows.
  ours.addresses.erase(ours.addresses.begin());
  theirs.erase(theirs.begin(), theirs.begin() + 2);
  CHECK(ours.addresses == theirs);
}

TEST_CASE("a walk finds the frames that libgcc finds", "[stacks]") {
  const test::Shapes shapes(LAPSCOPE_SHAPES);
  REQUIRE(shapes.is_loaded());
  Walker walker;
  for (int shape = 0; shape < test::shape_count; ++shape) {
    INFO("shape " << shape);
    for (int time = 0; time < 2; ++time) {  // first with rules looked up, then with stored rules
      shapes.call(shape, [&walker] { check_that_both_agree(walker); });
    }
    std::thread([&] { shapes.call(shape, [&walker] { check_that_both_agree(walker); }); }).join();
  }
}

TEST_CASE("frames of libraries that follow each other at an address are their own", "[stacks]") {
  Walker walker;
  for (int round = 0; round < 6; ++round) {
    for (const char* path : {LAPSCOPE_SHAPES, LAPSCOPE_OTHER_SHAPES}) {
      const test::Shapes shapes(path);
      REQUIRE(shapes.is_loaded());
      for (int shape = 0; shape < test::shape_count; ++shape) {
        shapes.call(shape, [&walker] { check_that_both_agree(walker); });
      }
    }
  }
}

// Returns whether two objects have the same addresses, whatever their link_maps are.
bool are_in_one_place(const LoadedObject& a, const LoadedObject& b) {
  return a.begin == b.begin && a.end == b.end && a.eh_frame_header == b.eh_frame_header;
}

// A walk in a library, and the library itself.
struct InLibrary {
  LoadedObject object;
  Walked ours;
  Addresses theirs;
  std::string path;
  std::string build_id;
};
InLibrary capture_in(const char* library, Walker& walker, ModuleTable& modules) {
  InLibrary result;
  const test::Shapes shapes(library);
  if (!shapes.is_loaded()) return result;
  result.object = *loaded_object(reinterpret_cast<std::uintptr_t>(shapes.address()));
  shapes.call(0, [&] {
    result.ours = walker.walk(registers_here());
    result.theirs = by_libgcc();
  });
  for (const Unwinder::Frame& frame : walker.frames()) {
    if (!are_in_one_place(frame.object, result.object)) continue;
    const Module& module = modules.module(modules.number_of(frame.address - 1, frame.object));
    result.path = modules.path(module);
    result.build_id.assign(module.build_id.begin(), module.build_id.begin() + module.build_id_size);
  }
  return result;
}

// Counts the outermost frames that libgcc's walk also has.
std::size_t shared_frames(const InLibrary& in) {
  const auto& ours = in.ours.addresses;
  const auto ends = std::mismatch(ours.rbegin(), ours.rend(), in.theirs.rbegin(), in.theirs.rend());
  return static_cast<std::size_t>(ends.first - ours.rbegin());
}

TEST_CASE("a library with all its parts where another one's were is itself", "[stacks]") {
  const OwnMemory memory;
  for (int attempt = 0; attempt < 20; ++attempt) {
    Walker walker;
    ModuleTable modules(memory);
    const InLibrary first = capture_in(LAPSCOPE_TWIN_A, walker, modules);
    // These strings take the memory that the loader has freed, so the next link map gets another
    // address.
    std::vector<std::string> heap;
    for (std::size_t size = 16; size < 4096; size += 16) heap.emplace_back(size, ' ');
    const InLibrary second = capture_in(LAPSCOPE_TWIN_B, walker, modules);
    REQUIRE(first.object.end != 0);
    if (!are_in_one_place(first.object, second.object)) continue;
    CHECK(first.path == LAPSCOPE_TWIN_A);
    CHECK(second.path == LAPSCOPE_TWIN_B);
    CHECK(first.build_id.size() == 20);
    CHECK(second.build_id.size() == 20);
    CHECK(first.build_id != second.build_id);
    for (const InLibrary* in : {&first, &second}) {
      CHECK(in->ours.is_whole);
      CHECK(shared_frames(*in) + 1 >= in->ours.addresses.size());
      CHECK(in->ours.addresses.size() + 1 >= in->theirs.size());
    }
    const InLibrary again = capture_in(LAPSCOPE_TWIN_A, walker, modules);
    CHECK(again.path == LAPSCOPE_TWIN_A);
    CHECK(again.ours.is_whole);
    CHECK(again.build_id == first.build_id);
    return;
  }
  test::skip_because("the loader never puts the one library where the other was");
}

// A function void(void (*callback)(void*), void* argument), as a just-in-time compiler makes it.
class Jitted {
 public:
  explicit Jitted(const std::vector<std::uint8_t>& code) {
    page_ = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);
    if (page_ != MAP_FAILED) std::memcpy(page_, code.data(), code.size());
  }
  ~Jitted() { ::munmap(page_, 4096); }
  Jitted(const Jitted&) = delete;
  Jitted& operator=(const Jitted&) = delete;
  template <class Function>
  void call(Function function) const {
    reinterpret_cast<void (*)(test::Callback, void*)>(page_)(
        [](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
  }
  bool contains(std::uintptr_t address) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(page_);
    return address >= begin && address < begin + 4096;
  }

 private:
  void* page_;
};

constexpr std::initializer_list<std::uint8_t> moves_and_call = {
    0x48, 0x89, 0xf8,  // mov rax, rdi
    0x48, 0x89, 0xf7,  // mov rdi, rsi
    0xff, 0xd0,        // call rax
};

TEST_CASE("code without unwind tables is walked by its frame pointers", "[stacks]") {
  std::vector<std::uint8_t> code{0x55, 0x48, 0x89, 0xe5};  // push rbp; mov rbp, rsp
  code.insert(code.end(), moves_and_call);
  code.insert(code.end(), {0x5d, 0xc3});  // pop rbp; ret
  const Jitted jitted(code);
  Walker walker;
  Walked walked;
  jitted.call([&] { walked = walker.walk(registers_here()); });
  CHECK(walked.is_whole);
  CHECK(std::any_of(walked.addresses.begin(), walked.addresses.end(),
                    [&](std::uintptr_t address) { return jitted.contains(address); }));
  const Addresses outer = by_libgcc();
  CHECK(std::find(walked.addresses.begin(), walked.addresses.end(), outer.back()) !=
        walked.addresses.end());
}

TEST_CASE("code with neither unwind tables nor frame pointers is no crash", "[stacks]") {
  std::vector<std::uint8_t> code{0x48, 0x83, 0xec, 0x08};  // sub rsp, 8
  code.insert(code.end(), moves_and_call);
  code.insert(code.end(), {0x48, 0x83, 0xc4, 0x08, 0xc3});  // add rsp, 8; ret
  const Jitted jitted(code);
  Walker walker;
  Walked walked;
  jitted.call([&] { walked = walker.walk(registers_here()); });
  // With frame pointers, the walk may get past the generated code, but must not end in it.
  REQUIRE(walked.addresses.size() >= 2);
  CHECK_FALSE(jitted.contains(walked.addresses.back()));
}

TEST_CASE("code that no step leads out of is not the last frame", "[stacks]") {
  std::vector<std::uint8_t> code{0x55, 0x31, 0xed};  // push rbp; xor ebp, ebp
  code.insert(code.end(), moves_and_call);
  code.insert(code.end(), {0x5d, 0xc3});  // pop rbp; ret
  const Jitted jitted(code);
  Walker walker;
  Walked walked;
  jitted.call([&] { walked = walker.walk(registers_here()); });
  REQUIRE_FALSE(walked.addresses.empty());
  CHECK_FALSE(walked.is_whole);
  CHECK_FALSE(jitted.contains(walked.addresses.back()));
}

TEST_CASE("a broken stack ends the walk", "[stacks]") {
  Walker walker;
  // A readable page between two unreadable ones.
  auto* pages = static_cast<std::byte*>(
      ::mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(pages != MAP_FAILED);
  std::byte* stack = pages + 4096;
  REQUIRE(::mprotect(stack, 4096, PROT_READ | PROT_WRITE) == 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(stack);
  const Registers here = registers_here();
  std::mt19937_64 random(1);
  const auto any = [&]() -> std::uintptr_t {
    switch (random() % 6) {
      case 0:
        return random();
      case 1:
        return begin + random() % 4096;
      case 2:
        return begin + random() % 4096 / 8 * 8;
      case 3:
        return reinterpret_cast<std::uintptr_t>(&std::strlen) + random() % 4096;
      case 4:
        return here.ip + random() % 65536;
      default:
        return random() % 4096;
    }
  };
  std::size_t most = 0;
  for (int round = 0; round < 20'000; ++round) {
    for (std::size_t at = 0; at < 4096; at += 8) {
      const std::uintptr_t word = any();
      std::memcpy(stack + at, &word, sizeof word);
    }
    const Registers from{random() % 2 == 0 ? here.ip : any(), any(), any()};
    most = std::max(most, walker.walk(from).addresses.size());
  }
  CHECK(most > 1);  // some of them continue the walk
  CHECK(most <= 100);
  ::munmap(pages, 3 * 4096);
}

[[gnu::noinline]] Walked walk_with(Walker& walker, std::uintptr_t saved_rbp,
                                   std::uintptr_t return_address) {
  auto* frame = static_cast<volatile std::uintptr_t*>(__builtin_frame_address(0));
  const std::uintptr_t before[] = {frame[0], frame[1]};
  frame[0] = saved_rbp;
  frame[1] = return_address;
  Walked walked = walker.walk(registers_here());
  frame[0] = before[0];
  frame[1] = before[1];
  return walked;
}

TEST_CASE("a return address that was written over is no frame", "[stacks]") {
  Walker walker;
  for (const std::uintptr_t garbage : {std::uintptr_t{8}, std::uintptr_t{0x4141414141414141},
                                       ~std::uintptr_t{0}, std::uintptr_t{0x7fff00000000}}) {
    const Walked walked = walk_with(walker, garbage, garbage);
    CHECK(walked.addresses.size() == 1);
    CHECK_FALSE(walked.is_whole);
  }
}

// _outer calls _middle, and _middle calls _inner, with the same arguments. The walker finds the
// callers of _outer and _middle by rbp. _inner saves rbp in rbx, and sets rbp to the frame of
// _outer.
asm(R"(
    .pushsection .text
  lapscope_test_rbp_inner:
    .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbx, -16
    mov %rbp, %rbx
    .cfi_register rbp, rbx
    mov (%rbp), %rbp
    mov %rdi, %rax
    mov %rsi, %rdi
    call *%rax
    mov %rbx, %rbp
    .cfi_restore rbp
    pop %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .globl lapscope_test_rbp_middle
  lapscope_test_rbp_middle:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    call lapscope_test_rbp_inner
    pop %rbp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .globl lapscope_test_rbp_outer
  lapscope_test_rbp_outer:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    call lapscope_test_rbp_middle
    pop %rbp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .popsection
)");

TEST_CASE("a walk ends where rbp is needed that nobody can tell", "[stacks]") {
  struct Both {
    Walker walker;
    Walked ours;
    Addresses theirs;
  } both;
  lapscope_test_rbp_outer(
      [](void* argument) {
        auto& now = *static_cast<Both*>(argument);
        now.ours = now.walker.walk(registers_here());
        now.theirs = by_libgcc();
      },
      &both);
  CHECK_FALSE(both.ours.is_whole);
  // ours[0] and theirs[1] are addresses of two places in the callback. theirs[0] is in by_libgcc().
  const Addresses& ours = both.ours.addresses;
  REQUIRE(ours.size() > 2);
  REQUIRE(both.theirs.size() > ours.size() + 1);
  CHECK(std::equal(ours.begin() + 1, ours.end(), both.theirs.begin() + 2));
  CHECK(ours.back() > reinterpret_cast<std::uintptr_t>(&lapscope_test_rbp_middle));
  CHECK(ours.back() < reinterpret_cast<std::uintptr_t>(&lapscope_test_rbp_outer));
}

}  // namespace
}  // namespace lapscope::stacks
