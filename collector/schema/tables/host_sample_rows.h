#pragma once

#include "collector/schema/table.h"

// Tables of host samples. They show the states of the threads that have called CUDA, inside and
// outside of CUDA calls.
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
    "One sample of a thread: what the thread did at one instant. Another thread of the process, "
    "the sampler, takes samples at intervals that vary a little. The sampler looks at each thread "
    "that has called CUDA, inside and outside of calls. It neither stops nor interrupts the "
    "thread.",
    extra("start", &HostSampleRow::start, Unit::session_ns, "instant of the sample"),
    extra("globalTid", &HostSampleRow::globalTid, Unit::id, "the sampled thread"),
    extra_enumerated("state", &HostSampleRow::state, "ENUM_LAPSCOPE_THREAD_STATE",
                     "what the thread did at that instant"),
    extra("systemCall", &HostSampleRow::systemCall, Unit::id,
          "number of the system call in which the thread waited; NULL if the thread ran, or if the "
          "call is not known"),
    extra("cpuNs", &HostSampleRow::cpuNs, Unit::ns,
          "time for which the thread ran on a processor since it began, from /proc/.../schedstat; "
          "NULL if Linux does not report it"),
    extra("runnableNs", &HostSampleRow::runnableNs, Unit::ns,
          "time for which the thread was ready to run since it began, but had no processor, from "
          "/proc/.../schedstat; NULL if Linux does not report it"),
    extra("holderTid", &HostSampleRow::holderTid, Unit::id,
          "globalTid of the thread that held the lock for which the sampled thread waited; NULL if "
          "not known"),
    extra("callchainId", &HostSampleRow::callchainId, Unit::id,
          "call stack, as CUDA_CALLCHAINS.id; NULL if the sampler could not read it"));

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
    "Garbage collections that ended between two looks of the sampler (see LAPSCOPE_HOST_SAMPLES). "
    "The sampler reads the number of collections from the first Python interpreter of the process. "
    "Python 3.15 and later also keep the times of the most recent collections. Each collection "
    "with known times has a row of its own.",
    extra("afterLook", &CollectionsRow::afterLook, Unit::session_ns,
          "instant of the latest look before the collections ended"),
    extra("byLook", &CollectionsRow::byLook, Unit::session_ns,
          "instant of the first look after the collections ended"),
    within({0, 2}, extra("generation", &CollectionsRow::generation, Unit::count,
                         "oldest generation that was collected: 0 to 2")),
    extra("collections", &CollectionsRow::collections, Unit::count, "number of collections"),
    extra("start", &CollectionsRow::start, Unit::session_ns,
          "begin of the collection, if the row is about only one; NULL if the interpreter did not "
          "keep the time"),
    extra("end", &CollectionsRow::end, Unit::session_ns,
          "end of the collection; NULL if `start` is NULL"));

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
    "One row about how the samples in LAPSCOPE_HOST_SAMPLES were taken. If the trace lacks this "
    "table, the user did not ask for samples.",
    extra("intervalNs", &HostSampleCountsRow::intervalNs, Unit::ns,
          "mean time between two looks of the sampler"),
    extra("taken", &HostSampleCountsRow::taken, Unit::count, "number of samples"),
    extra("withoutStack", &HostSampleCountsRow::withoutStack, Unit::count,
          "samples without a call stack"),
    extra("torn", &HostSampleCountsRow::torn, Unit::count,
          "samples without a call stack, because the thread continued while the sampler read its "
          "stack; counted in `withoutStack`"),
    extra("late", &HostSampleCountsRow::late, Unit::count,
          "looks that began more than half an interval late"),
    extra("cpuNs", &HostSampleCountsRow::cpuNs, Unit::ns, "CPU time of the sampler's own thread"),
    extra("running", &HostSampleCountsRow::running, Unit::count, "samples of running threads"),
    extra("withNative", &HostSampleCountsRow::withNative, Unit::count,
          "samples of running threads with native frames in the call stack; 0 if LAPSCOPE_CAPTURE "
          "has the fact `no-native-frames`"));

}  // namespace lapscope::schema
