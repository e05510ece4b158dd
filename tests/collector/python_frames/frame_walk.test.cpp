#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "collector/python_frames/python_frames.h"
#include "tests/catch.h"
#include "tests/collector/python_frames/fake_python.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/heap.h"

namespace lapscope::python_frames {
namespace {

using test::FakePython;
using Rows = std::vector<std::string>;

// Runs the test once for each release, without any Python on this machine.
const test::FakeRelease& each_release() {
  const auto number = GENERATE(range(std::size_t{0}, test::fake_releases().size()));
  return test::fake_releases()[number];
}

Rows rows(PythonFrames& frames, std::size_t most = 64) {
  std::vector<PythonFrame> found(most);
  found.resize(frames.of_this_thread(found));
  Rows rows;
  for (const PythonFrame& frame : found) {
    rows.push_back(std::string(frames.text(frame.file)) + ":" + std::to_string(frame.line) + " " +
                   std::string(frames.text(frame.function)));
  }
  return rows;
}

// main.py:3 <module> -> main.py:15 step -> model.py:104 Model.forward
struct Program {
  explicit Program(const test::FakeRelease& release)
      : python(release), at(release), frames(python.interpreter()) {
    const auto file = python.add_text("main.py");
    module = python.add_code(file, python.add_text("<module>"), 1);
    step = python.add_code(file, python.add_text("step"), 10);
    forward = python.add_code(python.add_text("model.py"), python.add_text("Model.forward"), 100);
    python.add_frame(module, 2);
    outer = python.add_frame(step, 5);
    inner = python.add_frame(forward, 4);
  }
  FakePython python;
  const test::FakeRelease& at;
  PythonFrames frames;
  std::uintptr_t module, step, forward, outer, inner;
};

std::uintptr_t thread_of_program = 0;

const Rows whole = {"model.py:104 Model.forward", "main.py:15 step", "main.py:3 <module>"};

TEST_CASE("frames are innermost first, with file, function and line", "[python]") {
  Program program(each_release());
  CHECK(rows(program.frames) == whole);
  CHECK(rows(program.frames) == whole);
}

TEST_CASE("a frame that goes on is in another line", "[python]") {
  Program program(each_release());
  CHECK(rows(program.frames) == whole);
  program.python.at<std::uint64_t>(program.inner + program.at.frame_instruction) +=
      program.at.has_instructions() ? 6u : 3u;
  CHECK(rows(program.frames).front() == "model.py:107 Model.forward");
}

TEST_CASE("more frames than asked for are cut at the outer end", "[python]") {
  Program program(each_release());
  CHECK(rows(program.frames, 2) == Rows{whole[0], whole[1]});
  CHECK(rows(program.frames, 3) == whole);
  CHECK(rows(program.frames, 0).empty());
}

TEST_CASE("frames that have not begun and frames of calls from C are left out", "[python]") {
  Program program(each_release());
  if (program.at.has_calls_from_c()) program.python.add_frame(program.module, 0, 3);
  program.python.add_frame(program.step, -1);
  CHECK(rows(program.frames) == whole);
  if (!program.at.has_instructions()) return;
  program.python.add_frame(program.step, 0);
  CHECK(rows(program.frames) == whole);
  // A generator's frame (owner 1) is on the stack even at its first instruction.
  program.python.add_frame(program.step, 0, 1);
  CHECK(rows(program.frames).front() == "main.py:10 step");
}

TEST_CASE("a code object in the place of another is another", "[python]") {
  Program program(each_release());
  CHECK(rows(program.frames) == whole);
  FakePython& python = program.python;
  const auto file = python.at<std::uint64_t>(program.forward + program.at.co_filename);
  std::memcpy(reinterpret_cast<char*>(file + program.at.ascii_size), "layer.py", 8);
  const auto change_version = [&](std::uint32_t version) {
    if (!program.at.has_versions()) return;
    python.at<std::uint32_t>(program.forward + program.at.co_version) = version;
  };
  change_version(77);
  CHECK(rows(program.frames).front() == "layer.py:104 Model.forward");
  const auto table = python.at<std::uint64_t>(program.forward + program.at.co_linetable);
  // The second line is skipped.
  if (program.at.has_instructions()) {
    python.at<std::uint8_t>(table + program.at.bytes_data + 2) = 0x80 | 12 << 3;
  } else {
    python.at<std::uint8_t>(table + program.at.bytes_data + 3) = 2;
  }
  change_version(78);
  CHECK(rows(program.frames).front() == "layer.py:105 Model.forward");
}

TEST_CASE("a thread without frames, of another id, or with several interpreters has none",
          "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  SECTION("no frame") {
    python.at<std::uint64_t>(python.innermost()) = 0;
    CHECK(rows(program.frames).empty());
  }
  SECTION("a state of another thread, or what has taken its place") {
    python.at<std::uint64_t>(python.thread() + program.at.thread_id) += 64;
    CHECK(rows(program.frames).empty());
  }
  SECTION("several interpreters") {
    python.at<std::uint64_t>(python.thread() + 16) += 8;
    CHECK(rows(program.frames).empty());
  }
}

TEST_CASE("a thread collects garbage if its interpreter does and it has the interpreter's lock",
          "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  const auto collects = [&program] {
    std::vector<PythonFrame> found(64);
    PythonFrames::Seen seen;
    CHECK(program.frames.of_thread(OwnProcess(), ::pthread_self(), found, seen) == 3);
    return seen.collects_garbage;
  };
  CHECK_FALSE(collects());
  python.collect_garbage(false);
  CHECK_FALSE(collects());
  python.collect_garbage(true);
  CHECK(collects());
  if (program.at.gc_youngest == 0) return;
  // lapscope recognizes the garbage collector's state by this pointer.
  python.at<std::uint64_t>(python.interpreter_state() + program.at.gc_youngest) += 8;
  CHECK_FALSE(collects());
}

TEST_CASE("without an interpreter's lock a thread collects garbage if no other one runs",
          "[python]") {
  Program program(each_release());
  const bool others_may_run = GENERATE(false, true);
  if (!program.at.is_free_threaded) return;
  program.python.collect_garbage(true);
  program.python.add_thread(others_may_run);
  std::vector<PythonFrame> found(64);
  PythonFrames::Seen seen;
  program.frames.of_thread(OwnProcess(), ::pthread_self(), found, seen);
  CHECK(seen.collects_garbage == !others_may_run);
}

TEST_CASE("a thread with a copy of the instructions is where it is in that", "[python]") {
  Program program(each_release());
  if (program.at.co_tlbc == 0) return;
  const std::uintptr_t frame = program.python.add_frame(program.step, 7, 0, 1);
  CHECK(rows(program.frames).front() == "main.py:17 step");
  program.python.at<std::int32_t>(frame + program.at.frame_copy) = 1000;
  CHECK(rows(program.frames).empty());
}

TEST_CASE("a pointer to the code may have marks", "[python]") {
  Program program(each_release());
  if (program.at.version < 0x030e0000) return;
  program.python.at<std::uint64_t>(program.inner + program.at.frame_code) |= 1;
  CHECK(rows(program.frames) == whole);
}

// The thread enters and leaves the innermost function faster than a walk reads.
TEST_CASE("the walk of a running thread returns the frames that stay", "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  auto& current = python.at<std::uintptr_t>(python.innermost());
  std::atomic<bool> stops{false};
  std::thread caller([&] {
    // The other core sees each of these stores. Of two relaxed stores, it might never see the
    // first.
    while (!stops) {
      __atomic_store_n(&current, program.outer, __ATOMIC_SEQ_CST);
      __atomic_store_n(&current, program.inner, __ATOMIC_SEQ_CST);
    }
  });
  std::size_t cut = 0;
  for (int look = 0; look < 20'000; ++look) {
    std::vector<PythonFrame> found(64);
    PythonFrames::Seen seen;
    const std::size_t count = program.frames.of_thread(OwnProcess(), ::pthread_self(), found, seen);
    CHECK_FALSE(seen.is_torn);
    if (count != 3 && count != 2) FAIL("there are " << count << " frames");
    if (count == 2) ++cut;
    found.resize(count);
    CHECK(program.frames.text(found.back().function) == "<module>");
  }
  stops = true;
  caller.join();
  CHECK(cut > 0);
}

TEST_CASE("there are no frames before an interpreter has started and when it ends", "[python]") {
  Program program(each_release());
  static int is_running;
  Interpreter interpreter = program.python.interpreter();
  interpreter.is_running = [] { return is_running; };
  interpreter.this_thread = [] {
    if (!is_running) throw std::logic_error("asked for when nothing runs");
    return reinterpret_cast<void*>(thread_of_program);
  };
  thread_of_program = program.python.thread();
  PythonFrames frames(interpreter);
  std::array<PythonFrame, 4> found;
  for (const int state : {0, 1, 0}) {
    is_running = state;
    CHECK(rows(frames) == (is_running ? whole : Rows()));
    CHECK(frames.of_backward_call(found) == 0);
  }
}

// A signal handler may fork, walk a stack or end the thread, so it must not interrupt a walk.
TEST_CASE("no handler of a signal runs in a walk", "[python]") {
  Program program(each_release());
  static volatile sig_atomic_t handled, handled_in_walk;
  handled = 0;
  handled_in_walk = 0;
  ::signal(SIGUSR1, [](int) { handled = handled + 1; });
  Interpreter interpreter = program.python.interpreter();
  static void* (*newest_interpreter)();
  newest_interpreter = interpreter.newest_interpreter;
  interpreter.newest_interpreter = [] {
    ::raise(SIGUSR1);
    handled_in_walk = handled;
    return newest_interpreter();
  };
  PythonFrames frames(interpreter);
  std::array<PythonFrame, 4> found;
  CHECK(frames.of_this_thread(found) == 3);
  CHECK(handled_in_walk == 0);
  CHECK(handled == 1);
  ::signal(SIGUSR1, SIG_DFL);
}

TEST_CASE("threads that walk when a process forks take no room in the child", "[python]") {
  constexpr std::size_t room = 64;
  const test::FakeRelease& release = each_release();
  Program program(release);
  static std::atomic<std::size_t> walking;
  static std::atomic<bool> go_on;
  walking = 0;
  go_on = false;
  Interpreter interpreter = program.python.interpreter();
  static void* (*newest_interpreter)();
  newest_interpreter = interpreter.newest_interpreter;
  interpreter.newest_interpreter = [] {
    ++walking;
    while (!go_on) std::this_thread::yield();
    return newest_interpreter();
  };
  PythonFrames frames(interpreter);
  std::vector<std::unique_ptr<FakePython>> others;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < room; ++i) {
    FakePython& other = *others.emplace_back(std::make_unique<FakePython>(release));
    threads.emplace_back([&] {
      other.run_in_this_thread();
      std::array<PythonFrame, 4> found;
      frames.of_this_thread(found);
    });
  }
  program.python.run_in_this_thread();
  while (walking < room) std::this_thread::yield();
  CHECK(rows(frames).empty());
  test::Child child([&] {
    go_on = true;
    return rows(frames) == whole ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
  go_on = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(rows(frames) == whole);
}

TEST_CASE("a bad pointer gives no frames", "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  const test::FakeRelease& at = program.at;
  void* gone = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::uint64_t bad[] = {1,
                               8,
                               4096,
                               reinterpret_cast<std::uint64_t>(gone),
                               0x800000000000,
                               0xffff888000000000,
                               ~0ull,
                               python.thread()};
  const std::uintptr_t places[] = {
      python.thread() + at.thread_frame,
      python.innermost(),
      program.inner + at.frame_code,
      program.inner + at.frame_previous,
      program.inner + at.frame_instruction,
      program.forward + at.object_type,
      program.forward + at.co_filename,
      program.forward + at.co_qualname,
      program.forward + at.co_linetable,
      python.at<std::uint64_t>(program.forward + at.co_filename) + at.object_type,
      python.at<std::uint64_t>(program.forward + at.co_linetable) + at.object_type,
      program.outer + at.frame_code,
  };
  for (const bool is_known : {false, true}) {
    if (is_known) CHECK(rows(program.frames) == whole);
    for (const std::uintptr_t place : places) {
      auto& value = python.at<std::uint64_t>(place);
      const std::uint64_t right = value;
      // In some releases, an instruction is an index. Any number can be a valid index, so the test
      // skips this field.
      if (place == program.inner + at.frame_instruction && !at.has_instructions()) continue;
      const bool is_text = place == places[9] || place == places[10];
      for (const std::uint64_t wrong : bad) {
        value = wrong;
        INFO("place " << std::find(std::begin(places), std::end(places), place) - places
                      << ", value " << std::hex << wrong);
        const Rows found = rows(program.frames);
        if (is_text && at.has_versions()) {
          CHECK((found == whole || (found.empty() && !is_known)));
        } else {
          CHECK(found.empty());
        }
      }
      value = right;
      CHECK((is_known ? rows(program.frames) == whole : true));
    }
  }
  ::munmap(gone, 4096);
}

TEST_CASE("frames that lead to each other end", "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  const std::uintptr_t previous = program.at.frame_previous;
  python.at<std::uint64_t>(program.outer + previous) = program.outer;
  CHECK(rows(program.frames).empty());
  python.at<std::uint64_t>(program.outer + previous) = program.inner;
  CHECK(rows(program.frames).size() == 64);
  if (program.at.has_calls_from_c()) {
    python.at<std::uint8_t>(program.outer + program.at.frame_owner) = 3;
    python.at<std::uint8_t>(program.inner + program.at.frame_owner) = 3;
    CHECK(rows(program.frames).empty());
  }
}

TEST_CASE("random memory is walked through without harm", "[python]") {
  Program program(each_release());
  FakePython& python = program.python;
  const std::vector<std::uint64_t> right = python.memory();
  std::mt19937_64 random(1);
  const auto end = static_cast<std::size_t>(1900);
  std::size_t with_frames = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::copy(right.begin(), right.end(), python.memory().begin());
    for (int i = 0; i < 1 + round % 4; ++i) {
      std::uint64_t& word = python.memory()[random() % end];
      switch (random() % 4) {
        case 0:
          word = random();
          break;
        case 1:
          word = reinterpret_cast<std::uint64_t>(&python.memory()[random() % end]);
          break;
        case 2:
          word ^= std::uint64_t{1} << random() % 64;
          break;
        default:
          word = random() % 512;
          break;
      }
    }
    std::vector<PythonFrame> frames(64);
    const std::size_t count = program.frames.of_this_thread(frames);
    REQUIRE(count <= 64);
    for (std::size_t i = 0; i < count; ++i) program.frames.text(frames[i].function);
    with_frames += count > 0 ? 1u : 0u;
  }
  CHECK(with_frames > 0);
  std::copy(right.begin(), right.end(), python.memory().begin());
  CHECK(rows(program.frames) == whole);
}

TEST_CASE("a walk allocates nothing", "[python]") {
  Program program(each_release());
  std::array<PythonFrame, 64> found;
  const std::size_t before = test::heap_in_use();
  for (int i = 0; i < 100; ++i) program.frames.of_this_thread(found);
  CHECK(test::heap_in_use() == before);
}

}  // namespace
}  // namespace lapscope::python_frames
