#include <string>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/inject_options.h"
#include "collector/inject/process_facts.h"
#include "collector/inject/session.h"
#include "collector/nvtx/watch_calls.h"

// The only symbols that the collector library exports. CUDA and NVTX call them as C functions
// inside the recorded program. So they must not throw, and a failure of lapscope must not make the
// program fail.

#define LAPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

// The CUDA driver calls this function during cuInit, because CUDA_INJECTION64_PATH names this
// library. Programs that link the runtime statically, or use only the driver API, are recorded as
// well.
LAPSCOPE_EXPORT int InitializeInjection() {
  lapscope::inject::Session::start();
  return 1;
}

// NVTX calls this function at the first NVTX call of each module of the program, because
// NVTX_INJECTION64_PATH names this library. If this function returns 0, the NVTX calls of the
// module do nothing.
LAPSCOPE_EXPORT int InitializeInjectionNvtx2(void* get_export_table) {
  using namespace lapscope;
  try {
    const auto options = inject::options_from_environment();
    const auto loaded = cupti::load_cupti(options.cupti, inject::own_folder());
    std::string problem;
    if (!loaded.api || !cupti::is_usable(*loaded.api, problem)) return 0;
    if (!loaded.api->initialize_nvtx) return 0;
    // Before cuInit, CUPTI records no ranges. So lapscope itself keeps track of the open ranges. In
    // an armed process, it always does so, because a capture can begin at any time.
    const bool is_armed = options.request.capture.is_armed();
    return nvtx::initialize_watched(get_export_table, loaded.api->initialize_nvtx,
                                    is_armed || !inject::Session::current());
  } catch (...) {
    return 0;
  }
}

// Each module that uses an extension of NVTX calls this function before its first call of the
// extension. CUPTI also has such an entry point. lapscope does not call CUPTI's entry point,
// because CUPTI would replace some functions of the extension by functions that behave differently.
LAPSCOPE_EXPORT int InitializeInjectionNvtxExtension(void* module) {
  return lapscope::nvtx::initialize_extension(module);
}
