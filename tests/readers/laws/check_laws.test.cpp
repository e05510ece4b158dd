#include "readers/laws/check_laws.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "readers/read_trace.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using schema::Database;

// Returns the codes of the laws that a trace breaks, and the columns with impossible values.
std::set<std::string> broken_in(const fs::path& trace) {
  std::set<std::string> broken;
  for (const HealthRow& row : read_trace(trace).health) {
    if (row.kind == HealthKind::broken_law) broken.insert(std::get<std::string>(row.details[0]));
    if (row.kind != HealthKind::impossible_values) continue;
    broken.insert(std::get<std::string>(row.details[0]) + "." +
                  std::get<std::string>(row.details[1]));
  }
  return broken;
}

struct Breach {
  const char* trace;
  const char* statement;
  const char* breaks;
};

constexpr Breach breaches[] = {
    {"pipeline-broken", "DELETE FROM LAPSCOPE_CAPTURE WHERE name = 'session'", "facts"},
    {"pipeline-broken", "DELETE FROM LAPSCOPE_RECORDS", "counted"},
    {"pipeline-broken", "DELETE FROM LAPSCOPE_RECORDS WHERE name = 'MEMCPY'", "counted"},
    {"event-chain-broken",
     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL", "received"},
    {"event-chain-broken",
     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1",
     "one-kernel-a-launch"},
    {"pipeline-broken", "UPDATE StringIds SET value = 'x'", "names-once"},
    {"sync-device-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = (SELECT id FROM StringIds WHERE value LIKE "
     "'cudaLaunchKernel%') WHERE nameId = (SELECT id FROM StringIds WHERE value LIKE "
     "'cudaDeviceSynchronize%')",
     "one-function"},
    {"sync-device-broken",
     "UPDATE StringIds SET value = 'cudaGetDevice_v3020' WHERE value LIKE 'cudaDeviceSync%'",
     "kinds-of-waits"},
    {"sync-stream-broken", "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET streamId = 4294967295",
     "kinds-of-waits"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 9", "ids-of-calls"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = end / 2", "calls-return"},
    {"pipeline-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = (SELECT max(end) FROM "
     "CUPTI_ACTIVITY_KIND_RUNTIME) WHERE rowid = 30",
     "calls-return"},
    {"sync-device-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = start + 100 WHERE nameId = (SELECT id FROM "
     "StringIds WHERE value LIKE 'cudaDeviceSync%')",
     "waits-end"},
    {"event-chain-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = 1000 + eventSyncId WHERE "
     "syncType = 2",
     "events-recorded"},
    {"event-chain-broken", "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = 0",
     "events-recorded"},
    {"event-chain-broken", "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET contextId = 7",
     "known-streams"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1", "known-streams"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET streamId = 777", "known-streams"},
    {"pipeline-broken", "UPDATE TARGET_INFO_CUDA_STREAM SET flag = 2", "null-streams"},
    {"pipeline-broken", "UPDATE TARGET_INFO_CUDA_STREAM SET flag = 0", "null-streams"},
    {"pipeline-broken", "UPDATE TARGET_INFO_GPU SET smCount = 8", "gpus-listed"},
    {"pipeline-broken", "UPDATE TARGET_INFO_GPU SET maxWarpsPerSm = NULL", "gpus-listed"},
    {"pipeline-broken", "INSERT INTO LAPSCOPE_CAPTURE (name, value) VALUES ('pcie-links', '2')",
     "links"},
    {"nccl-all-reduce-broken",
     "UPDATE LAPSCOPE_LINKS SET uuid = (SELECT max(uuid) FROM LAPSCOPE_LINKS) WHERE kind = 'pcie'",
     "links"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid + 1",
     "known-threads"},
    {"pipeline-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = (SELECT min(correlationId) FROM "
     "CUPTI_ACTIVITY_KIND_MEMCPY) WHERE rowid = 20",
     "issued-so"},
    {"pipeline-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 99999 WHERE rowid = 5", "all-issued"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 1000 WHERE rowid = 5",
     "in-order"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 0 WHERE rowid = 5",
     "all-finished"},
    {"pageable-copy-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = 2", "directions"},
    {"pageable-copy-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 8", "directions"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET channelType = 1 WHERE rowid = 5",
     "channels"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET channelType = 2 WHERE rowid = 5",
     "channels"},
    {"default-stream-kernel-broken",
     "UPDATE CUPTI_ACTIVITY_KIND_OVERHEAD SET end = (SELECT max(end) FROM "
     "CUPTI_ACTIVITY_KIND_OVERHEAD)",
     "overheads-nest"},
    {"graph-chain-broken", "UPDATE LAPSCOPE_GRAPH_EDGES SET dependencyNodeId = graphNodeId",
     "graphs"},
    {"graph-chain-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = NULL", "graphs"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = 8",
     "CUPTI_ACTIVITY_KIND_MEMCPY.srcKind"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -5",
     "CUPTI_ACTIVITY_KIND_MEMCPY.bytes"},
    {"pipeline-broken", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 9223372036854775807",
     "CUPTI_ACTIVITY_KIND_KERNEL.gridX"},
    {"pipeline-broken", "UPDATE TARGET_INFO_CUDA_STREAM SET flag = 8",
     "TARGET_INFO_CUDA_STREAM.flag"},
};

TEST_CASE("each law is broken by a statement that breaks it", "[laws]") {
  std::set<std::string> tried;
  const test::TemporaryFolder folder;
  for (const Breach& breach : breaches) {
    const fs::path copy = folder / "altered.sqlite";
    const fs::path trace = fs::path(LAPSCOPE_TEST_TRACES) / (std::string(breach.trace) + ".sqlite");
    fs::copy_file(trace, copy, fs::copy_options::overwrite_existing);
    fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    Database(copy, Database::Mode::read_write).execute(breach.statement);
    const auto broken = broken_in(copy);
    INFO(breach.trace << ": " << breach.statement);
    for (const std::string& code : broken) UNSCOPED_INFO(code);
    CHECK(broken.count(breach.breaks) == 1);
    tried.insert(breach.breaks);
  }
  for (const schema::LawText& law : schema::law_texts) {
    INFO(law.code);
    CHECK(tried.count(std::string(law.code)) == 1);
  }
}

// A container may hide the PCIe link of the GPU.
TEST_CASE("a trace of a system that lists no links breaks no law", "[laws]") {
  const test::TemporaryFolder folder;
  const fs::path copy = folder / "t.sqlite";
  fs::copy_file(LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite", copy);
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
  Database(copy, Database::Mode::read_write)
      .execute(
          "DELETE FROM LAPSCOPE_LINKS; INSERT INTO LAPSCOPE_CAPTURE (name, value) VALUES "
          "('pcie-links', '0')");
  CHECK(broken_in(copy).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
