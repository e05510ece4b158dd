#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>

#include "collector/bare/range_times.h"
#include "collector/environment.h"
#include "collector/nvtx_interface/interface.h"

// `lapscope record --bare` injects this library into the program in place of the collector. It
// times NVTX ranges and does not use CUDA. It must not throw into the program.
namespace lapscope::bare {
namespace {

using namespace lapscope::nvtx;

// The members are read when the library is loaded, because the program may change its environment
// later. A forked child has another process id than `pid`, and writes no times.
struct Loaded {
  pid_t pid = ::getpid();
  const char* folder = std::getenv(environment::range_times);
  std::string into = folder ? folder : "";
};
const Loaded& loaded() {
  static const Loaded* const it = new Loaded;  // outlives every exit handler
  return *it;
}

// Calls `use` with the text of a range. The text is valid only during the call.
template <class Use>
auto with_text(const char* text, Use use) {
  return use(text ? std::string_view(text) : std::string_view());
}
template <class Use>
auto with_text(const wchar_t* text, Use use) {
  std::string name;
  try {
    name = utf8(text);
  } catch (...) {  // no memory: the range has no name
    name.clear();
  }
  return use(std::string_view(name));
}
template <class Use>
auto with_text(Attributes attributes, Use use) {
  if (!attributes) return use(std::string_view());
  switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return with_text(attributes->message.ascii, use);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return with_text(attributes->message.unicode, use);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      if (attributes->message.registered) {
        return use(std::string_view(
            *reinterpret_cast<const std::string*>(attributes->message.registered)));
      }
      break;
    default:
      break;
  }
  return use(std::string_view());
}

template <class Text>
int push_text(const void* domain, Text text) noexcept {
  return with_text(text, [domain](std::string_view name) { return push(domain, name); });
}

template <class Text>
nvtxRangeId_t start_text(Text text) noexcept {
  return with_text(text, [](std::string_view name) { return nvtxRangeId_t{start(name)}; });
}

template <class Handle, class Text>
Handle handle_for(Text text) noexcept {
  return with_text(text, [](std::string_view name) {
    return reinterpret_cast<Handle>(const_cast<std::string*>(handle_of(name)));
  });
}

template <class Function>
void set(const ModuleTables& tables, typename Function::Pointer function) {
  AnyFunction* place = tables.place(Function::module, Function::id);
  if (place) *place = reinterpret_cast<AnyFunction>(function);
}

void set_all(const ModuleTables& tables) {
  set<RangePushEx>(tables, [](Attributes a) { return push_text(nullptr, a); });
  set<RangePushA>(tables, [](const char* text) { return push_text(nullptr, text); });
  set<RangePushW>(tables, [](const wchar_t* text) { return push_text(nullptr, text); });
  set<RangePop>(tables, [] { return pop(nullptr); });
  set<RangeStartEx>(tables, [](Attributes a) { return start_text(a); });
  set<RangeStartA>(tables, [](const char* text) { return start_text(text); });
  set<RangeStartW>(tables, [](const wchar_t* text) { return start_text(text); });
  set<RangeEnd>(tables, [](nvtxRangeId_t id) { end(id); });
  set<DomainRangePushEx>(tables,
                         [](DomainHandle domain, Attributes a) { return push_text(domain, a); });
  set<DomainRangePop>(tables, [](DomainHandle domain) { return pop(domain); });
  set<DomainRangeStartEx>(tables, [](DomainHandle, Attributes a) { return start_text(a); });
  set<DomainRangeEnd>(tables, [](DomainHandle, nvtxRangeId_t id) { end(id); });
  set<DomainRegisterStringA>(
      tables, [](DomainHandle, const char* text) { return handle_for<StringHandle>(text); });
  set<DomainRegisterStringW>(
      tables, [](DomainHandle, const wchar_t* text) { return handle_for<StringHandle>(text); });
  set<DomainCreateA>(tables, [](const char* name) { return handle_for<DomainHandle>(name); });
  set<DomainCreateW>(tables, [](const wchar_t* name) { return handle_for<DomainHandle>(name); });
}

void at_exit() {
  if (loaded().into.empty() || ::getpid() != loaded().pid) return;
  try {
    write_times(loaded().into,
                {environment::rank().value_or(""), ranges_without_times(), range_times()});
  } catch (...) {
    return;  // `lapscope record` reports a run without times
  }
}

}  // namespace
}  // namespace lapscope::bare

// NVTX calls this function at the first NVTX call of each module of the program. It finds the
// library through NVTX_INJECTION64_PATH.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    void* get_export_table) {
  using namespace lapscope::bare;
  try {
    static std::once_flag once;
    std::call_once(once, [] {
      loaded();
      std::atexit(at_exit);
      ::at_quick_exit(at_exit);
    });
    set_all(lapscope::nvtx::ModuleTables(get_export_table));
    return 1;
  } catch (...) {  // no memory
    return 0;
  }
}
