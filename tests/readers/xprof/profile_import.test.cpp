#include "readers/xprof/profile_import.h"

#include <algorithm>
#include <string>

#include "analyzer/model/evidence.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "readers/xprof/profile_json.h"
#include "readers/xprof/xspace.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/readers/rows_text.h"
#include "tests/readers/xprof/written_profile.h"

// Converts profiles to rows, and reads these rows.
namespace lapscope::xprof {
namespace {

using test::Containing;
using test::TemporaryFolder;
using test::WrittenEvent;
using test::WrittenPlane;
using test::WrittenProfile;

#ifdef LAPSCOPE_HAVE_PROTOZERO
constexpr bool reads_xspace = true;
#else
constexpr bool reads_xspace = false;
#endif

constexpr const char* no_protozero = "this build has no protozero (libprotozero-dev)";
constexpr std::int64_t us = 1'000'000;  // in ps

class ImportedProfile {
 public:
  ImportedProfile(const std::string& name, const std::string& text) {
    const TemporaryFolder folder;
    test::write_file(folder / name, text);
    import_profile(folder / name, writer_, nullptr);
    writer_.finish();
  }

  std::string rows(const std::string& columns, const std::string& rest) {
    return test::rows_text(writer_.database(), "SELECT " + columns + " FROM " + rest);
  }

  analyzer::Trace read() {
    return analyzer::read_trace(trace::TraceWriter::taken(std::move(writer_)), "a.xplane.pb");
  }

 private:
  trace::TraceWriter writer_ = trace::TraceWriter::unread(schema::Database::unnamed());
};

// Returns the profile in each file format that this build can read.
std::vector<std::pair<std::string, std::string>> forms_of(const WrittenProfile& profile) {
  std::vector<std::pair<std::string, std::string>> forms = {
      {"a.trace.json", test::profile_json(profile)}};
  if (reads_xspace) forms.emplace_back("a.xplane.pb", test::xspace(profile));
  return forms;
}

//   thread 5000000000   [train               ]
//                        [train.py:12 step  ]
//                         [cuLaunchKernel]  [MemcpyD2H]
//   stream 14               [scan<int>       ]
//   stream 15                                   [copy ]
WrittenProfile profile_of_a_step() {
  const auto gpu = [](std::int64_t id, const char* name, WrittenEvent event) {
    return test::WrittenLine{id, name, {std::move(event)}, 3};
  };
  WrittenPlane device{"/device:GPU:1"};
  device.stats = {{"device_vendor", "Nvidia"},
                  {"gpu_device_name", "NVIDIA H100"},
                  {"core_count", std::uint64_t{132}},
                  {"compute_cap_major", std::uint64_t{9}},
                  {"compute_cap_minor", std::uint64_t{0}}};
  device.lines = {
      gpu(14, "Stream #14(Compute)",
          {"void ns::scan<int>(int*)",
           30 * us,
           20 * us + 999,
           {{"correlation_id", std::uint64_t{10}},
            {"context_id", "$$2"},
            {"kernel_details",
             "regs:32 static_shared:16 dynamic_shared:0 grid:64,2,1 block:128,1,1 occ_pct:50"}}}),
      gpu(15, "Stream #15(MemcpyD2H)",
          {"MemcpyD2H",
           60 * us,
           5 * us,
           {{"correlation_id", std::uint64_t{11}},
            {"context_id", "$$2"},
            {"memcpy_details", "kind_src:device kind_dst:pageable size:4096 dest:1 async:1"}}}),
      // None of these events is an op: they are derived, or about memory.
      gpu(3735928559, "XLA Modules", {"jit_step", 30 * us, 30 * us, {}}),
      gpu(268435457, "Stream #268435457(UnifiedMemory)", {"UM_BYTES_TRANSFER_HTOD", us, us, {}}),
      gpu(0, "Stream #0(MemoryResidency)",
          {"Memory device", us, us, {{"MemoryResidency_details", "kind:device num_bytes:8"}}})};
  const std::vector<std::pair<std::string, test::StatValue>> copy = {
      {"device_id", std::uint64_t{1}},
      {"correlation_id", std::uint64_t{11}},
      {"memcpy_details", "kind_src:unknown kind_dst:unknown size:4096 dest:1 async:0"}};
  WrittenPlane host{"/host:CPU"};
  host.lines = {{5'000'000'000,
                 "python3",
                 {{"train", 10 * us, 60 * us, {{"step_num", std::uint64_t{7}}}},
                  {"$train.py:12 step", 11 * us, 58 * us},
                  {"PjRtExecutable::Execute", 12 * us, 20 * us},
                  {"cuLaunchKernel",
                   20 * us,
                   5 * us,
                   {{"device_id", std::uint64_t{1}}, {"correlation_id", std::uint64_t{10}}}},
                  {"MemcpyD2H", 55 * us, 12 * us, copy},
                  {"RecordUsage", 56 * us, 0}}}};
  return {{device, host}};
}

TEST_CASE("both forms of a profile become the same rows", "[xprof]") {
  for (const auto& [name, text] : forms_of(profile_of_a_step())) {
    INFO(name);
    ImportedProfile trace(name, text);
    CHECK(
        trace.rows("start, end, deviceId, contextId, streamId, correlationId, registersPerThread, "
                   "gridX, gridY, blockX, staticSharedMemory, f.value, s.value",
                   "CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds f ON f.id = demangledName JOIN "
                   "StringIds s ON s.id = shortName") ==
        "30000 50001 1 2 14 10 32 64 2 128 16 void ns::scan<int>(int*) scan\n");
    CHECK(trace.rows("start, end, deviceId, streamId, correlationId, bytes, copyKind, srcKind, "
                     "dstKind, dstDeviceId",
                     "CUPTI_ACTIVITY_KIND_MEMCPY") == "60000 65000 1 15 11 4096 2 2 0 -\n");
    CHECK(trace.rows("start, end, eventClass, correlationId, value",
                     "CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId ORDER BY start") ==
          "20000 25000 1 10 cuLaunchKernel\n55000 67000 1 11 cuMemcpyDtoH\n");
    CHECK(trace.rows("start, end, domainId, value",
                     "NVTX_EVENTS JOIN StringIds ON id = textId WHERE end IS NOT NULL "
                     "ORDER BY start") ==
          "10000 70000 0 train\n11000 69000 2 train.py(12): step\n"
          "12000 32000 3 PjRtExecutable::Execute\n");
    // Annotations of XLA are no frames.
    CHECK(trace.rows("stackDepth, y.value, f.value, sourceLine",
                     "CUDA_CALLCHAINS c JOIN StringIds y ON y.id = symbol LEFT JOIN StringIds f ON "
                     "f.id = sourceFile WHERE c.id = (SELECT callchainId FROM "
                     "CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = 10) ORDER BY stackDepth") ==
          "0 step train.py 12\n");
    CHECK(trace.rows("value, globalTid & 0xFFFFFF", "ThreadNames JOIN StringIds ON id = nameId") ==
          "python3 4194305\n");
    CHECK(trace.rows("value", "LAPSCOPE_CAPTURE WHERE name = 'converted-from'") ==
          "xprof/unknown\n");
  }
}

TEST_CASE("ops of a profile know their calls, and what is not known is said", "[xprof]") {
  for (const auto& [name, text] : forms_of(profile_of_a_step())) {
    INFO(name);
    const analyzer::Trace trace = ImportedProfile(name, text).read();
    REQUIRE(trace.devices.size() == 1);
    CHECK(trace.devices[0].ops.issue == std::vector<std::uint32_t>{0, 1});
    CHECK(trace.calls.kind == std::vector<analyzer::CallKind>{analyzer::CallKind::launch,
                                                              analyzer::CallKind::copy_blocking});
    CHECK(trace.facts.recorder == "XProf");
    CHECK(trace.facts.format == "xprof/unknown");
    using analyzer::Cause;
    CHECK_FALSE(missing_records(trace.facts, Cause::default_stream_barrier).empty());
    CHECK_FALSE(missing_records(trace.facts, Cause::queue_alias).empty());
    CHECK_FALSE(missing_records(trace.facts, Cause::event_wait).empty());
    const auto says = [&trace](analyzer::HealthKind kind) {
      return std::any_of(trace.health.begin(), trace.health.end(),
                         [kind](const analyzer::HealthRow& row) { return row.kind == kind; });
    };
    CHECK(says(analyzer::HealthKind::xprof_no_stream_kinds));
    CHECK_FALSE(says(analyzer::HealthKind::foreign_calls));
  }
}

TEST_CASE("a whole graph is one op, and what is in a graph has its node", "[xprof]") {
  WrittenPlane device{"/device:GPU:0"};
  device.lines = {{7,
                   "Stream #7(CudaGraph,Compute)",
                   {{"CudaGraphExec:12",
                     us,
                     9 * us,
                     {{"correlation_id", std::uint64_t{3}},
                      {"cuda_graph_id", std::uint64_t{12}},
                      {"cuda_graph_exec_id", std::uint64_t{12}}}},
                    {"k",
                     20 * us,
                     us,
                     {{"correlation_id", std::uint64_t{4}},
                      {"cuda_graph_id", std::uint64_t{12}},
                      {"cuda_graph_node_id", std::uint64_t{55}},
                      {"kernel_details", "grid:1,1,1"}}}}}};
  for (const auto& [name, text] : forms_of({{device}})) {
    INFO(name);
    ImportedProfile trace(name, text);
    CHECK(trace.rows("start, end, deviceId, streamId, correlationId, graphId",
                     "CUPTI_ACTIVITY_KIND_GRAPH_TRACE") == "1000 10000 0 7 3 12\n");
    CHECK(trace.rows("graphNodeId, graphId, gridX, blockX", "CUPTI_ACTIVITY_KIND_KERNEL") ==
          "55 12 1 -\n");
    const analyzer::Trace read = trace.read();
    CHECK(std::any_of(read.health.begin(), read.health.end(), [](const analyzer::HealthRow& row) {
      return row.kind == analyzer::HealthKind::xprof_graphs_not_traced && row.count == 1;
    }));
  }
}

TEST_CASE("NVTX, overheads and a peer copy have their rows", "[xprof]") {
  WrittenPlane device{"/device:GPU:0"};
  device.lines = {
      {7,
       "Stream #7(MemcpyP2P)",
       {{"MemcpyP2P",
         us,
         us,
         {{"correlation_id", std::uint64_t{3}},
          {"memcpy_details", "kind_src:device kind_dst:device size:8 dest:1 async:1"}}}}},
      {8,
       "Stream #8(Memset)",
       {{"Memset 2",
         us,
         us,
         {{"correlation_id", std::uint64_t{4}},
          {"Memset_details", "kind:device num_bytes:16 async:1"}}}}},
      {900, "CUPTI overhead", {{"BUFFER_FLUSH", 2 * us, us}}}};
  WrittenPlane host{"/host:CPU"};
  host.lines = {{44, "python3", {{"RESOURCE", us, us}, {"NVTX:epoch", us, us}}}};
  for (const auto& [name, text] : forms_of({{device, host}})) {
    INFO(name);
    ImportedProfile trace(name, text);
    CHECK(trace.rows("bytes, copyKind, srcDeviceId, dstDeviceId", "CUPTI_ACTIVITY_KIND_MEMCPY") ==
          "8 10 0 1\n");
    CHECK(trace.rows("bytes, memKind", "CUPTI_ACTIVITY_KIND_MEMSET") == "16 2\n");
    CHECK(trace.rows("overheadType, globalTid & 0xFFFFFF",
                     "CUPTI_ACTIVITY_KIND_OVERHEAD ORDER BY start") == "5 44\n3 -\n");
    CHECK(trace.rows("domainId, value", "NVTX_EVENTS JOIN StringIds ON id = textId") ==
          "0 epoch\n");
  }
}

TEST_CASE("what XSpace alone has becomes facts", "[xprof]") {
  if (!reads_xspace) test::skip_because(no_protozero);
  WrittenProfile profile = profile_of_a_step();
  profile.host = "h0";
  profile.warning = "Detected GPU events dropped on h0.";
  profile.error = "libcupti is not accessible";
  profile.planes.push_back(
      {"Task Environment", {}, {{"profile_start_time", std::uint64_t{1'767'189'312'000'000'000}}}});
  ImportedProfile trace("a.xplane.pb", test::xspace(profile));
  CHECK(trace.rows("name, smCount, maxBlocksPerSm, maxWarpsPerSm, maxShmemPerSm, id",
                   "TARGET_INFO_GPU") == "NVIDIA H100 132 32 64 233472 1\n");
  CHECK(trace.rows("name, value", "LAPSCOPE_CAPTURE ORDER BY name") ==
        "converted-from xprof/unknown\ncreated 2025-12-31T13:55:12Z\nhost h0\n"
        "session 1767189312000000000\n");
  CHECK(trace.rows("utcEpochNs", "TARGET_INFO_SESSION_START_TIME") == "1767189312000000000\n");
  CHECK(trace.rows("code, detail", "LAPSCOPE_LOSSES ORDER BY code") ==
        "dropped-events Detected GPU events dropped on h0\n"
        "profiler-error libcupti is not accessible\n");
}

TEST_CASE("of a GPU whose limits are not known the multiprocessors are not, either", "[xprof]") {
  if (!reads_xspace) test::skip_because(no_protozero);
  WrittenProfile profile = profile_of_a_step();
  profile.planes[0].stats[3].second = std::uint64_t{99};
  ImportedProfile trace("a.xplane.pb", test::xspace(profile));
  CHECK(trace.rows("name, computeMajor, smCount, threadsPerWarp", "TARGET_INFO_GPU") ==
        "NVIDIA H100 99 - -\n");
}

TEST_CASE("every call on an AMD GPU is foreign, by whichever name", "[xprof]") {
  if (!reads_xspace) test::skip_because(no_protozero);
  WrittenProfile profile = profile_of_a_step();
  profile.planes[0].stats[0].second = "AMD";
  ImportedProfile trace("a.xplane.pb", test::xspace(profile));
  CHECK(trace.rows("code, count", "LAPSCOPE_LOSSES") == "foreign-calls 2\n");
}

TEST_CASE("events without a time are counted, and those that happened often have none", "[xprof]") {
  if (!reads_xspace) test::skip_because(no_protozero);
  using test::field;
  const auto space = [](const std::string& event) {
    const std::string stat = field(4, field(1, std::uint64_t{1}) + field(3, std::uint64_t{9}));
    return field(
        1, field(2, "/device:GPU:0") + field(3, field(2, "Stream #7") + field(4, event + stat)) +
               field(5, field(1, std::uint64_t{1}) + field(2, field(2, "correlation_id"))));
  };
  ImportedProfile often("a.xplane.pb", space(field(5, std::uint64_t{3})));
  CHECK(often.rows("code, count", "LAPSCOPE_LOSSES") == "without-time 1\n");
  ImportedProfile huge("a.xplane.pb",
                       space(field(2, std::uint64_t{1} << 62) + field(3, std::uint64_t{1} << 62)));
  CHECK(huge.rows("code, count", "LAPSCOPE_LOSSES") == "without-time 1\n");
  // The metadata lack the id of the op's name.
  ImportedProfile nameless("a.xplane.pb",
                           space(field(1, std::uint64_t{77}) + field(2, std::uint64_t{5000})));
  CHECK(nameless.rows("start, end, correlationId", "CUPTI_ACTIVITY_KIND_KERNEL") == "5 5 9\n");
}

TEST_CASE("XSpace that ends anywhere, or is none, is refused or shorter", "[xprof]") {
  if (!reads_xspace) test::skip_because(no_protozero);
  const std::string whole = test::xspace(profile_of_a_step());
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    try {
      ImportedProfile trace("a.xplane.pb", whole.substr(0, size));
    } catch (const analyzer::UnreadableTrace& error) {
      CHECK(std::string(error.what()).find("is damaged or cut short") != std::string::npos);
    }
  }
  CHECK_THROWS_WITH(ImportedProfile("a.xplane.pb", "\x0a\xff\xff\xff"),
                    Containing("a.xplane.pb' is damaged or cut short"));
  // Fields of another type and unknown fields are skipped.
  ImportedProfile other("a.xplane.pb",
                        test::field(1, std::uint64_t{5}) + test::field(99, "new") + whole);
  CHECK(other.rows("count(*)", "CUPTI_ACTIVITY_KIND_KERNEL") == "1\n");
}

TEST_CASE("a profile of another accelerator is refused by its name", "[xprof]") {
  for (const auto& [name, text] :
       forms_of({{{"/device:TPU:0", {{1, "XLA Ops", {{"fusion", us, us}}}}}, {"/host:CPU"}}})) {
    INFO(name);
    CHECK_THROWS_WITH(ImportedProfile(name, text), Containing("has the work of a TPU"));
  }
}

// Moves metadata behind the events: all text from the first `marker` to the first event.
std::string with_late_names(std::string json, const std::string& marker) {
  const std::size_t names = json.find(marker);
  const std::size_t events = json.find(R"({"ph":"X")");
  const std::string moved = json.substr(names, events - names);
  json.erase(names, moved.size());
  return json.insert(json.rfind("{}]}"), moved);
}

TEST_CASE("JSON that names its processes and streams behind their events is refused", "[xprof]") {
  const std::string json = test::profile_json(profile_of_a_step());
  const std::string stream = R"({"ph":"M","pid":1,"tid":14)";
  REQUIRE(json.find(stream) != std::string::npos);
  for (const std::string& marker : {std::string(R"({"ph":"M")"), stream}) {
    CHECK_THROWS_WITH(ImportedProfile("a.trace.json", with_late_names(json, marker)),
                      Containing("behind their events") && Containing(".xplane.pb"));
  }
}

TEST_CASE("a profile is known by its planes, whatever the file is called", "[xprof]") {
  const TemporaryFolder folder;
  const auto format = [&folder](const char* name, const std::string& text) {
    test::write_file(folder / name, text);
    return analyzer::format_of_source(folder / name, analyzer::Likeness::certain);
  };
  const WrittenProfile profile = profile_of_a_step();
  CHECK(format("renamed", test::xspace(profile)) == &analyzer::xprof_format);
  CHECK(format("empty.xplane.pb", "") == &analyzer::xprof_format);
  CHECK(format("a.json", test::profile_json(profile)) == &analyzer::xprof_format);
  CHECK(format("k.json", R"({"schemaVersion": 1, "traceEvents": [{"name": "/host:CPU"}]})") ==
        &analyzer::kineto_format);
  CHECK(format("c.json", R"({"traceEvents": [{"name": "a"}]})") == &analyzer::kineto_format);
  CHECK(format("p.pftrace", "\x0a\x10 perfetto") == nullptr);
}

}  // namespace
}  // namespace lapscope::xprof
