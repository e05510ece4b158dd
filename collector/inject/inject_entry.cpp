#include <string>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/inject_options.h"
#include "collector/inject/process_facts.h"
#include "collector/inject/session.h"
#include "collector/nvtx/extension.h"
#include "collector/nvtx/watch_calls.h"

// The only symbols that the collector library exports. All cross a C boundary in a foreign
// program: nothing may be thrown, and no failure of ours may become one of the program.

#define LAPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

// Called by the CUDA driver during cuInit, since CUDA_INJECTION64_PATH names this library. It works
// for programs with the runtime linked statically, and for those that use the driver API alone.
LAPSCOPE_EXPORT int InitializeInjection() {
  lapscope::inject::Session::start();
  return 1;
}

// Called by every module of the program that uses NVTX, at its first NVTX call, since
// NVTX_INJECTION64_PATH names this library. CUPTI then turns NVTX calls into activity records, from
// cuInit on; which ranges are open then, it does not know.
// Returning 0 makes that module's NVTX calls do nothing.
LAPSCOPE_EXPORT int InitializeInjectionNvtx2(void* get_export_table) {
  using namespace lapscope;
  try {
    const auto options = inject::options_from_environment();
    const auto loaded = cupti::load_cupti(options.cupti, inject::own_folder());
    std::string problem;
    if (!loaded.api || !cupti::is_usable(*loaded.api, problem)) return 0;
    if (!loaded.api->initialize_nvtx) return 0;
    // CUPTI knows a range that begins while it records. An armed process may not be recorded yet.
    const bool is_armed = options.request.capture.is_armed();
    return nvtx::initialize_watched(get_export_table, loaded.api->initialize_nvtx,
                                    is_armed || !inject::Session::current());
  } catch (...) {
    return 0;
  }
}

// Called by every module that uses an extension of NVTX, before its first call of that. CUPTI has
// such an entry point, too, but takes functions that then do what they did not without it.
LAPSCOPE_EXPORT int InitializeInjectionNvtxExtension(void* module) {
  return lapscope::nvtx::initialize_extension(module);
}
