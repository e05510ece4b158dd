#include "tests/fuzz/export_seeds.h"

#include <array>
#include <string>

#include "collector/schema/global_id.h"

namespace lapscope::fuzz {
namespace {

using test::ExportFile;
using test::NsysRelease;

constexpr std::int64_t us = 1'000;

// Writes three steps. In the first step, the launch of the kernel k takes 4 ms, because it loads
// the kernel:
//
//   thread     [step                ]
//   stream 13    IIII KKKK       OOO    copy in, kernel k, copy out
//   stream 14              LLLLL        kernel l, waits for an event of stream 13
void write_steps(ExportFile& file, NsysRelease release) {
  const std::int64_t device_wait = release == NsysRelease::r2026   ? 4
                                   : release == NsysRelease::r2024 ? 0
                                                                   : 1;
  const std::int64_t event_wait = device_wait == 1 ? 2 : 1;
  std::int64_t at = 100 * us;
  for (std::int64_t step = 0; step < 3; ++step) {
    const std::int64_t first = step == 0 ? 4'000 * us : 5 * us;
    file.range("step", at, at + first + 600 * us);
    file.copy(1, at + 10 * us, at + 60 * us,
              file.call("cudaMemcpyAsync_v3020", at + 1 * us, at + 4 * us), 13, 1 << 20);
    const std::int64_t launch = at + 5 * us;
    file.kernel("k", launch + first + 60 * us, launch + first + 200 * us,
                file.call("cudaLaunchKernel_v7000", launch, launch + first), 13, 400);
    at += first;
    file.record_event(file.call("cudaEventRecord_v3020", at + 12 * us, at + 13 * us), 1);
    file.wait(file.call("cudaStreamWaitEvent_v3020", at + 14 * us, at + 15 * us), 2, 1);
    file.kernel("l", at + 210 * us, at + 400 * us,
                file.call("cuLaunchKernelEx", at + 16 * us, at + 20 * us), 14, 80);
    file.copy(2, at + 410 * us, at + 500 * us,
              file.call("cudaMemcpyAsync_v3020", at + 21 * us, at + 30 * us), 13, 2 << 20);
    file.wait(file.call("cudaEventSynchronize_v3020", at + 31 * us, at + 205 * us), event_wait, 1);
    file.wait(file.call("cudaDeviceSynchronize_v3020", at + 210 * us, at + 505 * us), device_wait);
    at += 700 * us;
  }
  file.copy(11, 5'000 * us, 5'050 * us, 0, 4294967295, 2 << 20);  // migrations
  file.copy(12, 5'100 * us, 5'120 * us, 0, 4294967295, 65536);
  file.copy(13, 5'150 * us, 5'160 * us, 0, 4294967295, 65536);
  file.diagnostic(1, "CUDA injection initialized successfully.");
  file.diagnostic(2, "Not all NVTX events might have been collected.");
}

// Adds tables and columns of Nsight Systems, of which lapscope reads only some.
constexpr const char* op_tables =
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN graphNodeId INTEGER;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN graphNodeId INTEGER;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN dstDeviceId INTEGER;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN migrationCause INTEGER;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN virtualAddress INTEGER;"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER,"
    "  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
    "  value INTEGER, bytes INTEGER, graphNodeId INTEGER, memKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES"
    "  (50000, 60000, 0, 1, 13, 900, @p, 0, 4096, 0, 2);"
    "INSERT INTO StringIds VALUES (900, 'poll'), (901, 'pthread_mutex_lock'), (902, 'sort'),"
    "  (903, '[unknown]'), (904, 'main'), (905, 'MPI_Barrier'), (906, '/usr/bin/app'),"
    "  (907, 'registered'), (908, 'cudaMemsetAsync_v3020'), (909, 'cudaGraphLaunch_v10000'),"
    "  (910, 'cudaMallocManaged_v6000'), (911, 'ncclKernel_AllReduce'), (912, 'app');"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (40000, 45000, 0, @t, 900, 908, 0),"
    "  (7000000, 7010000, 0, @t, 901, 909, 0), (20000, 30000, 0, @t, 902, 910, 0);";

constexpr const char* graph_tables =
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId,"
    "  correlationId, globalPid, shortName, registersPerThread, gridX, gridY, gridZ, blockX,"
    "  blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId) VALUES"
    "  (7020000, 7050000, 0, 1, 13, 901, @p, 911, 32, 20, 1, 1, 256, 1, 1, 0, 0, 1),"
    "  (7030000, 7080000, 0, 1, 13, 901, @p, 911, 32, 20, 1, 1, 256, 1, 1, 0, 0, 2);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER,"
    "  contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER,"
    "  globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES"
    "  (7100000, 7200000, 0, 1, NULL, 13, NULL, @p, 5, 6);";

constexpr const char* chain_tables =
    "CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER, PRIMARY KEY (id, stackDepth));"
    "INSERT INTO CUDA_CALLCHAINS VALUES (1, 903, 906, 1, 140, 0), (1, 902, 906, NULL, 141, 1),"
    "  (1, 904, 906, NULL, 142, 2), (2, 904, 906, NULL, 143, 0);"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN callchainId INTEGER;"
    "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET callchainId = 1 + rowid % 3;";

constexpr const char* managed_memory_tables =
    "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER, globalPid INTEGER,"
    "  address INTEGER, originalFaultPc INTEGER, CpuInstruction INTEGER, module INTEGER,"
    "  unresolvedFaultPc INTEGER, sourceFile INTEGER, sourceLine INTEGER);"
    "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES"
    "  (5600000, @p, 65536, 1, 902, 906, 0, NULL, NULL),"
    "  (5650000, @p, 69632, 1, 902, 906, 0, 1, 7);"
    "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER, globalPid INTEGER,"
    "  deviceId INTEGER, address INTEGER, numberOfPageFaults INTEGER, faultAccessType INTEGER);"
    "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (5000000, 5060000, @p, 0, 65536, 12, 1),"
    "  (5100000, 5130000, @p, 0, 131072, 3, 2);"
    "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER,"
    "  deviceId INTEGER, contextId INTEGER, address INTEGER, pc INTEGER, bytes INTEGER,"
    "  memKind INTEGER, memoryOperationType INTEGER, name TEXT, correlationId INTEGER);"
    "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES"
    "  (20000, @p, 0, 1, 65536, 0, 4096, 4, 0, NULL, 902),"
    "  (9000000, @p, 0, 1, 65536, 0, 4096, 4, 1, 'table', NULL);";

constexpr const char* host_tables =
    "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,"
    "  correlationId INTEGER, nameId INTEGER, returnValue INTEGER, nestingLevel INTEGER,"
    "  callchainId INTEGER);"
    "INSERT INTO OSRT_API VALUES (4620000, 4700000, 27, @t, 1, 900, 0, 0, NULL),"
    "  (4630000, 4640000, 27, @t, 2, 901, 0, 1, NULL), (5400000, 5480000, 27, @t, 3, 901, 0, 0, 1);"
    "CREATE TABLE OSRT_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, stackDepth INTEGER,"
    "  PRIMARY KEY (id, stackDepth));"
    "INSERT INTO OSRT_CALLCHAINS VALUES (1, 903, 906, 1, NULL, 1, 0), (1, 904, 906, 0, 0, 1, 1);"
    "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER);"
    "INSERT INTO SCHED_EVENTS VALUES (4650000, 0, 0, @t), (4690000, 1, 1, @t), (5410000, 1, 0, @t),"
    "  (5500000, 1, 1, @t);"
    "CREATE TABLE COMPOSITE_EVENTS (id INTEGER PRIMARY KEY, start INTEGER, cpu INTEGER,"
    "  threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER);"
    "INSERT INTO COMPOSITE_EVENTS VALUES (1, 4640000, 0, 1, @t, 9), (2, 4660000, 0, 1, @t, 9),"
    "  (3, 5420000, 0, 1, @t, 9), (4, 5440000, 0, 1, @t, 9), (5, 5460000, 0, 1, @t, 9);"
    "CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER, PRIMARY KEY (id, stackDepth));"
    "INSERT INTO SAMPLING_CALLCHAINS VALUES (1, 902, 906, 0, 1, 0), (1, 904, 906, 0, 1, 1),"
    "  (2, 903, 906, 1, 1, 0), (2, 902, 906, 0, 1, 1), (3, 904, 906, 0, 1, 0),"
    "  (4, 904, 906, 0, 1, 0), (5, 902, 906, 0, 1, 0);";

constexpr const char* mpi_tables =
    "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);"
    "INSERT INTO MPI_RANKS VALUES (@t, 3);"
    "CREATE TABLE MPI_P2P_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER,"
    "  commHandle INTEGER, tag INTEGER, remoteRank INTEGER, size INTEGER, requestHandle INTEGER);"
    "INSERT INTO MPI_P2P_EVENTS VALUES (5490000, 5500000, @t, 905, 0, 0, 1, 8, 0);"
    "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  textId INTEGER, commHandle INTEGER, rootRank INTEGER, size INTEGER, recvSize INTEGER);"
    "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (4710000, 4760000, @t, 905, 0, 0, 8, 8);"
    "CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  textId INTEGER, requestHandle INTEGER);"
    "INSERT INTO MPI_START_WAIT_EVENTS VALUES (4770000, 4780000, @t, 905, 0);"
    "CREATE TABLE MPI_OTHER_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  textId INTEGER);"
    "INSERT INTO MPI_OTHER_EVENTS VALUES (4785000, NULL, @t, 905);";

constexpr const char* range_tables =
    "ALTER TABLE NVTX_EVENTS ADD COLUMN endGlobalTid INTEGER;"
    "ALTER TABLE NVTX_EVENTS ADD COLUMN rangeId INTEGER;"
    "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, text, domainId) VALUES"
    "  (1, NULL, 75, @t, NULL, 'MPI', 1), (4700000, 4765000, 59, @t, 905, NULL, 1),"
    "  (110000, 4000000, 59, @t, NULL, 'own text', 0), (4800000, 5000000, 60, @t, 907, NULL, 0),"
    "  (5300000, NULL, 34, @t, NULL, 'a mark', 0), (6000000, NULL, 59, @t, NULL, 'open', 0),"
    "  (4900000, 5200000, 60, @t, 911, NULL, 0);";

constexpr const char* run_tables =
    "CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  nameId INTEGER, returnValue INTEGER);"
    "INSERT INTO PROFILER_OVERHEAD VALUES (1000, 2000, @t, 900, 0);"
    "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
    "INSERT INTO PROCESSES VALUES (@p, 100, 'app');"
    "CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);"
    "INSERT INTO ThreadNames VALUES (912, 20, @t);"
    "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER, duration INTEGER, startTime INTEGER,"
    "  stopTime INTEGER);"
    "INSERT INTO ANALYSIS_DETAILS VALUES (1, 20000000, 5000000000, 5020000000);"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT,"
    "  localTime TEXT);"
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');"
    "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (14, 0, 1, 100, 1, -1, 1);"
    "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
    "INSERT INTO META_DATA_CAPTURE VALUES ('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node');";

constexpr std::array other_tables = {op_tables,   graph_tables, chain_tables, managed_memory_tables,
                                     host_tables, mpi_tables,   range_tables, run_tables};

// What release 2026 adds to the tables of earlier releases.
constexpr const char* of_2026 =
    "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (100000, 4000000, 103, @t, 2, 900, 7),"
    "  (4700000, 4710000, 103, @t, NULL, 900, 3), (7000000, 7005000, 103, @t, 901, 900, 8);"
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER, uuid TEXT,"
    "  numMultiprocessors INTEGER);"
    "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100, 'GPU-1', 80);"
    "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET eventSyncId = rowid;"
    "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = 1 WHERE eventId = 1;";

// Adds a second process with the same correlation ids and streams.
constexpr const char* second_process =
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 9000, end + 9000, 1, contextId,"
    "  streamId, correlationId, @q, demangledName, shortName, registersPerThread, gridX, gridY,"
    "  gridZ, blockX,"
    "  blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId"
    "  FROM CUPTI_ACTIVITY_KIND_KERNEL;"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start + 9000, end + 9000, eventClass, @u,"
    "  correlationId, nameId, returnValue, callchainId FROM CUPTI_ACTIVITY_KIND_RUNTIME;"
    "INSERT INTO TARGET_INFO_GPU SELECT vmId, 1, 'Other GPU', 1, smCount, threadsPerWarp,"
    "  maxWarpsPerSm, maxBlocksPerSm, maxRegistersPerSm, maxShmemPerSm, 1 FROM TARGET_INFO_GPU;"
    "INSERT INTO PROCESSES VALUES (@q, 200, 'app');";

constexpr ExportLayout releases[] = {
    {"2020", NsysRelease::r2020, ""},
    {"2022", NsysRelease::r2022, ""},
    {"2024", NsysRelease::r2024, ""},
    {"2026", NsysRelease::r2026, of_2026},
    {"GPUs by deviceId", NsysRelease::r2022,
     "ALTER TABLE TARGET_INFO_GPU RENAME COLUMN id TO deviceId;"
     "ALTER TABLE TARGET_INFO_GPU DROP COLUMN cuDevice"},
    {"no GPU listed, no contexts", NsysRelease::r2026,
     "DROP TABLE TARGET_INFO_GPU; DROP TABLE TARGET_INFO_CUDA_CONTEXT_INFO;"
     "DROP TABLE TARGET_INFO_CUDA_STREAM"},
    {"backtraces in rows of their own", NsysRelease::r2022,
     "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start - 100, end + 100, 67, globalTid,"
     "  correlationId, nameId, returnValue, 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME;"
     "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET callchainId = NULL WHERE eventClass <> 67"},
    {"several processes", NsysRelease::r2024, second_process},
    {"graphs as a whole only", NsysRelease::r2024,
     "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
     "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET"},
    {"calls only", NsysRelease::r2024,
     "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
     "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET; DROP TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE"},
    {"ops only", NsysRelease::r2026,
     "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;"
     "DROP TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT"},
    {"no ids of processes", NsysRelease::r2026,
     "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = 0;"
     "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = 0"},
};

std::string with_ids(std::string statements) {
  constexpr std::uint32_t pid = 100;
  constexpr std::uint32_t other = 200;
  const std::pair<const char*, std::int64_t> ids[] = {{"@p", schema::global_pid(pid)},
                                                      {"@t", schema::global_tid(pid, pid)},
                                                      {"@q", schema::global_pid(other)},
                                                      {"@u", schema::global_tid(other, other)}};
  for (const auto& [mark, id] : ids) {
    for (auto at = statements.find(mark); at != std::string::npos; at = statements.find(mark, at)) {
      statements.replace(at, 2, std::to_string(id));
    }
  }
  return statements;
}

}  // namespace

std::span<const ExportLayout> export_layouts() { return releases; }

void write_export(const std::filesystem::path& path, const ExportLayout& layout) {
  ExportFile file(path, layout.release);
  write_steps(file, layout.release);
  for (const char* tables : other_tables) file.sql(with_ids(tables));
  file.sql(with_ids(layout.changes));
  // Each input copies this file, so it is as small as possible.
  file.sql("PRAGMA page_size = 512; VACUUM");
}

}  // namespace lapscope::fuzz
