#include "collector/inject/tracing.h"

#include <string>
#include <vector>

#include "tests/catch.h"

namespace lapscope::inject {
namespace {

// The functions of CUPTI that were called, in their order.
std::vector<std::string> cupti_calls;

cupti::CuptiApi noting_cupti() {
  cupti::CuptiApi api;
  api.get_callback_name = [](CUpti_CallbackDomain, std::uint32_t, const char** name) {
    *name = "call";
    return CUPTI_SUCCESS;
  };
  api.enable_callback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain,
                           CUpti_CallbackId) {
    if (cupti_calls.empty() || cupti_calls.back() != "callbacks") {
      cupti_calls.emplace_back("callbacks");
    }
    return CUPTI_SUCCESS;
  };
  api.activity_enable = [](CUpti_ActivityKind kind) {
    cupti_calls.push_back("enable " + std::to_string(kind));
    return CUPTI_SUCCESS;
  };
  api.activity_disable = [](CUpti_ActivityKind kind) {
    cupti_calls.push_back("disable " + std::to_string(kind));
    return CUPTI_SUCCESS;
  };
  return api;
}

using Calls = std::vector<std::string>;

// A range may open while the callbacks are switched. This range is lost if NVTX is not yet enabled.
TEST_CASE("each capture enables NVTX before the callbacks and the other kinds after them",
          "[inject]") {
  const cupti::CuptiApi api = noting_cupti();
  callbacks::Listener listener(api);
  TracingStart start;
  start.kinds = {{CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_SUCCESS},
                 {CUPTI_ACTIVITY_KIND_MARKER, CUPTI_SUCCESS}};
  constexpr callbacks::Source sources[] = {callbacks::Source::synchronization};
  start.callbacks = listener.enable(nullptr, sources);
  const std::string copies = std::to_string(CUPTI_ACTIVITY_KIND_MEMCPY);
  const std::string nvtx = std::to_string(CUPTI_ACTIVITY_KIND_MARKER);

  cupti_calls.clear();
  switch_tracing(api, listener, start, start);
  CHECK(cupti_calls == Calls{"enable " + nvtx, "callbacks", "enable " + copies});

  cupti_calls.clear();
  switch_tracing(api, listener, start, {});
  CHECK(cupti_calls == Calls{"disable " + copies, "disable " + nvtx, "callbacks"});

  TracingStart without_nvtx = start;
  without_nvtx.kinds.pop_back();
  cupti_calls.clear();
  switch_tracing(api, listener, start, without_nvtx);
  CHECK(cupti_calls == Calls{"disable " + nvtx, "callbacks", "enable " + copies});

  TracingStart refused = start;
  refused.kinds.back().second = CUPTI_ERROR_NOT_SUPPORTED;
  cupti_calls.clear();
  switch_tracing(api, listener, refused, refused);
  CHECK(cupti_calls == Calls{"callbacks", "enable " + copies});
}

}  // namespace
}  // namespace lapscope::inject
