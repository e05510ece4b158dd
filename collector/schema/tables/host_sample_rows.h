#pragma once

#include "collector/schema/table.h"

// What threads of the host do when they are not in CUDA.
namespace lapscope::schema {

struct HostSampleRow {
  std::int64_t start{};
  std::int64_t globalTid{};
  std::int64_t state{};
  std::optional<std::int64_t> systemCall;
  std::optional<std::int64_t> cpuNs;
  std::optional<std::int64_t> runnableNs;
  std::optional<std::int64_t> holderTid;
  std::optional<std::int64_t> callchainId;
};

template <>
inline constexpr auto describe<HostSampleRow> = table<HostSampleRow>(
    "LAPSCOPE_HOST_SAMPLES",
    "What a thread was seen to do when another thread looked at it, at intervals that vary a "
    "little. The thread "
    "is neither stopped nor interrupted. Threads are looked at that have called CUDA, whether they "
    "are in a call or not.",
    extra("start", &HostSampleRow::start, Unit::session_ns, "when it was looked at"),
    extra("globalTid", &HostSampleRow::globalTid, Unit::id, "the thread"),
    extra_enumerated("state", &HostSampleRow::state, "ENUM_LAPSCOPE_THREAD_STATE",
                     "what it did then"),
    extra("systemCall", &HostSampleRow::systemCall, Unit::id,
          "number of the system call that it waited in; NULL where it ran or that is not known"),
    extra("cpuNs", &HostSampleRow::cpuNs, Unit::ns,
          "how long it was on a processor since it began, by /proc/.../schedstat; NULL where the "
          "kernel does not say"),
    extra("runnableNs", &HostSampleRow::runnableNs, Unit::ns,
          "how long it was ready to run and had no processor, likewise"),
    extra("holderTid", &HostSampleRow::holderTid, Unit::id,
          "globalTid of the thread that held what it waited for; NULL where that is not known"),
    extra("callchainId", &HostSampleRow::callchainId, Unit::id,
          "CUDA_CALLCHAINS.id of its stack; NULL where that could not be read"));

struct CollectionsRow {
  std::int64_t afterLook{};
  std::int64_t byLook{};
  std::int64_t generation{};
  std::int64_t collections{};
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
};

template <>
inline constexpr auto describe<CollectionsRow> = table<CollectionsRow>(
    "LAPSCOPE_COLLECTIONS",
    "Collections of garbage of the first Python interpreter of the process that have ended between "
    "two looks, as the interpreter counts them. Python 3.15 and later keep when the last ones "
    "were: each of these is a row of its own.",
    extra("afterLook", &CollectionsRow::afterLook, Unit::session_ns,
          "the look at which they had not ended"),
    extra("byLook", &CollectionsRow::byLook, Unit::session_ns, "the look at which they had"),
    within({0, 2}, extra("generation", &CollectionsRow::generation, Unit::count,
                         "the oldest that was collected: 0 to 2")),
    extra("collections", &CollectionsRow::collections, Unit::count, "how many"),
    extra("start", &CollectionsRow::start, Unit::session_ns,
          "first instant of the one; NULL where the interpreter did not keep it"),
    extra("end", &CollectionsRow::end, Unit::session_ns, "last instant, likewise"));

struct HostSampleCountsRow {
  std::int64_t intervalNs{};
  std::int64_t taken{};
  std::int64_t withoutStack{};
  std::int64_t torn{};
  std::int64_t late{};
  std::int64_t cpuNs{};
  std::int64_t running{};
  std::int64_t withNative{};
};

template <>
inline constexpr auto describe<HostSampleCountsRow> = table<HostSampleCountsRow>(
    "LAPSCOPE_HOST_SAMPLING",
    "How LAPSCOPE_HOST_SAMPLES were taken, in one row. No such table: they were not asked for.",
    extra("intervalNs", &HostSampleCountsRow::intervalNs, Unit::ns,
          "between two looks, in the mean"),
    extra("taken", &HostSampleCountsRow::taken, Unit::count, "samples"),
    extra("withoutStack", &HostSampleCountsRow::withoutStack, Unit::count,
          "of these, without a stack"),
    extra("torn", &HostSampleCountsRow::torn, Unit::count,
          "of these, because the thread went on while its stack was read"),
    extra("late", &HostSampleCountsRow::late, Unit::count,
          "looks that came more than half an interval late, or not at all"),
    extra("cpuNs", &HostSampleCountsRow::cpuNs, Unit::ns,
          "how long the thread that looks was on a processor"),
    extra("running", &HostSampleCountsRow::running, Unit::count, "samples of threads that ran"),
    extra("withNative", &HostSampleCountsRow::withNative, Unit::count,
          "of these, with native frames; none where LAPSCOPE_CAPTURE says `no-native-frames`"));

}  // namespace lapscope::schema
