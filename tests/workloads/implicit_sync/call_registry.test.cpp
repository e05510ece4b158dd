#include "workloads/implicit_sync/call_registry.h"

#include <algorithm>
#include <set>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr std::size_t control_count = 3;

std::vector<std::string_view> names_of(const std::vector<const Call*>& calls) {
  std::vector<std::string_view> names;
  for (const Call* call : calls) names.push_back(call->name);
  return names;
}

std::size_t position_of(std::string_view name) {
  const auto found = std::ranges::find(all_calls(), name, &Call::name);
  REQUIRE(found != all_calls().end());
  return static_cast<std::size_t>(found - all_calls().begin());
}

TEST_CASE("every call has a name of its own and can be made", "[implicit_sync]") {
  std::set<std::string_view> names;
  REQUIRE(all_calls().size() > 60);
  for (const Call& call : all_calls()) {
    INFO(call.name);
    REQUIRE(names.insert(call.name).second);
    REQUIRE_FALSE(call.name.empty());
    REQUIRE(call.name.find_first_of(" \t\n") == std::string_view::npos);
    REQUIRE(call.make != nullptr);
  }
}

TEST_CASE("every claim has a source that the README explains", "[implicit_sync]") {
  const std::set<std::string> known{"lecture",  "guide",     "article",
                                    "tutorial", "reference", "cuBLAS"};
  for (const Call& call : all_calls()) {
    INFO(call.name);
    if (call.claim.says == Documented::control) continue;
    std::string sources(call.claim.source);
    for (std::size_t end = 0; !sources.empty(); sources.erase(0, end)) {
      end = std::min(sources.find(", "), sources.size());
      REQUIRE(known.contains(sources.substr(0, end)));
      end = std::min(end + 2, sources.size());
    }
    REQUIRE_FALSE(call.claim.source.empty());
  }
}

TEST_CASE("each claim has a text of its own", "[implicit_sync]") {
  std::set<std::string_view> texts;
  for (int i = 0; i <= static_cast<int>(Documented::control); ++i) {
    REQUIRE(texts.insert(text_of(static_cast<Documented>(i))).second);
  }
}

TEST_CASE("what the lecture calls implicit synchronization is in the table", "[implicit_sync]") {
  for (const char* name : {"cudaMallocHost", "cudaMalloc-64MiB", "cudaMemset-device",
                           "cudaMemcpy-device-to-device-16MiB", "launch-legacy-stream",
                           "cudaMemcpyAsync-legacy-stream", "cudaDeviceSetCacheConfig"}) {
    const Call& call = all_calls()[position_of(name)];
    REQUIRE(call.claim.says == Documented::separates_streams);
    REQUIRE(call.claim.source.find("lecture") != std::string_view::npos);
  }
}

TEST_CASE("what is called synchronizing by its name is in the table", "[implicit_sync]") {
  const auto says = [](std::string_view name) { return all_calls()[position_of(name)].claim.says; };
  REQUIRE(says("cudaDeviceSynchronize") == Documented::host_waits_for_device);
  for (const char* name :
       {"cudaStreamSynchronize", "cudaEventSynchronize", "cudaMemcpy-pageable-to-pageable-16MiB",
        "cudaMemcpy-pinned-to-pinned-16MiB", "cudaMemcpyAsync-pageable-to-pageable-16MiB",
        "cudaMemcpyAsync-pinned-to-pinned-16MiB"}) {
    INFO(name);
    REQUIRE(says(name) == Documented::host_waits_for_stream);
  }
  REQUIRE(says("cudaStreamWaitEvent-pending") == Documented::asynchronous);
}

TEST_CASE("the printf buffer is sized before a kernel that prints is launched", "[implicit_sync]") {
  REQUIRE(position_of("cudaDeviceSetLimit-printf-buffer") < position_of("launch-printing-kernel"));
}

TEST_CASE("without names all calls are selected, the controls first", "[implicit_sync]") {
  const auto selected = select_calls({});
  REQUIRE(selected.size() == all_calls().size());
  for (std::size_t i = 0; i < selected.size(); ++i) {
    REQUIRE((selected[i]->claim.says == Documented::control) == (i < control_count));
  }
}

TEST_CASE("a name selects its call, a function all its calls, and controls come along",
          "[implicit_sync]") {
  REQUIRE(names_of(select_calls({"cudaFree-64MiB"})).size() == control_count + 1);
  const auto names = names_of(select_calls({"cudaMemGetInfo", "cudaFree"}));
  const std::vector<std::string_view> expected{
      "control-nothing", "control-device", "control-event",   "cudaMemGetInfo",
      "cudaFree-4KiB",   "cudaFree-64MiB", "cudaFree-managed"};
  REQUIRE(names == expected);
}

TEST_CASE("an unknown name is refused with the list of functions", "[implicit_sync]") {
  const std::string message = usage_error_of([] { select_calls({"cudaFree", "cudaFrei"}); });
  for (const char* part : {"CALL", "'cudaFrei'", "--list", "cudaMalloc,", "cublasDestroy"}) {
    REQUIRE(contains(message, part));
  }
  REQUIRE(contains(usage_error_of([] { select_calls({"cudaFree-"}); }), "'cudaFree-'"));
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync
