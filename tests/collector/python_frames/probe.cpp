// A library with which Python programs read their stacks as the collector does. compare_stacks.py
// loads it with ctypes.

#include <dlfcn.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "collector/python_frames/python_frames.h"

namespace {

using namespace lapscope::python_frames;
using Frames = std::array<PythonFrame, 64>;

PythonFrames* frames_of_process = nullptr;

std::string written(const Frames& frames, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text.append(frames_of_process->text(frames[i].file)).append("\t");
    text.append(frames_of_process->text(frames[i].function)).append("\t");
    text.append(std::to_string(frames[i].line)).append("\n");
  }
  return text;
}

// Stores a text until the thread's next call. The buffer has no destructor, because threads may
// call this after exit() has destroyed objects.
const char* kept(const std::string& text) {
  constinit static thread_local std::array<char, 64 * 1024> last{};
  last[text.copy(last.data(), last.size() - 1)] = '\0';
  return last.data();
}

// Finds a function of the interpreter, such as one that attaches a thread to Python.
template <typename Function>
Function python(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

extern "C" {

// Returns null if stacks can be read. Otherwise returns the reason why not.
const char* probe_start() {
  FoundInterpreter found = find_interpreter();
  if (!found.interpreter) {
    return kept(found.why_not);
  }
  // Never destroyed, because other threads walk until the process ends.
  if (!frames_of_process) frames_of_process = new PythonFrames(*found.interpreter);
  return nullptr;
}

// Returns a line "file\tfunction\tline\n" for each frame.
const char* probe_frames() {
  Frames frames;
  const std::size_t count = frames_of_process->of_this_thread(frames);
  return kept(written(frames, count));
}

// Walks the stack for `seconds`. Returns how many walks agree with the first, and how many do not.
const char* probe_walk_for(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Frames first, frames;
  const std::size_t count = frames_of_process->of_this_thread(first);
  long same = 0, different = 0;
  while (std::chrono::steady_clock::now() < end) {
    const bool is_same = frames_of_process->of_this_thread(frames) == count &&
                         std::equal(first.begin(), first.begin() + count, frames.begin());
    ++(is_same ? same : different);
  }
  return kept(std::to_string(same) + " " + std::to_string(different));
}

// Takes `looks` samples of another thread. Returns how many show a garbage collection.
int probe_is_collecting(unsigned long thread, int looks) {
  Frames frames;
  int collecting = 0;
  for (int i = 0; i < looks; ++i) {
    PythonFrames::Seen seen;
    frames_of_process->of_thread(OwnProcess(), thread, frames, seen);
    collecting += seen.collects_garbage;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return collecting;
}

// Returns a line "COUNT BEGIN END" for each generation: the number of ended collections, and the
// times of the last one if they are known.
const char* probe_collections() {
  std::string text;
  const auto seen = frames_of_process->garbage_collections(OwnProcess());
  if (!seen) return kept("none");
  for (const GarbageCollections::Generation& of : seen->of) {
    const auto last =
        std::max_element(of.known.begin(), of.known.end(),
                         [](const auto& a, const auto& b) { return a.number < b.number; });
    text += std::to_string(of.count) + " " + std::to_string(last->begin) + " " +
            std::to_string(last->end) + "\n";
  }
  return kept(text);
}

// Returns the time of a walk in ns.
double probe_time(int walks) {
  Frames frames;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < walks; ++i) frames_of_process->of_this_thread(frames);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / walks;
}

// Returns the frames of a thread that is not attached to Python.
const char* probe_in_plain_thread() {
  Frames frames;
  std::size_t count = 0;
  std::thread([&] { count = frames_of_process->of_this_thread(frames); }).join();
  return kept(written(frames, count));
}

// Starts a thread with a Python state but without Python code, like an autograd thread. Returns its
// frames, a line "--", and the frames of the call for which it works.
const char* probe_in_worker() {
  std::string text;
  std::thread([&] {
    const int state = python<int (*)()>("PyGILState_Ensure")();
    void* const saved = python<void* (*)()>("PyEval_SaveThread")();
    Frames frames;
    text = written(frames, frames_of_process->of_this_thread(frames)) + "--\n";
    text += written(frames, frames_of_process->of_backward_call(frames));
    python<void (*)(void*)>("PyEval_RestoreThread")(saved);
    python<void (*)(int)>("PyGILState_Release")(state);
  }).join();
  return kept(text);
}

// Returns whether the address is in the interpreter. A native walk ends there.
int probe_is_interpreter(void* address) {
  return frames_of_process->interpreter().contains(reinterpret_cast<std::uintptr_t>(address));
}

// Registers an exit handler that walks the stack after the interpreter has ended, and prints the
// number of frames.
void probe_at_exit() {
  std::atexit([] {
    Frames frames;
    const std::size_t count = frames_of_process->of_this_thread(frames);
    ::dprintf(STDOUT_FILENO, "frames in exit(): %zu\n", count);
  });
}

// Makes Linux refuse the system call of the walk, like filters of some containers.
int probe_refuse_copies() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

// Called in an autograd thread. Returns the frames of the thread that called `backward()`.
const char* probe_backward() {
  Frames frames;
  const std::size_t count = frames_of_process->of_backward_call(frames);
  return kept(written(frames, count));
}

// Returns 1 in the loop of an autograd thread, and 0 elsewhere. Returns -1 if the process has no
// such loop.
int probe_is_autograd_thread() {
  static const auto loop = find_autograd_loop();
  if (!loop) return -1;
  std::array<void*, 256> addresses;
  const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
  return std::any_of(addresses.begin(), addresses.begin() + count, [](void* address) {
    return loop->contains(reinterpret_cast<std::uintptr_t>(address));
  });
}

}  // extern "C"
