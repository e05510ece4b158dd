#define NVTX_NO_IMPL
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/collector/inject/synthetic_work.h"

// Replaces libcupti on machines without a GPU. It makes synthetic records of the work that
// fake_cuda_program pretends to do. It calls the real libcupti for functions that need no GPU. It
// aborts the program if the collector breaks a rule of CUPTI.
namespace lapscope::test {
namespace {

void require(bool kept) {
  if (!kept) std::abort();
}

int variable(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}

template <class Function>
Function real(const char* name) {
  static void* library = ::dlopen(LAPSCOPE_CUPTI_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  require(library);
  return reinterpret_cast<Function>(::dlsym(library, name));
}

std::size_t room_of(CUpti_ActivityKind kind) {
  cupti::CuptiApi api;
  api.activity_get_next_record =
      real<decltype(&cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord");
  return cupti::probe_record_size(api, kind);
}

CUpti_CallbackId runtime_function(std::string_view wanted) {
  const auto name_of = real<decltype(&cuptiGetCallbackName)>("cuptiGetCallbackName");
  for (CUpti_CallbackId id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
    const char* name = nullptr;
    if (name_of(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) == CUPTI_SUCCESS && name == wanted) {
      return id;
    }
  }
  require(false);
  return 0;
}

struct State {
  const pid_t pid = ::getpid();
  std::mutex mutex;  // guards the work
  SyntheticWork work{room_of};
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  bool subscribed = false;
  CUpti_CallbackFunc callback = nullptr;
  void* callback_data = nullptr;
  std::set<CUpti_CallbackId> called_back;  // runtime functions; guarded by the mutex
  std::atomic<bool> nvtx{false};
  std::atomic<std::size_t> dropped{0};
  std::atomic<int> flushes{0};
  std::atomic<int> running{0};  // flushes that deliver nothing because an op still runs
  // A buffer that a launching thread has requested and that is not yet delivered. Guarded by the
  // mutex.
  std::uint8_t* held = nullptr;
  std::size_t held_size = 0;
  std::atomic<bool> ever_requested{false};
};

State& state() {
  static State* const the_state = new State;  // outlives all exit handlers
  return *the_state;
}

// Makes records of work. The caller must hold the mutex.
void make_work(int launches) {
  State& s = state();
  if (s.request && !s.held) {
    std::size_t most_records = 0;
    s.request(&s.held, &s.held_size, &most_records);
    s.ever_requested = true;
  }
  s.work.launch(launches, s.nvtx);
  s.dropped += static_cast<std::size_t>(variable("FAKE_CUPTI_DROPPED", 0));
}

// Fills buffers of the client with records, as many as fit, and delivers the buffers.
void deliver() {
  State& s = state();
  std::vector<SyntheticWork::Record> records;
  {
    const std::lock_guard lock(s.mutex);
    records = s.work.take();
  }
  for (std::size_t next = 0; next < records.size();) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    {
      const std::lock_guard lock(s.mutex);
      std::swap(buffer, s.held);
      size = s.held_size;
    }
    std::size_t most_records = 0;
    if (!buffer) s.request(&buffer, &size, &most_records);
    if (!buffer) {
      s.dropped += records.size() - next;
      return;
    }
    // The client promised this with CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER.
    require(std::all_of(buffer, buffer + size, [](std::uint8_t byte) { return byte == 0; }));
    std::size_t used = 0;
    for (; next < records.size(); ++next) {
      const std::size_t bytes = records[next].size() * sizeof(std::uint64_t);
      if (used + bytes > size) break;
      std::memcpy(buffer + used, records[next].data(), bytes);
      used += bytes;
    }
    s.complete(nullptr, 0, buffer, size, used);
  }
}

}  // namespace
}  // namespace lapscope::test

using lapscope::test::make_work;
using lapscope::test::require;
using lapscope::test::state;
using lapscope::test::variable;

#define PASSED_ON(name, parameters, arguments)                     \
  CUptiResult CUPTIAPI name parameters {                           \
    return lapscope::test::real<decltype(&name)>(#name) arguments; \
  }

extern "C" {

PASSED_ON(cuptiGetVersion, (std::uint32_t * version), (version))
PASSED_ON(cuptiGetResultString, (CUptiResult result, const char** text), (result, text))
PASSED_ON(cuptiGetTimestamp, (std::uint64_t * timestamp), (timestamp))
PASSED_ON(cuptiGetCallbackName, (CUpti_CallbackDomain domain, std::uint32_t id, const char** name),
          (domain, id, name))
PASSED_ON(cuptiActivityGetNextRecord,
          (std::uint8_t * buffer, std::size_t valid, CUpti_Activity** record),
          (buffer, valid, record))

CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc callback,
                                    void* user_data) {
  const int result = variable("FAKE_CUPTI_SUBSCRIBE_RESULT", CUPTI_SUCCESS);
  state().subscribed = result == CUPTI_SUCCESS;
  state().callback = callback;
  state().callback_data = user_data;
  return static_cast<CUptiResult>(result);
}

CUptiResult CUPTIAPI cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle,
                                         CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  require(state().subscribed);
  if (variable("FAKE_CUPTI_NO_CALLBACKS", 0) != 0) return CUPTI_ERROR_NOT_SUPPORTED;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    if (static_cast<int>(id) == variable("FAKE_CUPTI_REFUSED_CALLBACK", -1)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const std::lock_guard lock(state().mutex);
    if (enable != 0) {
      state().called_back.insert(id);
    } else {
      state().called_back.erase(id);
    }
  }
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetStreamIdEx(CUcontext, CUstream stream, std::uint8_t,
                                        std::uint32_t* id) {
  *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream));
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  require(type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute, std::size_t*, void*) {
  require(state().subscribed && !state().request);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete) {
  require(state().subscribed);
  state().request = request;
  state().complete = complete;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind) {
  require(state().subscribed && state().request);
  require(kind != CUPTI_ACTIVITY_KIND_KERNEL);
  if (kind == variable("FAKE_CUPTI_REFUSED_KIND", -1)) return CUPTI_ERROR_INVALID_KIND;
  const std::lock_guard lock(state().mutex);
  state().work.enable(kind);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind) {
  require(state().subscribed && state().request);
  const std::lock_guard lock(state().mutex);
  state().work.disable(kind);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, std::uint8_t enable) {
  const std::lock_guard lock(state().mutex);
  state().work.enable_call(id, enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId, std::uint8_t) {
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityFlushAll(std::uint32_t flags) {
  // In a forked child, the real libcupti waits forever.
  while (::getpid() != state().pid) ::pause();
  // The real libcupti also waits forever if it has requested no buffer.
  require(state().ever_requested);
  ++state().flushes;
  const bool is_forced = (flags & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0;
  if (!is_forced && state().running > 0) {
    --state().running;
    return CUPTI_SUCCESS;
  }
  lapscope::test::deliver();
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t,
                                                       std::size_t* dropped) {
  *dropped = state().dropped.exchange(0);
  return CUPTI_SUCCESS;
}

// Replaces nvtxRangePushEx, nvtxRangePop and nvtxRangePushA in the module's table, as CUPTI does.
// The new nvtxRangePushA records nothing. Without a table, `get_export_table` is null.
int InitializeInjectionNvtx2(void* get_export_table) {
  state().nvtx = true;
  if (!get_export_table) return 1;
  using Function = void (*)();
  struct Callbacks {
    std::size_t size;
    int (*function_table)(int, Function***, unsigned*);
  };
  constexpr int core = 1;
  constexpr unsigned range_push_ex = 8;
  constexpr unsigned range_push = 9;
  constexpr unsigned range_pop = 11;
  const auto get = reinterpret_cast<const void* (*)(std::uint32_t)>(get_export_table);
  Function** table = nullptr;
  unsigned size = 0;
  if (!static_cast<const Callbacks*>(get(1))->function_table(core, &table, &size)) return 1;
  static thread_local std::vector<std::optional<std::uint32_t>> open;  // ids of recorded ranges
  int (*const push_ex)(const nvtxEventAttributes_t*) = [](const nvtxEventAttributes_t* attributes) {
    const std::lock_guard lock(state().mutex);
    open.emplace_back(state().work.begin_range(attributes->message.ascii));
    return static_cast<int>(open.size()) - 1;
  };
  int (*const push)(const char*) = [](const char*) {
    open.emplace_back();
    return static_cast<int>(open.size()) - 1;
  };
  int (*const pop)() = [] {
    if (open.empty()) return -1;
    const std::lock_guard lock(state().mutex);
    if (open.back()) state().work.end_range(*open.back());
    open.pop_back();
    return static_cast<int>(open.size());
  };
  if (!*table[range_push_ex]) *table[range_push_ex] = reinterpret_cast<Function>(push_ex);
  if (!*table[range_push]) *table[range_push] = reinterpret_cast<Function>(push);
  if (!*table[range_pop]) *table[range_pop] = reinterpret_cast<Function>(pop);
  return 1;
}

// Makes the records of `launches` kernels and of as many copies. fake_cuda_program calls it.
void fake_cupti_work(int launches) {
  const std::lock_guard lock(state().mutex);
  make_work(launches);
}

// Makes a record that nobody can decode, and behind it the records of fake_cupti_work(), all in one
// buffer.
void fake_cupti_garbled_work(int launches) {
  const std::lock_guard lock(state().mutex);
  state().work.garble();
  make_work(launches);
}

// Pretends that this thread has called a runtime function successfully. `function` is its name in
// CUPTI.
void fake_cupti_call(const char* function, const std::uintptr_t* arguments) {
  const CUpti_CallbackId id = lapscope::test::runtime_function(function);
  std::uint32_t correlation = 0;
  bool is_called_back = false;
  {
    const std::lock_guard lock(state().mutex);
    correlation = state().work.begin_call();
    is_called_back = state().called_back.contains(id);
  }
  int success = 0;
  CUpti_CallbackData data{};
  data.functionParams = arguments;
  data.functionReturnValue = &success;
  data.contextUid = 1;
  data.correlationId = correlation;
  for (const auto site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    if (!is_called_back) break;
    data.callbackSite = site;
    state().callback(state().callback_data, CUPTI_CB_DOMAIN_RUNTIME_API, id, &data);
  }
  const std::lock_guard lock(state().mutex);
  state().work.call(id, correlation);
}

// Pretends that an op still runs during the next `flushes` flushes.
void fake_cupti_run(int flushes) { state().running = flushes; }

// Returns how often the collector has flushed.
int fake_cupti_flushes() { return state().flushes; }

}  // extern "C"
