#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analyzer/model/details.h"

namespace lapscope::analyzer {

// How serious a defect of the trace is. `error` makes all conclusions from the trace inconclusive.
enum class Severity { info, warning, error };

std::string_view name_of(Severity severity);

// The kinds of health rows. They are ways in which a trace is incomplete or inexact, or lacks
// requested data. Each line has the kind, its stable code and its severity. The comment of a line
// lists the details of the row. Kinds with the same code have different sentences
// (reports/words/health_words.cpp) or severities.
#define LAPSCOPE_HEALTH_KINDS(KIND)                                                              \
  /* Results of the program's calls. */                                                          \
  KIND(launches_failed, "failed-calls", error)         /* error; kernels; successful calls */    \
  KIND(some_launches_failed, "failed-calls", warning)  /* error; kernels; successful calls */    \
  KIND(transfers_failed, "failed-calls", error)        /* error; transfers; successful calls */  \
  KIND(some_transfers_failed, "failed-calls", warning) /* error; transfers; successful calls */  \
  KIND(waits_failed, "failed-calls", warning)          /* error; 0; successful calls */          \
  /* Reports of a recorder about its recording. */                                               \
  KIND(cut_off, "cut-off", warning) /* ms, as text */                                            \
  KIND(still_running, "still-running", warning)                                                  \
  KIND(no_end, "facts-missing", error)           /* table, fact */                               \
  KIND(no_clock, "facts-missing", error)         /* table */                                     \
  KIND(no_session_start, "facts-missing", error) /* table */                                     \
  KIND(yielded, "yielded", warning)                                                              \
  KIND(calls_left_out, "kind-left-out", info)                                                    \
  KIND(kind_left_out, "kind-left-out", info)               /* kind of records */                 \
  KIND(work_refused, "kind-refused", error)                /* kind of records, CUptiResult */    \
  KIND(kind_refused, "kind-refused", warning)              /* kind of records, CUptiResult */    \
  KIND(detail_refused, "kind-refused", info)               /* kind of records, CUptiResult */    \
  KIND(not_calibrated, "not-calibrated", info)             /* the reason, as a sentence */       \
  KIND(not_recorded, "not-recorded", error)                /* the reason, without a full stop */ \
  KIND(unmatched_range_ends, "unmatched-range-ends", info) /* code, what else is known */        \
  KIND(foreign_buffers, "foreign-buffers", error)          /* code, what else is known */        \
  KIND(unknown_kind, "unknown-kind", warning)              /* code, what else is known */        \
  KIND(write_error, "write-error", error)                  /* code, what else is known */        \
  KIND(other_loss, "", error)                        /* the row's code, what else is known */    \
  KIND(stacks_lost, "stacks-lost", info)             /* captured; lost, by reason */             \
  KIND(host_samples_lost, "host-samples-lost", info) /* taken; late, torn */                     \
  KIND(clock_step, "clock-step", error)              /* ns */                                    \
  KIND(captured_part, "captured-part", info)         /* of begin and end: ns, and the trigger */ \
  KIND(nothing_captured, "nothing-captured", error)                                              \
  KIND(cupti_without_loads, "cupti-defect", info)           /* version */                        \
  KIND(cupti_slows_calls, "cupti-defect", warning)          /* version */                        \
  KIND(cuda_events_missing, "cuda-events-missing", error)   /* what Nsight Systems says */       \
  KIND(nvtx_events_missing, "nvtx-events-missing", warning) /* what Nsight Systems says */       \
  KIND(no_cuda_events, "no-cuda-events", warning)           /* what Nsight Systems says */       \
  KIND(export_diagnostic, "export-diagnostic", info)        /* what Nsight Systems says */       \
  /* Facts that a format cannot contain. */                                                      \
  KIND(no_channels, "no-channels", info)                                                         \
  KIND(no_stream_kinds, "no-stream-kinds", info)                                                 \
  KIND(no_stream_kinds_or_channels, "no-stream-kinds", info)                                     \
  KIND(xprof_no_stream_kinds, "no-stream-kinds", info)                                           \
  KIND(no_synchronization, "no-synchronization", info)                                           \
  KIND(loads_inferred, "loads-inferred", info) /* us */                                          \
  KIND(graphs_not_traced, "graphs-not-traced", error)                                            \
  KIND(nsys_graphs_not_traced, "graphs-not-traced", error)                                       \
  KIND(xprof_graphs_not_traced, "graphs-not-traced", error)                                      \
  /* Data that were lost on the way into the trace, or out of it. */                             \
  KIND(without_time, "without-time", error)                                                      \
  KIND(nameless_calls, "nameless-calls", warning)                                                \
  KIND(foreign_calls, "foreign-calls", error)                                                    \
  KIND(ops_of_no_process, "ops-of-no-process", warning)                                          \
  KIND(dropped_events, "dropped-events", error)   /* what XProf says */                          \
  KIND(profiler_error, "profiler-error", warning) /* what XProf says */                          \
  KIND(trailing_text, "trailing-text", info)                                                     \
  KIND(damaged_pages, "damaged-pages", error)           /* what SQLite says */                   \
  KIND(unread_log, "damaged-log", error)                /* file, bytes of it */                  \
  KIND(lost_records, "lost-records", error)             /* records received, their kinds */      \
  KIND(names_missing, "names-missing", error)           /* nameless kernels, nameless calls */   \
  KIND(missing_calls, "missing-table", info)            /* table */                              \
  KIND(missing_streams, "missing-table", info)          /* table */                              \
  KIND(missing_gpus, "missing-table", info)             /* table */                              \
  KIND(invalid_timestamps, "invalid-timestamps", error) /* each table and its rows */            \
  KIND(invalid_op_ids, "invalid-ids", error)            /* each table and its rows */            \
  KIND(invalid_call_ids, "invalid-ids", error)          /* table */                              \
  KIND(impossible_calls, "impossible-times", error)     /* table */                              \
  KIND(impossible_ranges, "impossible-times", error)    /* table */                              \
  KIND(impossible_ops, "impossible-times", warning)     /* table; ops by reason */               \
  KIND(impossible_device, "impossible-times", error)    /* table; ops by reason */               \
  KIND(unfinished_ops, "unfinished-ops", warning)                                                \
  KIND(unissued_ops, "unissued-ops", info)                                                       \
  KIND(orphan_launches, "orphan-launches", error)                                                \
  KIND(orphan_graphs, "orphan-graphs", error)                                                    \
  KIND(empty_copies, "empty-copies", info)                                                       \
  KIND(orphan_copies, "orphan-copies", error)                                                    \
  KIND(unjoined_calls, "unjoined-calls", error)                                                  \
  KIND(unplaced_synchronizations, "unplaced-synchronizations", info)                             \
  KIND(duplicate_correlation_ids, "duplicate-correlation-ids", warning)                          \
  KIND(shared_device_number, "shared-device-number", error) /* device */                         \
  KIND(invalid_host_times, "invalid-host-times", warning)                                        \
  KIND(unknown_device, "unknown-device", warning)     /* device */                               \
  KIND(impossible_values, "impossible-values", error) /* table, column, first such value */      \
  KIND(broken_law, "contradiction", error)            /* code of the law */                      \
  /* Facts about the figures. */                                                                 \
  KIND(several_processes, "several-processes", info)                                             \
  KIND(tracing_overhead, "tracing-overhead", info)         /* ns held up, of ns */               \
  KIND(much_tracing_overhead, "tracing-overhead", warning) /* ns held up, of ns */               \
  KIND(managed_migrations, "managed-migrations", info)                                           \
  KIND(managed_memory, "managed-memory", warning)                                                \
  KIND(nsys_managed_memory, "managed-memory", warning)                                           \
  KIND(unsteady_calibration, "unsteady-calibration", warning) /* percent */                      \
  KIND(kernels_lengthened, "kernels-lengthened", info)        /* kernel, percent */              \
  KIND(iterations_alike, "recorded-iterations",                                                  \
       info) /* range; recorded: quartiles; unrecorded: number, quartiles */                     \
  KIND(iterations_faster, "recorded-iterations", info)         /* as iterations_alike */         \
  KIND(iterations_slower, "recorded-iterations", info)         /* as iterations_alike */         \
  KIND(iterations_much_slower, "recorded-iterations", warning) /* as iterations_alike */         \
  /* Requests, and how they were evaluated. */                                                   \
  KIND(empty_window, "no-gpu-work", error)                                                       \
  KIND(gpu_records_lost, "no-gpu-work", error)                                                   \
  KIND(nsys_gpu_records_lost, "no-gpu-work", error)                                              \
  KIND(nsys_cuda_not_traced, "no-gpu-work", error)                                               \
  KIND(no_work_issued, "no-gpu-work", error)                                                     \
  KIND(no_ops, "no-gpu-work", error)                                                             \
  KIND(no_brackets, "range-absent", error)                                                       \
  KIND(no_iterations, "range-absent", error)           /* pattern */                             \
  KIND(no_iterations_in_window, "range-absent", error) /* pattern */                             \
  KIND(range_undecided, "range-absent", error)         /* pattern */                             \
  KIND(range_of_others, "range-absent", error)         /* pattern */                             \
  KIND(range_absent, "range-absent", error)            /* pattern; ranges that are there */      \
  KIND(ranges_too_many, "ranges-too-many", error)      /* most names; most times the ops */      \
  KIND(explained_too_many, "ranges-too-many", error)   /* as above; ops; times the ops */        \
  KIND(bare_not_compared, "bare-not-compared", info)                                             \
  KIND(replay_stuck, "replay-stuck", error)                                                      \
  KIND(fix_unknown, "fix-unknown", error) /* engine */

enum class HealthKind : std::uint8_t {
#define LAPSCOPE_HEALTH_NAME(name, code, severity) name,
  LAPSCOPE_HEALTH_KINDS(LAPSCOPE_HEALTH_NAME)
#undef LAPSCOPE_HEALTH_NAME
};

struct HealthFacts {
  std::string_view code;
  Severity severity;
};

// By kind.
inline constexpr std::array health_facts = {
#define LAPSCOPE_HEALTH_FACTS(name, code, severity) HealthFacts{code, Severity::severity},
    LAPSCOPE_HEALTH_KINDS(LAPSCOPE_HEALTH_FACTS)
#undef LAPSCOPE_HEALTH_FACTS
};

struct HealthRow {
  HealthKind kind = HealthKind::no_ops;
  std::int64_t count = 0;
  Details details = {};
};

Severity severity_of(const HealthRow& row);
std::string_view code_of(const HealthRow& row);

// Whether the row reports that a requested range does not exist.
bool is_absent_range(const HealthRow& row);

// Returns the row about failed launches or transfers; null if none or only few failed. Reports show
// this row first, because a program without this work behaves differently.
const HealthRow* failed_work(const std::vector<HealthRow>& health);

// Whether values are impossible or contradict each other. If so, the trace does not contain what
// was recorded.
bool contradicts_itself(const std::vector<HealthRow>& health);

// Whether causes are unreliable, because some calls failed or are not CUDA calls. The trace does
// not show the effects of such calls. Its figures are still valid.
bool hides_causes(const std::vector<HealthRow>& health);

// Whether any row is an error. If so, all conclusions from the trace are inconclusive.
bool is_any_error(const std::vector<HealthRow>& health);

}  // namespace lapscope::analyzer
