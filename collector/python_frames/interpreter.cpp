#include "collector/python_frames/interpreter.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <span>

#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {
namespace {

// File names of libpython. If libpython was loaded with RTLD_LOCAL, RTLD_DEFAULT does not find its
// symbols. In this case, libpython is looked up by these names.
constexpr const char* libraries[] = {
    "libpython3.10.so.1.0",  "libpython3.11.so.1.0",  "libpython3.12.so.1.0",
    "libpython3.13.so.1.0",  "libpython3.13t.so.1.0", "libpython3.14.so.1.0",
    "libpython3.14t.so.1.0", "libpython3.15.so.1.0",  "libpython3.15t.so.1.0",
};
constexpr const char* torch_library = "libtorch_cpu.so";
// torch::autograd::Engine::thread_main(const std::shared_ptr<GraphTask>&)
constexpr const char* torch_loop =
    "_ZN5torch8autograd6Engine11thread_mainERKSt10shared_ptrINS0_9GraphTaskEE";

// Returns the handle of a library; null if the library is not loaded yet. The handle is never
// closed, so the library is never unloaded.
void* loaded(const char* name) { return ::dlopen(name, RTLD_LAZY | RTLD_NOLOAD); }

// Returns a handle for which dlsym() finds the symbol `name`: RTLD_DEFAULT (the whole program) or
// the handle of a library. Returns null if dlsym() does not find the symbol.
void* holder_of(const char* name) {
  if (::dlsym(RTLD_DEFAULT, name)) return RTLD_DEFAULT;
  for (const char* library : libraries) {
    void* found = loaded(library);
    if (found && ::dlsym(found, name)) return found;
  }
  return nullptr;
}

template <typename T>
bool get(void* holder, const char* name, T& address) {
  address = reinterpret_cast<T>(::dlsym(holder, name));
  return address != nullptr;
}

// Keeps the program or library at `address` loaded, even after dlclose(). Returns true on success.
bool stays_loaded(const void* address) {
  Dl_info module;
  ::link_map* map = nullptr;
  if (::dladdr1(address, &module, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || !map) {
    return false;
  }
  // The program itself has an empty name. It is never unloaded.
  return *map->l_name == '\0' ||
         ::dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}

struct Search {
  std::uintptr_t address;
  process::AddressRange found;
};

int look_in(::dl_phdr_info* module, std::size_t, void* search_of) {
  auto& search = *static_cast<Search*>(search_of);
  for (const auto& segment : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    const process::AddressRange range{begin, begin + segment.p_memsz};
    if (!range.contains(search.address)) continue;
    search.found = range;
    return 1;
  }
  return 0;
}

process::AddressRange mapping_of(const void* function) {
  Search search{reinterpret_cast<std::uintptr_t>(function), {}};
  ::dl_iterate_phdr(look_in, &search);
  return search.found;
}

bool can_copy_memory() {
  const std::uint64_t there = 0x6c61707363617065u;
  std::array<std::byte, sizeof there> copy{};
  const Place place{reinterpret_cast<std::uintptr_t>(&there), sizeof there};
  const OwnProcess process;
  return copy_memory(process, {&place, 1}, copy) == 1 &&
         std::memcmp(copy.data(), &there, sizeof there) == 0;
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Returns the address range of the exported symbol at `address`; nothing if its size is unknown.
std::optional<process::AddressRange> extent_of(const void* address) {
  Dl_info module;
  const ElfW(Sym)* symbol = nullptr;
  if (!address ||
      ::dladdr1(address, &module, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
                RTLD_DL_SYMENT) == 0 ||
      !symbol || symbol->st_size == 0) {
    return std::nullopt;
  }
  return process::AddressRange{number(address), number(address) + symbol->st_size};
}

// Returns Python's version in the format of PY_VERSION_HEX; 0 if Python does not export it. Python
// 3.10 exports the version only as a text, for example "3.10.13 (main, ...". In a final release, a
// space follows the numbers. In other releases, another character follows (3.10.0rc1).
std::uint32_t version_of(void* holder) {
  if (const std::uint32_t* version = nullptr; get(holder, "Py_Version", version)) return *version;
  const char* (*text)() = nullptr;
  unsigned major = 0, minor = 0, micro = 0;
  char next = 0;
  if (!get(holder, "Py_GetVersion", text) ||
      std::sscanf(text(), "%u.%u.%u%c", &major, &minor, &micro, &next) != 4) {
    return 0;
  }
  return major << 24 | minor << 16 | micro << 8 | (next == ' ' ? 0xf0 : 0xc0);
}

}  // namespace

FoundInterpreter find_interpreter() {
  FoundInterpreter found;
  void* holder = holder_of("PyGILState_GetThisThreadState");
  // RTLD_DEFAULT is a null pointer, so a null `holder` is not always a failure.
  if (!holder && !::dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState")) {
    found.why_not = "There is no Python in this process.";
    return found;
  }
  found.is_python = true;
  Exported exported{.version = version_of(holder)};
  const void* loop = nullptr;
  Interpreter interpreter;
  if (!get(holder, "PyType_Type", exported.type_type) ||
      !get(holder, "PyCode_Type", exported.code_type) ||
      !get(holder, "PyUnicode_Type", exported.text_type) ||
      !get(holder, "PyBytes_Type", exported.bytes_type) ||
      !get(holder, "_PyEval_EvalFrameDefault", loop) ||
      !get(holder, "Py_IsInitialized", interpreter.is_running) ||
      !get(holder, "PyGILState_GetThisThreadState", interpreter.this_thread) ||
      !get(holder, "PyInterpreterState_Head", interpreter.newest_interpreter) ||
      !get(holder, "PyInterpreterState_Main", interpreter.main_interpreter) ||
      !get(holder, "PyInterpreterState_ThreadHead", interpreter.first_thread)) {
    found.why_not = "This Python does not export what is needed to read its stacks.";
    return found;
  }
  if (const void* variables = nullptr; get(holder, "_PyRuntime", variables)) {
    interpreter.variables = extent_of(variables).value_or(process::AddressRange{});
    exported.variables = {static_cast<const std::byte*>(variables),
                          interpreter.variables.end - interpreter.variables.begin};
  }
  ChosenLayout chosen = choose_layout(exported);
  if (!chosen.layout) {
    found.why_not = std::move(chosen.why_not);
    return found;
  }
  if (!can_copy_memory()) {
    found.why_not =
        "Stacks of Python are not read: this process may not call process_vm_writev for itself. "
        "Allow that call where the program's system calls are filtered.";
    return found;
  }
  if (!stays_loaded(loop)) {
    found.why_not = "Stacks of Python are not read: Python's library cannot be kept loaded.";
    return found;
  }
  interpreter.layout = *chosen.layout;
  interpreter.code_type = number(exported.code_type);
  interpreter.text_type = number(exported.text_type);
  interpreter.bytes_type = number(exported.bytes_type);
  interpreter.code = mapping_of(loop);
  found.interpreter = interpreter;
  return found;
}

std::optional<process::AddressRange> find_autograd_loop() {
  void* library = loaded(torch_library);
  if (!library) return std::nullopt;
  return extent_of(::dlsym(library, torch_loop));
}

}  // namespace lapscope::python_frames
