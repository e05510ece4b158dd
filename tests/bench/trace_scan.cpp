#include "tests/bench/trace_scan.h"

#include <sqlite3.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace lapscope::bench {
namespace {

// The columns that readers/tables selects, as tests/bench/trace_scan.test.cpp checks.
constexpr const char* queries[] = {
    "SELECT start, end, globalTid, correlationId, nameId, callchainId, cbid, stackNs,"
    " eventClass, returnValue"
    " FROM CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT syncType, correlationId, globalPid, contextId, streamId, eventId, eventSyncId"
    " FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "SELECT correlationId, globalPid, contextId, streamId, eventId, eventSyncId"
    " FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT",
    "SELECT start, end, globalTid, overheadType FROM CUPTI_ACTIVITY_KIND_OVERHEAD",
    "SELECT start, end, eventType, globalTid, textId, text, domainId, jsonTextId, jsonText,"
    " sequence, isBackward FROM NVTX_EVENTS",
    "SELECT start, end, deviceId, streamId, correlationId, globalPid, shortName,"
    " registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory,"
    " dynamicSharedMemory, graphNodeId, channelId, channelType FROM CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT start, end, deviceId, streamId, correlationId, globalPid, bytes, copyKind, srcKind,"
    " dstKind, srcDeviceId, dstDeviceId, graphNodeId, channelId, channelType,"
    " virtualAddress FROM CUPTI_ACTIVITY_KIND_MEMCPY",
    "SELECT start, end, deviceId, streamId, correlationId, globalPid, bytes, graphNodeId,"
    " channelId, channelType"
    " FROM CUPTI_ACTIVITY_KIND_MEMSET",
};

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

Database open(const std::filesystem::path& path) {
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(opened, sqlite3_close);
  if (code != SQLITE_OK) throw std::runtime_error(path.string() + ": " + sqlite3_errmsg(opened));
  return database;
}

}  // namespace

ScanResult scan_trace(const std::filesystem::path& path) {
  const Database database = open(path);
  const auto check = [&](int code, int expected) {
    if (code == expected) return;
    throw std::runtime_error(path.string() + ": " + sqlite3_errmsg(database.get()));
  };
  ScanResult result;
  for (const char* query : queries) {
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(database.get(), query, -1, &prepared, nullptr), SQLITE_OK);
    const Statement statement(prepared, sqlite3_finalize);
    const int columns = sqlite3_column_count(prepared);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(prepared)) == SQLITE_ROW) {
      ++result.rows;
      for (int column = 0; column < columns; ++column) {
        result.sum += static_cast<std::uint64_t>(sqlite3_column_int64(prepared, column));
      }
    }
    check(code, SQLITE_DONE);
  }
  return result;
}

}  // namespace lapscope::bench
