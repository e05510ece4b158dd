#pragma once

#include "collector/schema/table.h"

// Tables that lapscope adds. They show how the trace was recorded, and whether it is reliable.
namespace lapscope::schema {

struct CaptureRow {
  TABLE(CaptureRow, "LAPSCOPE_CAPTURE",
        "One fact of the recording. The names of facts are in collector/schema/capture_facts.h.");
  COLUMN(Text, name, none, "name of the fact");
  COLUMN(MaybeText, value, none, "value of the fact; NULL if lapscope could not determine it");
};

struct EnvironmentRow {
  TABLE(EnvironmentRow, "LAPSCOPE_ENVIRONMENT",
        "One environment variable that changes the behaviour of CUDA. Only variables of a fixed "
        "short list are stored.");
  COLUMN(Text, name, none, "variable");
  COLUMN(Text, value, none, "its value in the process");
};

struct RecordsRow {
  TABLE(RecordsRow, "LAPSCOPE_RECORDS",
        "One kind of activity. The row shows whether lapscope requested records of this kind from "
        "CUPTI, and how many records came. For the kinds SYNCHRONIZATION and CUDA_EVENT, lapscope "
        "prefers callbacks to records. It uses callbacks if they can report everything that the "
        "user asked for.");
  COLUMN(Int, kind, id, "CUpti_ActivityKind; negative for a kind that only callbacks report");
  COLUMN(Text, name, none, "name of the kind");
  COLUMN(MaybeInt, enableResult, none,
         "CUptiResult of the request for this kind; 0 is success. NULL if lapscope did not request "
         "the kind");
  COLUMN(MaybeInt, recordSize, bytes,
         "size of one record in this version of libcupti; NULL for a kind that callbacks report");
  COLUMN(Int, received, count, "number of records that came and were in a captured interval");
  COLUMN(Int, invalidTimestamps, count,
         "number of received records with a lost or reversed timestamp. The trace has their rows: "
         "start or end is -1, or the end is before the start");
  COLUMN(MaybeInt, outside, count,
         "number of records that lapscope dropped, because they were outside the captured "
         "intervals; NULL if lapscope captured the whole run");
};

struct StretchRow {
  TABLE(StretchRow, "LAPSCOPE_STRETCHES",
        "One captured interval, if the user asked for a part of the run. An activity that lies "
        "partly in an interval is in the trace with its whole duration. The trace shows nothing "
        "else of the time outside the intervals. If the table exists but has no row, the event "
        "that should begin the capture never came. If the trace lacks this table, the whole run "
        "was captured.");
  COLUMN(Int, start, session_ns, "begin, host time");
  COLUMN(MaybeInt, end, session_ns,
         "end, host time; NULL if the interval lasted until the end of the recording");
  COLUMN(Text, begunBy, none,
         "what began the interval: the first use of CUDA, a delay, cudaProfilerStart, `lapscope "
         "ctl`, or the name of an NVTX range");
  COLUMN(MaybeText, endedBy, none,
         "what ended the interval: the duration, the number of iterations, the size of the trace, "
         "cudaProfilerStop, `lapscope ctl`, or the name of an NVTX range; NULL if `end` is NULL");
};

struct LossRow {
  TABLE(LossRow, "LAPSCOPE_LOSSES",
        "One kind of lost data. If a code has no row or a count of 0, no data of this kind was "
        "lost.");
  COLUMN(Text, code, none,
         "dropped-records, dropped-callbacks, foreign-buffers, unknown-kind, write-error, "
         "decode-error or unmatched-range-ends. Traces of `lapscope convert` can have other codes");
  COLUMN(
      Int, count, count,
      "number of lost records, callbacks, buffers or range ends; for errors, the number of errors");
  COLUMN(MaybeText, detail, none,
         "message of the first error, kind of the records, or explanation");
};

struct RunRow {
  TABLE(RunRow, "LAPSCOPE_RUNS",
        "One time, measured on the host. `record --bare` ran the program alternately without CUPTI "
        "and recorded. Each run has one row for the whole program, and one row for each text of "
        "its NVTX ranges. This trace shows one of the recorded runs: the run with the median sum "
        "of the times of all texts.");
  COLUMN(Int, run, count, "number of the run in the order of the runs, from 1");
  COLUMN(Int, isRecorded, flags, "0 for a run without CUPTI, 1 for a recorded run");
  COLUMN(Int, exitStatus, none, "exit status of the program; 128 + n if signal n ended it");
  COLUMN(MaybeText, range, none,
         "text of NVTX ranges of this process (of this rank), in any domain; NULL for the whole "
         "program, from its start to its end");
  COLUMN(Int, count, count, "number of ranges with this text that the run opened and closed");
  COLUMN(Int, ns, ns, "time in which at least one of these ranges was open");
};

struct UnrecordedIterationRow {
  TABLE(UnrecordedIterationRow, "LAPSCOPE_UNRECORDED_ITERATIONS",
        "One of the last iterations that an armed process (`record --armed`) made before its first "
        "capture. CUPTI recorded no activities of this iteration. Traces of later captures lack "
        "this table: after the first capture, all iterations are slower.");
  COLUMN(Text, range, none, "text of the NVTX range that each iteration opens");
  COLUMN(Int, iteration, count,
         "number of the iteration, from 1, in the order of the ends of iterations");
  COLUMN(Int, ns, ns, "time from open to close, on the host");
};

struct CallCostRow {
  TABLE(CallCostRow, "LAPSCOPE_CALL_COSTS",
        "Each row has two times of one kind of call or other work. One was measured without CUPTI, "
        "and one with recording as in this trace. The difference is the time that the recorder "
        "adds. A calibration (`lapscope doctor --calibrate`) measured both times alternately, with "
        "the same GPU, driver, CUPTI and options. If the trace lacks this table, there was no "
        "calibration. The fact not-calibrated "
        "in LAPSCOPE_CAPTURE may then give the reason.");
  COLUMN(
      Text, kind, none,
      "what was measured. A call: launch, graph-launch, copy-async, copy-blocking, memset, "
      "record-event, wait-event, query, synchronize, allocate, release, host-function. The part "
      "of a graph launch for each node: graph-node. Opening and closing a range: nvtx-range. A "
      "call of a thread that has slept for 3 ms: cold-call. On the GPU, the time from one start "
      "to the next: kernel-on-device (kernels in a stream), graph-node-on-device (kernels in a "
      "graph), graph-launch-on-device (graphs), copy-on-device (copies between host and device)");
  COLUMN(Int, bareNs, ns, "time without CUPTI: the median of the undisturbed rounds");
  COLUMN(Int, recordedNs, ns,
         "time if recorded: bareNs plus the median of the differences. Each difference is between "
         "two times of the same round");
  COLUMN(Int, spreadNs, ns, "interquartile range of these differences");
  COLUMN(Text, created, none, "time of the calibration, UTC, ISO 8601");
};

struct ClockRow {
  TABLE(ClockRow, "LAPSCOPE_CLOCKS",
        "One reading of all system clocks at the same time. CUPTI takes host times from "
        "CLOCK_REALTIME, which can step. The other clocks cannot step. A step of CLOCK_REALTIME is "
        "therefore visible: its difference to the other clocks changes.");
  COLUMN(Text, label, none, "when the clocks were read: start, period or end");
  COLUMN(Int, realtime, utc_ns, "CLOCK_REALTIME");
  COLUMN(Int, monotonic, ns, "CLOCK_MONOTONIC");
  COLUMN(Int, monotonicRaw, ns, "CLOCK_MONOTONIC_RAW");
  COLUMN(Int, boottime, ns, "CLOCK_BOOTTIME");
};

}  // namespace lapscope::schema
