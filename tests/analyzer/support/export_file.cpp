#include "tests/analyzer/support/export_file.h"

#include "collector/schema/global_id.h"
#include "collector/trace/kernel_name.h"

namespace lapscope::test {
namespace {

constexpr std::uint32_t pid = 100;

const char* metadata(NsysRelease release) {
  switch (release) {
    case NsysRelease::r2020:
      return "";  // this release does not store its version
    case NsysRelease::r2022:
      return "CREATE TABLE EXPORT_META_DATA (name TEXT NOT NULL, value TEXT);"
             "INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_SCHEMA_VERSION', '2.9.1'),"
             "  ('EXPORT_PRODUCT_VERSION', '2022.2.1.31');";
    case NsysRelease::r2024:
      return "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
             "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.13.2'),"
             "  ('EXPORT_PRODUCT_VERSION', '2024.5.1.113');";
    case NsysRelease::r2026:
      break;
  }
  return "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
         "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.24.14'),"
         "  ('EXPORT_PRODUCT_VERSION', '2026.1.1.204');"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER, end INTEGER,"
         "  eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER,"
         "  overheadType INTEGER);";
}

const char* gpus(NsysRelease release) {
  if (release == NsysRelease::r2020) {
    return "CREATE TABLE TARGET_INFO_CUDA_GPU (vmId INTEGER, name TEXT, numThreadsPerWarp INTEGER,"
           "  numMemcpyEngines INTEGER, numMultiprocessors INTEGER,"
           "  maxWarpsPerMultiprocessor INTEGER, maxBlocksPerMultiprocessor INTEGER,"
           "  deviceId INTEGER, maxSharedMemoryPerMultiprocessor INTEGER,"
           "  maxRegistersPerMultiprocessor INTEGER);"
           "INSERT INTO TARGET_INFO_CUDA_GPU VALUES (1, 'Some GPU', 32, 7, 80, 64, 32, 0, 98304,"
           "  65536);";
  }
  return "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, cuDevice INTEGER,"
         "  smCount INTEGER, threadsPerWarp INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER,"
         "  maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER, asyncEngines INTEGER);"
         "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'Some GPU', 0, 80, 32, 64, 32, 65536, 98304, "
         "2);";
}

// Returns SQL that adds the streams and the context. Nsight Systems records the kinds of streams
// only since 2021.
std::string contexts(NsysRelease release) {
  std::string text =
      "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, hwId INTEGER, vmId INTEGER,"
      "  processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER);";
  text += release == NsysRelease::r2020
              ? "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 0, 1, 100, 1, 0, 0),"
                "  (13, 0, 1, 100, 1, 0, 0);"
              : "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 0, 1, 100, 1, 0, 3),"
                "  (13, 0, 1, 100, 1, 0, 2);";
  text += release == NsysRelease::r2020 || release == NsysRelease::r2022
              ? "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (streamId INTEGER, hwId INTEGER,"
                "  vmId INTEGER, processId INTEGER, deviceId INTEGER, contextId INTEGER);"
                "INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (7, 0, 1, 100, 0, 1);"
              : "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER, hwId INTEGER,"
                "  vmId INTEGER, processId INTEGER, deviceId INTEGER, contextId INTEGER);"
                "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (7, 0, 1, 100, 0, 1);";
  return text;
}

std::string events(NsysRelease release) {
  const std::string more = release == NsysRelease::r2026 ? ", eventSyncId INTEGER" : "";
  return "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER,"
         "  deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,"
         "  globalPid INTEGER, syncType INTEGER, eventId INTEGER" +
         more +
         ");"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, contextId INTEGER,"
         "  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, eventId INTEGER" +
         more + ");";
}

constexpr const char* activities =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,"
    "  globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
    "  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
    "  demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY "
    "INTEGER, gridZ INTEGER,"
    "  blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER,"
    "  dynamicSharedMemory INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,"
    "  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
    "  bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);";

std::string list_of(std::initializer_list<std::int64_t> values) {
  std::string list;
  for (const std::int64_t value : values)
    list += (list.empty() ? "" : ", ") + std::to_string(value);
  return "(" + list + ")";
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

}  // namespace

ExportFile::ExportFile(const std::filesystem::path& path, NsysRelease release)
    : release_(release), database_(path, schema::Database::Mode::create) {
  sql(activities);
  sql(metadata(release));
  sql(gpus(release));
  sql(contexts(release));
  sql(events(release));
}

std::int64_t ExportFile::name(const std::string& text) {
  const auto known =
      database_.query_int64("SELECT id FROM StringIds WHERE value = " + quoted(text));
  if (known) return *known;
  sql("INSERT INTO StringIds VALUES (" + std::to_string(++names_) + ", " + quoted(text) + ")");
  return names_;
}

std::int64_t ExportFile::call(const std::string& function, std::int64_t start, std::int64_t end,
                              std::int64_t result) {
  sql("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES " +
      list_of({start, end, 0, schema::global_tid(pid, pid), ++calls_, name(function), result}));
  return calls_;
}

void ExportFile::kernel(const std::string& kernel_name, std::int64_t start, std::int64_t end,
                        std::int64_t call, std::int64_t stream, std::int64_t blocks) {
  sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES " +
      list_of({start, end, 0, 1, stream, call, schema::global_pid(pid), name(kernel_name),
               name(trace::short_name(kernel_name)), 32, blocks, 1, 1, 256, 1, 1, 0, 0}));
}

void ExportFile::copy(std::int64_t kind, std::int64_t start, std::int64_t end, std::int64_t call,
                      std::int64_t stream, std::int64_t bytes) {
  sql("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES " +
      list_of({start, end, 0, 1, stream, call, schema::global_pid(pid), bytes, kind, 1, 2}));
}

void ExportFile::wait(std::int64_t call, std::int64_t type, std::int64_t event) {
  constexpr std::int64_t none = 4294967295;
  sql("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (contextId, streamId, correlationId,"
      "  globalPid, syncType, eventId) VALUES " +
      list_of({1, none, call, schema::global_pid(pid), type, event}));
}

void ExportFile::record_event(std::int64_t call, std::int64_t event, std::int64_t stream) {
  sql("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId, contextId, streamId, correlationId,"
      "  globalPid, eventId) VALUES " +
      list_of({0, 1, stream, call, schema::global_pid(pid), event}));
}

void ExportFile::range(const std::string& text, std::int64_t start, std::int64_t end) {
  sql("CREATE TABLE IF NOT EXISTS NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER,"
      "  globalTid INTEGER, textId INTEGER, text TEXT, domainId INTEGER);"
      "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId) VALUES " +
      list_of({start, end, 59, schema::global_tid(pid, pid), name(text)}));
}

void ExportFile::diagnostic(int severity, const std::string& text) {
  sql("CREATE TABLE IF NOT EXISTS DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER,"
      "  source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER);"
      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, " +
      std::to_string(severity) + ", " + quoted(text) + ", NULL)");
}

void ExportFile::copy_engines(int count) {
  sql(release_ == NsysRelease::r2020
          ? "UPDATE TARGET_INFO_CUDA_GPU SET numMemcpyEngines = " + std::to_string(count)
          : "UPDATE TARGET_INFO_GPU SET asyncEngines = " + std::to_string(count));
}

}  // namespace lapscope::test
