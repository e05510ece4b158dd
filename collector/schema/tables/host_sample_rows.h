#pragma once

#include "collector/schema/table.h"

// Tables of host samples. They show the states of the threads that have called CUDA, inside and
// outside of CUDA calls.
namespace lapscope::schema {

struct HostSampleRow {
  TABLE(HostSampleRow, "LAPSCOPE_HOST_SAMPLES",
        "One sample of a thread: what the thread did at one instant. Another thread of the "
        "process, the sampler, takes samples at intervals that vary a little. The sampler looks at "
        "each thread that has called CUDA, inside and outside of calls. It neither stops nor "
        "interrupts the thread.");
  COLUMN(Int, start, session_ns, "instant of the sample");
  COLUMN(Int, globalTid, id, "the sampled thread");
  CODE(Int, state, "ENUM_LAPSCOPE_THREAD_STATE", "what the thread did at that instant");
  COLUMN(MaybeInt, systemCall, id,
         "number of the system call in which the thread waited; NULL if the thread ran, or if the "
         "call is not known");
  COLUMN(MaybeInt, cpuNs, ns,
         "time for which the thread ran on a processor since it began, from /proc/.../schedstat; "
         "NULL if Linux does not report it");
  COLUMN(MaybeInt, runnableNs, ns,
         "time for which the thread was ready to run since it began, but had no processor, from "
         "/proc/.../schedstat; NULL if Linux does not report it");
  COLUMN(MaybeInt, holderTid, id,
         "globalTid of the thread that held the lock for which the sampled thread waited; NULL if "
         "not known");
  COLUMN(MaybeInt, callchainId, id,
         "call stack, as CUDA_CALLCHAINS.id; NULL if the sampler could not read it");
};

struct CollectionsRow {
  TABLE(CollectionsRow, "LAPSCOPE_COLLECTIONS",
        "Garbage collections that ended between two looks of the sampler (see "
        "LAPSCOPE_HOST_SAMPLES). The sampler reads the number of collections from the first Python "
        "interpreter of the process. Python 3.15 and later also keep the times of the most recent "
        "collections. Each collection with known times has a row of its own.");
  COLUMN(Int, afterLook, session_ns, "instant of the latest look before the collections ended");
  COLUMN(Int, byLook, session_ns, "instant of the first look after the collections ended");
  COLUMN(Int, generation, count, "oldest generation that was collected: 0 to 2", Domain{0, 2});
  COLUMN(Int, collections, count, "number of collections");
  COLUMN(MaybeInt, start, session_ns,
         "begin of the collection, if the row is about only one; NULL if the interpreter did not "
         "keep the time");
  COLUMN(MaybeInt, end, session_ns, "end of the collection; NULL if `start` is NULL");
};

struct HostSampleCountsRow {
  TABLE(HostSampleCountsRow, "LAPSCOPE_HOST_SAMPLING",
        "One row about how the samples in LAPSCOPE_HOST_SAMPLES were taken. If the trace lacks "
        "this table, the user did not ask for samples.");
  COLUMN(Int, intervalNs, ns, "mean time between two looks of the sampler");
  COLUMN(Int, taken, count, "number of samples");
  COLUMN(Int, withoutStack, count, "samples without a call stack");
  COLUMN(Int, torn, count,
         "samples without a call stack, because the thread continued while the sampler read its "
         "stack; counted in `withoutStack`");
  COLUMN(Int, late, count, "looks that began more than half an interval late");
  COLUMN(Int, cpuNs, ns, "CPU time of the sampler's own thread");
  COLUMN(Int, running, count, "samples of running threads");
  COLUMN(Int, withNative, count,
         "samples of running threads with native frames in the call stack; 0 if LAPSCOPE_CAPTURE "
         "has the fact `no-native-frames`");
};

}  // namespace lapscope::schema
