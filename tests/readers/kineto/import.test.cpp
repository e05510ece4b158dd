#include "readers/kineto/import.h"

#include "collector/schema/tables.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/readers/rows_text.h"

// Events become rows. Times are in ns from the first event in the file. The session starts a day
// earlier.
namespace lapscope::kineto {
namespace {

using schema::Database;
using test::Containing;
using test::TemporaryFolder;

constexpr std::int64_t day = 86'400'000'000'000;
const std::string start = "start - " + std::to_string(day) + ", end - start";
const std::string begin_of_kineto = R"J("schemaVersion": 1, )J";

class Imported {
 public:
  explicit Imported(const std::string& text) {
    const TemporaryFolder folder;
    test::write_file(folder / "t.json", text);
    import_trace(folder / "t.json", writer_, nullptr);
    writer_.finish();
  }

  std::string rows(const std::string& sql) { return test::rows_text(writer_.database(), sql); }
  Database& database() { return writer_.database(); }

 private:
  trace::TraceWriter writer_ = trace::TraceWriter::unread(Database::unnamed());
};

// Returns a complete file with these events.
std::string of(const std::string& events, const std::string& header = begin_of_kineto) {
  return "{" + header + R"J("traceEvents": [)J" + events + "]}";
}

constexpr const char* launch = R"J(
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4711, "tid": 4712,
   "ts": 1000.000, "dur": 5.250, "args": {"External id": 18446744073709551615, "cbid": 211,
   "correlation": 10}})J";
constexpr const char* kernel = R"J(
  {"ph": "X", "cat": "kernel", "name": "void ns::scan<int>(int*, int)",
                     "pid" : 0, "tid" : 7, "ts" : 1010.125, "dur" : 20, "args" : {
  "queued" : 0, "device" : 1, "context" : 2, "stream" : 7, "correlation" : 10,
      "registers per thread" : 32, "shared memory" : 1024, "blocks per SM" : 0.5,
      "grid" : [ 64, 2, 1 ], "block" : [ 128, 1, 1 ]
}
})J";

TEST_CASE("a launch and its kernel become rows that are joined", "[kineto]") {
  Imported trace(of(std::string(launch) + "," + kernel));
  CHECK(trace.rows("SELECT " + start +
                   ", eventClass, (globalTid >> 24) & 0xFFFFFF, globalTid & 0xFFFFFF, "
                   "correlationId, value, cbid FROM CUPTI_ACTIVITY_KIND_RUNTIME "
                   "JOIN StringIds ON id = nameId") ==
        "0 5250 0 4711 4712 10 cudaLaunchKernel 211\n");
  CHECK(trace.rows("SELECT " + start +
                   ", deviceId, contextId, streamId, correlationId, (globalPid >> 24) & 0xFFFFFF, "
                   "registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, "
                   "staticSharedMemory + dynamicSharedMemory, graphNodeId "
                   "FROM CUPTI_ACTIVITY_KIND_KERNEL") ==
        "10125 20000 1 2 7 10 4711 32 64 2 1 128 1 1 1024 -\n");
  CHECK(
      trace.rows("SELECT f.value, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL "
                 "JOIN StringIds f ON f.id = demangledName JOIN StringIds s ON s.id = shortName") ==
      "void ns::scan<int>(int*, int) scan\n");
}

TEST_CASE("what Kineto does not tell is in no column", "[kineto]") {
  Imported trace(of(std::string(launch) + "," + kernel));
  for (const char* column : {"gridId", "localMemoryTotal", "launchType", "queued"}) {
    CHECK_FALSE(trace.database().has_column("CUPTI_ACTIVITY_KIND_KERNEL", column));
  }
  CHECK_FALSE(trace.database().has_column("CUPTI_ACTIVITY_KIND_RUNTIME", "returnValue"));
  for (const char* table :
       {"TARGET_INFO_CUDA_STREAM", "TARGET_INFO_CUDA_CONTEXT_INFO", "LAPSCOPE_RECORDS",
        "TARGET_INFO_GPU", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}) {
    CHECK_FALSE(trace.database().has_table(table));
  }
}

TEST_CASE("ops that come before any call are of its process", "[kineto]") {
  Imported trace(of(std::string(kernel) + "," + launch));
  CHECK(trace.rows("SELECT (globalPid >> 24) & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_KERNEL") ==
        "4711\n");
}

TEST_CASE("an annotation of another process does not take the ops", "[kineto]") {
  Imported trace(of(R"J({"ph": "X", "cat": "user_annotation", "name": "step", "pid": 9, "tid": 9,
                        "ts": 1, "dur": 1},)J" +
                    std::string(kernel) + "," + launch));
  CHECK(trace.rows("SELECT (globalPid >> 24) & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_KERNEL") ==
        "4711\n");
}

TEST_CASE("where several processes made calls, ops are of none", "[kineto]") {
  Imported trace(of(std::string(launch) + "," + kernel +
                    R"J(, {"ph": "X", "cat": "cuda_runtime", "name": "cudaMalloc", "pid": 9,
                        "tid": 9, "ts": 1, "dur": 1, "args": {"correlation": 10}})J"));
  CHECK(trace.rows("SELECT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL") == "-\n");
  CHECK(trace.rows("SELECT code, count FROM LAPSCOPE_LOSSES") == "ops-of-no-process 2\n");
}

TEST_CASE("times keep every nanosecond", "[kineto]") {
  const auto at = [](const std::string& ts, const std::string& dur) {
    return R"J({"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7,
      "args": {"device": 0, "stream": 7, "correlation": 1, "bytes": 8}, "ts": )J" +
           ts + ", \"dur\": " + dur + "}";
  };
  // The first event in the file is at 0, and the second at -1 ns.
  Imported trace(of(at("1712867402348289.001", "0.003") + "," + at("1712867402348289", "0") + "," +
                    at("1712867402348290", "4") + "," + at("1.712867402348291e15", "1e-3")));
  CHECK(trace.rows("SELECT " + start + " FROM CUPTI_ACTIVITY_KIND_MEMSET ORDER BY rowid") ==
        "0 3\n-1 0\n999 4000\n1999 1\n");
}

TEST_CASE("the session starts in UTC, baseTimeNanoseconds added", "[kineto]") {
  const auto utc = [](const std::string& header) {
    Imported trace(of(kernel, begin_of_kineto + header));
    return trace.rows("SELECT utcEpochNs + 86400000000000 FROM TARGET_INFO_SESSION_START_TIME") +
           trace.rows("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'created'");
  };
  CHECK(utc(R"J("baseTimeNanoseconds": 1767189312000000000, )J") ==
        "1767189312001010125\n2025-12-31T13:55:12Z\n");
  Imported early(of(kernel));  // nobody recorded 1 ms after 1970
  CHECK_FALSE(early.database().has_table("TARGET_INFO_SESSION_START_TIME"));
}

TEST_CASE("categories and tracks of all releases are known", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "Operator", "name": "aten::empty", "pid": 3, "tid": "1890023232",
     "ts": 1, "dur": 4, "args": {"Device": 0}},
    {"ph": "X", "cat": "Operator", "name": "ProfilerStep#5", "pid": 3, "tid": "1890023232",
     "ts": 1, "dur": 9, "args": {}},
    {"ph": "X", "cat": "Runtime", "name": "cudaMemcpyAsync", "pid": 3, "tid": "1890023232",
     "ts": 2, "dur": 2, "args": {"cbid": 41, "correlation": 4}},
    {"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 3, "dur": 1,
     "args": {"device": 0, "correlation": 1}},
    {"ph": "X", "cat": "Memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0,
     "tid": "stream 8", "ts": 4, "dur": 1, "args": {
  "device" : 0, "stream" : 8, "correlation" : 4, "bytes" : 256}},
    {"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0, "tid": "stream 7", "ts": 5,
     "dur": 1, "args": {"correlation": 5, "bytes": 16}})J"));
  CHECK(trace.rows("SELECT deviceId, streamId FROM CUPTI_ACTIVITY_KIND_KERNEL") == "0 7\n");
  CHECK(trace.rows("SELECT streamId, bytes, copyKind, srcKind, dstKind "
                   "FROM CUPTI_ACTIVITY_KIND_MEMCPY") == "8 256 1 0 2\n");
  CHECK(trace.rows("SELECT deviceId, streamId, memKind FROM CUPTI_ACTIVITY_KIND_MEMSET") ==
        "0 7 2\n");
  CHECK(trace.rows("SELECT value, domainId FROM NVTX_EVENTS JOIN StringIds ON id = textId "
                   "WHERE eventType = 59") == "aten::empty 1\nProfilerStep#5 0\n");
  // This thread id is too large for Linux. All its events get the same new id.
  CHECK(trace.rows("SELECT count(DISTINCT globalTid), max(globalTid & 0xFFFFFF) FROM "
                   "(SELECT globalTid FROM NVTX_EVENTS WHERE eventType = 59 UNION ALL "
                   "SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME)") == "1 4194305\n");
}

TEST_CASE("annotations of the GPU's tracks are no ops", "[kineto]") {
  Imported trace(of(std::string(launch) + "," + kernel + R"J(,
    {"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 1010.124,
     "dur": 20.002, "args": {"External id": 1}})J"));
  CHECK(trace.rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL") == "1\n");
  CHECK_FALSE(trace.database().has_table("NVTX_EVENTS"));
}

TEST_CASE("copies between devices name both, and run on the one they are in", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy PtoP (Device -> Device)", "pid": 0, "tid": 9,
     "ts": 3, "dur": 1, "args": {
  "fromDevice" : 0, "inDevice" : 1, "toDevice" : 2, "fromContext" : 1, "inContext" : 5,
      "toContext" : 6, "stream" : 9, "correlation" : 1, "bytes" : 64}})J"));
  CHECK(trace.rows("SELECT deviceId, contextId, streamId, copyKind, srcDeviceId, dstDeviceId, "
                   "bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY") == "1 5 9 10 0 2 64\n");
}

TEST_CASE("nodes of graphs and channels are kept where a release tells them", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 3, "dur": 1, "args": {
     "device": 0, "stream": 7, "correlation": 1, "graph id": 12, "graph node id": 51539607553,
     "channel": 9, "channel_type": 1}},
    {"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 5, "dur": 1, "args": {
     "device": 0, "stream": 7, "correlation": 2, "graph id": 0, "graph node id": 0}})J"));
  CHECK(trace.rows("SELECT graphId, graphNodeId, channelId, channelType "
                   "FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY rowid") ==
        "12 51539607553 9 1\n- - - -\n");
}

TEST_CASE("waits name what they wait for, and so the records of events", "[kineto]") {
  Imported trace(of(std::string(launch) + R"J(,
    {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 24, "ts": 1004,
     "dur": 2, "args": {"cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 20,
     "wait_on_cuda_event_record_corr_id": 1385, "wait_on_cuda_event_id": 19, "stream": 24,
     "correlation": 1389, "device": 0, "context": 1}},
    {"ph": "X", "cat": "cuda_sync", "name": "Event Sync", "pid": 0, "tid": -1, "ts": 1006, "dur": 4,
     "args": {"cuda_sync_kind": "Event Sync", "wait_on_stream": 20,
     "wait_on_cuda_event_record_corr_id": 1385, "wait_on_cuda_event_id": 19, "stream": -1,
     "correlation": 1390, "device": 0, "context": 1}},
    {"ph": "X", "cat": "cuda_sync", "name": "Event Sync", "pid": 0, "tid": -1, "ts": 1007, "dur": 4,
     "args": {"wait_on_stream": -1, "wait_on_cuda_event_record_corr_id": -1,
     "wait_on_cuda_event_id": 9, "stream": -1, "correlation": 1391, "device": 0, "context": 1}},
    {"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": -1, "ts": 1008,
     "dur": 1, "args": {"cuda_sync_kind": "Context Sync", "stream": -1, "correlation": 1392,
     "device": 0, "context": 1}})J"));
  CHECK(trace.rows("SELECT syncType, streamId, correlationId, eventId, eventSyncId "
                   "FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY rowid") ==
        "2 24 1389 19 1385\n"
        "1 4294967295 1390 19 1385\n"
        "1 4294967295 1391 9 -\n"
        "4 4294967295 1392 4294967295 -\n");
  CHECK(trace.rows("SELECT streamId, correlationId, eventId, eventSyncId "
                   "FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT") == "20 1385 19 1385\n");
}

TEST_CASE("records of events are there once, whoever tells of them", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "cuda_event", "name": "cudaEvent", "pid": 0, "tid": 20, "ts": 3, "dur": 0.001,
     "args": {"event_id": 19, "stream": 20, "correlation": 5, "device": 0, "context": 1}},
    {"ph": "X", "cat": "cuda_sync", "name": "Event Sync", "pid": 0, "tid": -1, "ts": 6, "dur": 4,
     "args": {"wait_on_stream": 20, "wait_on_cuda_event_record_corr_id": 5,
     "wait_on_cuda_event_id": 19, "stream": -1, "correlation": 7, "device": 0, "context": 1}})J"));
  CHECK(trace.rows("SELECT streamId, correlationId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT") ==
        "20 5\n");
}

TEST_CASE("GPUs have the limits that Kineto writes, and the one that follows from them",
          "[kineto]") {
  Imported trace(of(kernel, begin_of_kineto + R"J("deviceProperties": [
    {"id": 0, "name": "NVIDIA A100-PG509-200", "totalGlobalMem": 42297524224, "computeMajor": 8,
     "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
     "regsPerBlock": 65536, "regsPerMultiprocessor": 65536, "warpSize": 32,
     "sharedMemPerBlock": 49152, "sharedMemPerMultiprocessor": 167936, "numSms": 108},
    {"id": 1, "name": "Some GPU", "computeMajor": 99, "computeMinor": 0}], )J"));
  CHECK(trace.rows("SELECT id, smCount, threadsPerWarp, maxWarpsPerSm, maxBlocksPerSm, "
                   "maxRegistersPerSm, maxShmemPerSm, asyncEngines FROM TARGET_INFO_GPU") ==
        "0 108 32 64 32 65536 167936 -\n1 - - - - - - -\n");
}

TEST_CASE("facts are kept wherever the text has them", "[kineto]") {
  Imported trace("{" + begin_of_kineto + R"J("traceEvents": [)J" + launch + "], " + R"J(
    "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [
      {"rank": 7}]}, "trace_id": "77C6", "host_name": "node1", "cupti_version": 24})J");
  CHECK(trace.rows("SELECT name, value FROM LAPSCOPE_CAPTURE WHERE name <> 'created' ORDER BY 1") ==
        "converted-from kineto/1\ncupti-version 24\nhost node1\npid 4711\nrank 3\nsession 77C6\n"
        "world-size 8\n");
}

TEST_CASE("overheads are those of CUPTI, and loading", "[kineto]") {
  Imported trace(of(std::string(launch) + R"J(,
    {"ph": "X", "cat": "overhead", "name": "Lazy Function Loading", "pid": -1, "tid": 0, "ts": 5,
     "dur": 82},
    {"ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 4712, "ts": 9,
     "dur": 1})J"));
  CHECK(trace.rows("SELECT overheadType, globalTid & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_OVERHEAD") ==
        "7 -\n3 4712\n");
}

TEST_CASE("Python frames and operators are ranges of domains of their own", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "user_annotation", "name": "step", "pid": 3, "tid": 4, "ts": 1, "dur": 9},
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 3, "tid": 4, "ts": 3, "dur": 1},
    {"ph": "X", "cat": "user_annotation", "name": "nccl:all_reduce", "pid": 3, "tid": 4, "ts": 4,
     "dur": 1},
    {"ph": "X", "cat": "python_function", "name": "train.py(12): step", "pid": 3, "tid": 4, "ts": 2,
     "dur": 5})J"));
  CHECK(trace.rows("SELECT value, domainId, eventType FROM NVTX_EVENTS JOIN StringIds "
                   "ON id = textId ORDER BY 2, 3, 1") ==
        "step 0 59\naten::mm 1 59\nnccl:all_reduce 1 59\nPyTorch operators 1 75\ntrain.py(12): "
        "step 2 59\n"
        "Python 2 75\n");
}

TEST_CASE("what cannot be said of an event is counted or kept as none", "[kineto]") {
  Imported trace(of(R"J(
    {"ph": "X", "cat": "kernel", "name": "no end", "pid": 0, "tid": 7, "ts": 5},
    {"ph": "X", "cat": "kernel", "name": "no number", "pid": 0, "tid": 7, "ts": "soon", "dur": 1},
    {"ph": "X", "cat": "kernel", "name": "large id", "pid": 0, "tid": 7, "ts": 6, "dur": 1,
     "args": {"device": 0, "stream": 7, "correlation": 18446744073709551615}},
    {"ph": "X", "cat": "kernel", "name": "no args", "pid": 0, "tid": 7, "ts": 7, "dur": 1},
    {"ph": "X", "cat": "cuda_runtime", "name": "INVALID", "pid": 3, "tid": 4, "ts": 5, "dur": 1,
     "args": {"cbid": 999, "correlation": 1}}])J" +
                    std::string(R"J(, "x": [)J")));
  CHECK(trace.rows("SELECT value, start < 0, correlationId, streamId "
                   "FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName "
                   "ORDER BY CUPTI_ACTIVITY_KIND_KERNEL.rowid") ==
        "end 1 - 7\nnumber 1 - 7\nid 0 -1 7\nargs 0 - 7\n");
  CHECK(trace.rows("SELECT code, count FROM LAPSCOPE_LOSSES ORDER BY 1") ==
        "nameless-calls 1\nwithout-time 2\n");
}

TEST_CASE("other JSON is refused, not guessed at", "[kineto]") {
  CHECK_THROWS_WITH(Imported(of(kernel, "")), Containing("is a Chrome trace, but not of PyTorch"));
  CHECK_THROWS_WITH(Imported("[" + std::string(kernel) + "]"), Containing("is a JSON list"));
  CHECK_THROWS_WITH(Imported(R"J({"schemaVersion": 1, "traceEvents": {}})J"),
                    Containing("without a list of traceEvents"));
  CHECK_THROWS_WITH(Imported(R"J({"schema": "lapscope-report/1"})J"), Containing("so not a trace"));
}

//   thread 4  [train.py(12): step               ]  [other.py(3): f]
//               [<built-in>: run              ]
//               [aten::add_     ]   [aten::mul]
//                 [launch 5]          [6]          [7]             [8]
TEST_CASE("a call has the stack of the Python frames and operators that were open when it began") {
  const auto event = [](const char* category, const char* name, int ts, int dur, int correlation) {
    return std::string(R"J({"ph": "X", "pid": 3, "tid": 4, "cat": ")J") + category +
           R"J(", "name": ")J" + name + R"J(", "ts": )J" + std::to_string(ts) + R"J(, "dur": )J" +
           std::to_string(dur) + R"J(, "args": {"correlation": )J" + std::to_string(correlation) +
           "}}";
  };
  Imported imported(of(event("python_function", "train.py(12): step", 0, 50, 0) + "," +
                       event("python_function", "<built-in function run>", 2, 46, 0) + "," +
                       event("cpu_op", "aten::add_", 3, 17, 0) + "," +
                       event("cuda_runtime", "cudaLaunchKernel", 4, 5, 5) + "," +
                       event("cpu_op", "aten::mul", 25, 10, 0) + "," +
                       event("cuda_runtime", "cudaLaunchKernel", 27, 5, 6) + "," +
                       event("python_function", "other.py(3): f", 60, 10, 0) + "," +
                       event("cuda_runtime", "cudaLaunchKernel", 61, 5, 7) + "," +
                       event("cuda_runtime", "cudaLaunchKernel", 80, 5, 8)));
  CHECK(imported.rows("SELECT correlationId, callchainId FROM CUPTI_ACTIVITY_KIND_RUNTIME"
                      " ORDER BY start") == "5 1\n6 2\n7 3\n8 -\n");
  CHECK(imported.rows("SELECT c.id, stackDepth, s.value, m.value, f.value, sourceLine"
                      " FROM CUDA_CALLCHAINS AS c JOIN StringIds AS s ON s.id = symbol"
                      " JOIN StringIds AS m ON m.id = module"
                      " LEFT JOIN StringIds AS f ON f.id = sourceFile ORDER BY 1, 2") ==
        "1 0 aten::add_ [operator] - -\n"
        "1 1 step [python] train.py 12\n"
        "2 0 aten::mul [operator] - -\n"
        "2 1 step [python] train.py 12\n"
        "3 0 f [python] other.py 3\n");
}

TEST_CASE("an operator keeps its sequence number, and whether it is a derivative") {
  Imported imported(of(R"J(
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 3, "tid": 4, "ts": 0, "dur": 9,
     "args": {"Sequence number": 12, "Fwd thread id": 0}},
    {"ph": "X", "cat": "cpu_op", "name": "MmBackward0", "pid": 3, "tid": 5, "ts": 20, "dur": 9,
     "args": {"Sequence number": 12, "Fwd thread id": 1}},
    {"ph": "X", "cat": "cpu_op", "name": "aten::view", "pid": 3, "tid": 4, "ts": 40, "dur": 9,
     "args": {"Sequence number": -1}},
    {"ph": "X", "cat": "user_annotation", "name": "step", "pid": 3, "tid": 4, "ts": 60, "dur": 9,
     "args": {"Sequence number": 3}})J"));
  CHECK(imported.rows("SELECT value, sequence, isBackward FROM NVTX_EVENTS JOIN StringIds"
                      " ON id = textId WHERE eventType = 59 ORDER BY start") ==
        "aten::mm 12 -\nMmBackward0 12 1\naten::view - -\nstep - -\n");
}

TEST_CASE("calls of another thread, and calls without frames around them, have no stack") {
  Imported imported(of(R"J(
    {"ph": "X", "cat": "python_function", "name": "train.py(12): step", "pid": 3, "tid": 4, "ts": 0,
     "dur": 9},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 3, "tid": 5, "ts": 2,
     "dur": 1, "args": {"correlation": 1}})J"));
  CHECK(imported.rows("SELECT count(callchainId) FROM CUPTI_ACTIVITY_KIND_RUNTIME") == "0\n");
}

TEST_CASE("a text with more than is allowed is refused before the rest of it is read") {
  const TemporaryFolder folder;
  std::string events;
  for (int i = 0; i < 2'000; ++i) events += std::string(i == 0 ? "" : ",") + launch;
  test::write_file(folder / "t.json", of(events + ", }"));
  const auto import_within = [&folder](std::int64_t ops) {
    auto writer = trace::TraceWriter::unread(Database::unnamed());
    import_trace(folder / "t.json", writer, nullptr, {ops});
  };
  CHECK_THROWS_WITH(import_within(100), Containing("/t.json' is too large: more than 0 ops, ") &&
                                            Containing(" calls") &&
                                            Containing("--max-ops allows 100."));
  CHECK_THROWS_WITH(import_within(10'000), Containing("is damaged"));
}

}  // namespace
}  // namespace lapscope::kineto
