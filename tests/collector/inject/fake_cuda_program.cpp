#define NVTX_NO_IMPL
#include <dlfcn.h>
#include <linux/capability.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "collector/environment.h"

// Options of AddressSanitizer:
// - No search for leaks. Some memory of CUPTI and of the collector is never freed. The search also
//   crashes while threads end.
// - No handling of SIGSEGV. This signal ends the program as in other builds.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0:handle_segv=0"; }

// Behaves like a CUDA program towards the collector, without CUDA. Each argument is a step, some
// with a value after "=". See `steps` near the end of this file.
namespace {

std::atomic<bool> disk_blocked{false};
std::atomic<bool> write_waits{false};

char** next_steps = nullptr;  // the steps after the current one

void require(bool fine, int exit_status_otherwise) {
  if (!fine) ::_exit(exit_status_otherwise);
}

template <class Function>
Function function_of(const char* library, int flags, const char* name) {
  void* handle = library ? ::dlopen(library, flags) : nullptr;
  return handle ? reinterpret_cast<Function>(::dlsym(handle, name)) : nullptr;
}

template <class Function>
Function fake_cupti_function(const char* name) {
  return function_of<Function>("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD, name);
}

// Loads and initializes the injected tool, as the driver does in cuInit.
void init() {
  if (!std::getenv("CUDA_INJECTION64_PATH")) return;
  const auto initialize =
      function_of<int (*)()>(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW, "InitializeInjection");
  require(initialize && initialize() == 1, 90);
}

// Loads and initializes the injected tool, as NVTX does in a module's first call.
void nvtx() {
  if (!std::getenv("NVTX_INJECTION64_PATH")) return;
  const auto initialize = function_of<int (*)(void*)>(std::getenv("NVTX_INJECTION64_PATH"),
                                                      RTLD_NOW, "InitializeInjectionNvtx2");
  require(initialize, 91);
  std::printf("nvtx %d\n", initialize(nullptr));
}

// Imitates a module with NVTX. Its calls go through pointers, which a tool finds in a table and
// replaces.
namespace module {

using Function = void (*)();
Function functions[16];
Function* table[16];

int function_table(int number, Function*** found, unsigned* size) {
  if (number != 1) return 0;
  for (std::size_t i = 0; i < std::size(functions); ++i) table[i] = &functions[i];
  *found = table;
  *size = static_cast<unsigned>(std::size(table));
  return 1;
}

struct ExportTableCallbacks {
  std::size_t size;
  int (*function_table)(int, Function***, unsigned*);
};

const void* export_table(std::uint32_t id) {
  static const ExportTableCallbacks callbacks{sizeof(ExportTableCallbacks), function_table};
  return id == 1 ? &callbacks : nullptr;
}

}  // namespace module

// Calls the module's nvtxRangePushA, and nvtxRangePop after 2 ms. "NAME:N" sets the time to N ms.
void range(const std::string& text) {
  const auto colon = text.find(':');
  const int ms = colon == std::string::npos ? 2 : std::stoi(text.substr(colon + 1));
  const auto initialize = function_of<int (*)(void*)>(std::getenv("NVTX_INJECTION64_PATH"),
                                                      RTLD_NOW, "InitializeInjectionNvtx2");
  if (!initialize) return;
  initialize(reinterpret_cast<void*>(module::export_table));
  if (!module::functions[9] || !module::functions[11]) return;
  reinterpret_cast<int (*)(const char*)>(module::functions[9])(text.substr(0, colon).c_str());
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
  reinterpret_cast<int (*)()>(module::functions[11])();
}

// Opens NVTX ranges with a payload, as NCCL does. "THREADS:COUNT": COUNT ranges in each of THREADS
// threads. The payload is 1000 * (number of the thread) + (number of the range).
void send(const std::string& text) {
  const char* const library = std::getenv("NVTX_INJECTION64_PATH");
  const auto initialize =
      function_of<int (*)(void*)>(library, RTLD_NOW, "InitializeInjectionNvtx2");
  const auto extend =
      function_of<int (*)(void*)>(library, RTLD_NOW, "InitializeInjectionNvtxExtension");
  if (!initialize || !extend) return;
  initialize(reinterpret_cast<void*>(module::export_table));
  std::intptr_t slots[63] = {};
  nvtxExtModuleSegment_t segment{0, std::size(slots), slots};
  nvtxExtModuleInfo_t info{
      3,       sizeof info, NVTX_EXT_PAYLOAD_MODULEID, NVTX_EXT_PAYLOAD_COMPATID, 1, &segment,
      nullptr, nullptr};
  extend(&info);
  using Register = std::uint64_t (*)(nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t*);
  const auto add = reinterpret_cast<Register>(slots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister]);
  if (!module::functions[8] || !module::functions[11] || !add) return;
  static const nvtxPayloadSchemaEntry_t entries[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", nullptr, 0, 0, nullptr, nullptr}};
  nvtxPayloadSchemaAttr_t schema{};
  schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
  schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  schema.entries = entries;
  schema.numEntries = std::size(entries);
  const std::uint64_t id = add(nullptr, &schema);
  const auto repeat = [id](std::size_t thread, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bytes = 1000 * thread + i;
      const nvtxPayloadData_t data{id, sizeof bytes, &bytes};
      nvtxEventAttributes_t attributes{};
      attributes.version = NVTX_VERSION;
      attributes.size = sizeof attributes;
      attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
      attributes.message.ascii = "ncclSend";
      attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
      attributes.reserved0 = 1;
      attributes.payload.ullValue = reinterpret_cast<std::uintptr_t>(&data);
      reinterpret_cast<int (*)(const nvtxEventAttributes_t*)>(module::functions[8])(&attributes);
      reinterpret_cast<int (*)()>(module::functions[11])();
    }
  };
  std::vector<std::thread> threads;
  const std::size_t count = std::stoul(text.substr(text.find(':') + 1));
  for (std::size_t t = 0; t < std::stoul(text); ++t) threads.emplace_back(repeat, t, count);
  for (std::thread& thread : threads) thread.join();
}

void work(int launches) {
  if (const auto fake_work = fake_cupti_function<void (*)(int)>("fake_cupti_work")) {
    fake_work(launches);
  }
}

// Lets the last op end after this many flushes.
void run(int flushes) {
  if (const auto fake_run = fake_cupti_function<void (*)(int)>("fake_cupti_run")) {
    fake_run(flushes);
  }
}

// Makes a record that nobody can decode, and work behind it in the same buffer.
void garbled_work(int launches) {
  if (const auto fake_work = fake_cupti_function<void (*)(int)>("fake_cupti_garbled_work")) {
    fake_work(launches);
  }
}

// Makes the fake libcupti report a call of the function with this name.
void call(const char* function, const std::vector<std::uintptr_t>& arguments) {
  using Call = void (*)(const char*, const std::uintptr_t*);
  if (const auto fake = fake_cupti_function<Call>("fake_cupti_call")) {
    fake(function, arguments.data());
  }
}

// Calls the function NAME with zeros as arguments, once ("NAME") or COUNT times ("NAME:COUNT").
void calls(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const int count = colon == std::string::npos ? 1 : std::stoi(text.substr(colon + 1));
  for (int i = 0; i < count; ++i) call(name.c_str(), std::vector<std::uintptr_t>(8, 0));
}

void host_function(std::uintptr_t stream) { call("cudaLaunchHostFunc_v10000", {stream, 0, 0}); }
void make_event(std::uintptr_t event) {
  call("cudaEventCreateWithFlags_v3020", {reinterpret_cast<std::uintptr_t>(&event), 0});
}
void record_event(std::uintptr_t event) { call("cudaEventRecord_v3020", {event, 13}); }
void wait_for_event(std::uintptr_t event) { call("cudaStreamWaitEvent_v3020", {14, event, 0}); }

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// Waits until the collector has committed all earlier work, which takes three flushes. The first
// one may have begun earlier. The second one delivers the work. Before the third one, the collector
// commits the records.
void committed() {
  const auto flushes = fake_cupti_function<int (*)()>("fake_cupti_flushes");
  require(flushes, 92);
  for (const int before = flushes(); flushes() < before + 3;) sleep_ms(1);
}

void expect_child(pid_t child) {
  int status = 0;
  require(::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
          93);
}

// Forks a child without an exec, like a worker of a data loader.
void fork_child(const std::function<void()>& end) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);  // kills a child that hangs; the parent reports this
    end();
  }
  expect_child(child);
}

// Forks a child that runs the remaining steps, like a worker of multiprocessing.
void fork_rest() {
  const pid_t child = ::fork();
  if (child == 0) return;
  expect_child(child);
  std::exit(0);
}

void exec_rest() {
  std::vector<char*> arguments{program_invocation_name};
  for (char** step = next_steps; *step; ++step) arguments.push_back(*step);
  arguments.push_back(nullptr);
  ::execv("/proc/self/exe", arguments.data());
  ::_exit(94);
}

// Starts a child that is itself a CUDA program.
void spawn() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", "child", "init", "work=3", "exit=0", nullptr);
    ::_exit(94);
  }
  expect_child(child);
}

void limit_file_size(int bytes) {
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  require(::setrlimit(RLIMIT_FSIZE, &limit) == 0, 95);
}

// Gives up root's right to ignore file permissions. `init` then starts a collector thread without
// this right.
void give_up_root_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3]{};
  require(::syscall(SYS_capget, &header, rights) == 0, 97);
  rights[0].effective &= ~(1U << CAP_DAC_OVERRIDE);
  require(::syscall(SYS_capset, &header, rights) == 0, 97);
}

// Returns the path to which the collector writes.
std::filesystem::path output() { return std::getenv(lapscope::environment::output); }

void replace_trace(const std::string& text) {
  std::filesystem::remove(output());
  std::ofstream(output()) << text;
}

void make_read_only(const std::filesystem::path& folder) {
  give_up_root_rights();
  require(::chmod(folder.c_str(), 0555) == 0, 97);
}

int entries_of(const char* folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<int>(std::distance(begin(entries), end(entries)));
}

struct Held {
  int descriptors = entries_of("/proc/self/fd");
  int threads = entries_of("/proc/self/task");
};

void say_more_than(const Held& before) {
  const Held now;
  std::printf("descriptors %+d, threads %+d\n", now.descriptors - before.descriptors,
              now.threads - before.threads);
}

// Registers the first exit handler. The first handler runs last.
void say_leaks_at_exit() {
  static const Held before;
  std::atexit([] { say_more_than(before); });
}

// Prints how many more resources the collector uses than at the first call of this function.
void say_growth() {
  static const Held before;
  say_more_than(before);
}

void repeat_work(int times) {
  for (int i = 0; i < times; ++i) {
    work(1);
    sleep_ms(1);
  }
}

// Starts `count` threads, each 50 times.
void work_in_threads(int count) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([] { repeat_work(50); });
  for (std::thread& thread : threads) thread.join();
}

std::atomic<bool> exits_in_thread{false};
void exit_in_thread(int status) {
  exits_in_thread = true;
  std::thread([status] { std::exit(status); }).join();
}

const std::map<std::string_view, std::function<void(const std::string&)>> steps = {
    {"init", [](const auto&) { init(); }},
    {"nvtx", [](const auto&) { nvtx(); }},
    {"range", [](const auto& text) { range(text); }},
    {"send", [](const auto& text) { send(text); }},
    {"work", [](const auto& value) { work(std::stoi(value)); }},
    {"garbled-work", [](const auto& value) { garbled_work(std::stoi(value)); }},
    {"run", [](const auto& flushes) { run(std::stoi(flushes)); }},
    {"calls", [](const auto& text) { calls(text); }},
    {"fork-calls", [](const auto& text) { fork_child([&text] { calls(text), ::_exit(0); }); }},
    {"host-function", [](const auto& value) { host_function(std::stoul(value)); }},
    {"make-event", [](const auto& value) { make_event(std::stoul(value)); }},
    {"record-event", [](const auto& value) { record_event(std::stoul(value)); }},
    {"wait-for-event", [](const auto& value) { wait_for_event(std::stoul(value)); }},
    {"committed", [](const auto&) { committed(); }},
    {"say", [](const auto& value) { std::printf("%s\n", value.c_str()); }},
    {"await",
     [](const auto& file) {
       while (!std::filesystem::exists(file)) sleep_ms(2);
     }},
    {"touch", [](const auto& file) { std::ofstream(file) << "here"; }},
    {"repeat-work", [](const auto& value) { repeat_work(std::stoi(value)); }},
    {"work-in-threads", [](const auto& value) { work_in_threads(std::stoi(value)); }},
    {"remove-trace", [](const auto&) { require(std::filesystem::remove(output()), 98); }},
    {"replace-trace", [](const auto& text) { replace_trace(text); }},
    {"read-only-folder", [](const auto&) { make_read_only(output().parent_path()); }},
    {"block-disk", [](const auto&) { disk_blocked = true; }},
    {"await-blocked-write",
     [](const auto&) {
       while (!write_waits) sleep_ms(1);
     }},
    {"unblock-disk", [](const auto&) { disk_blocked = false; }},
    {"say-leaks-at-exit", [](const auto&) { say_leaks_at_exit(); }},
    {"say-growth", [](const auto&) { say_growth(); }},
    {"limit", [](const auto& value) { limit_file_size(std::stoi(value)); }},
    {"fork-exit", [](const auto&) { fork_child([] { std::exit(0); }); }},
    {"fork-quick-exit", [](const auto&) { fork_child([] { std::quick_exit(0); }); }},
    {"fork-rest", [](const auto&) { fork_rest(); }},
    {"spawn", [](const auto&) { spawn(); }},
    {"exec", [](const auto&) { exec_rest(); }},
    {"exit", [](const auto& value) { std::exit(std::stoi(value)); }},
    {"exit-in-thread", [](const auto& value) { exit_in_thread(std::stoi(value)); }},
    {"quick-exit", [](const auto& value) { std::quick_exit(std::stoi(value)); }},
    {"_exit", [](const auto& value) { ::_exit(std::stoi(value)); }},
    {"raise", [](const auto& value) { ::raise(std::stoi(value)); }},
};

}  // namespace

// Replaces the function of libc with which SQLite writes pages.
extern "C" __attribute__((visibility("default"))) ssize_t pwrite64(int file, const void* bytes,
                                                                   std::size_t count,
                                                                   off64_t offset) {
  while (disk_blocked) {
    write_waits = true;
    sleep_ms(1);
  }
  return ::syscall(SYS_pwrite64, file, bytes, count, offset);
}

#ifdef __SANITIZE_ADDRESS__
// LeakSanitizer of GCC 12 crashes if a thread has called exit while main waits for it.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return exits_in_thread ? 1 : 0; }
#endif

int main(int, char** argv) {
  for (char** argument = argv + 1; *argument; ++argument) {
    const std::string text(*argument);
    const auto equals = text.find('=');
    const auto step = steps.find(std::string_view(text).substr(0, equals));
    require(step != steps.end(), 96);
    next_steps = argument + 1;
    step->second(equals == std::string::npos ? "" : text.substr(equals + 1));
  }
  return 0;
}
