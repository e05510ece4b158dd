#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analyzer/model/details.h"

namespace lapscope::analyzer {

// How far a defect of the trace reaches: `error` makes conclusions inconclusive.
enum class Severity { info, warning, error };

std::string_view name_of(Severity severity);

// Every way in which a trace is less than complete and exact, or lacks what was asked for, once:
// its name here, its stable code, how far it reaches, and behind that the details of a row. What
// has several sentences under one code, or reaches less far at times, is several kinds. The
// sentences are in reports/words/health_words.cpp.
#define LAPSCOPE_HEALTH_KINDS(KIND)                                                              \
  /* What the program's calls returned. */                                                       \
  KIND(launches_failed, "failed-calls", error)         /* error; kernels that ran */             \
  KIND(some_launches_failed, "failed-calls", warning)  /* as above */                            \
  KIND(transfers_failed, "failed-calls", error)        /* error; copies and memsets that ran */  \
  KIND(some_transfers_failed, "failed-calls", warning) /* as above */                            \
  KIND(waits_failed, "failed-calls", warning)          /* error */                               \
  /* What a recorder says of its recording. */                                                   \
  KIND(cut_off, "cut-off", warning) /* ms, as text */                                            \
  KIND(still_running, "still-running", warning)                                                  \
  KIND(no_end, "facts-missing", error)           /* table, fact */                               \
  KIND(no_clock, "facts-missing", error)         /* table */                                     \
  KIND(no_session_start, "facts-missing", error) /* table */                                     \
  KIND(yielded, "yielded", warning)                                                              \
  KIND(calls_left_out, "kind-left-out", info)                                                    \
  KIND(kind_left_out, "kind-left-out", info)               /* kind of records */                 \
  KIND(work_refused, "kind-refused", error)                /* kind of records, CUptiResult */    \
  KIND(kind_refused, "kind-refused", warning)              /* as above */                        \
  KIND(detail_refused, "kind-refused", info)               /* as above */                        \
  KIND(not_calibrated, "not-calibrated", info)             /* why, a sentence */                 \
  KIND(not_recorded, "not-recorded", error)                /* why, without a full stop */        \
  KIND(unmatched_range_ends, "unmatched-range-ends", info) /* code, what else is known of it */  \
  KIND(foreign_buffers, "foreign-buffers", error)          /* as above */                        \
  KIND(unknown_kind, "unknown-kind", warning)              /* as above */                        \
  KIND(write_error, "write-error", error)                  /* as above */                        \
  KIND(other_loss, "", error)                              /* as above; the code is the row's */ \
  KIND(stacks_lost, "stacks-lost", info)                   /* captured; lost, by why */          \
  KIND(host_samples_lost, "host-samples-lost", info)       /* taken; late, torn */               \
  KIND(clock_step, "clock-step", error)                    /* ns */                              \
  KIND(captured_part, "captured-part", info)               /* ns and by what, of both ends */    \
  KIND(nothing_captured, "nothing-captured", error)                                              \
  KIND(cupti_without_loads, "cupti-defect", info)           /* version */                        \
  KIND(cupti_slows_calls, "cupti-defect", warning)          /* version */                        \
  KIND(cuda_events_missing, "cuda-events-missing", error)   /* what Nsight Systems says */       \
  KIND(nvtx_events_missing, "nvtx-events-missing", warning) /* as above */                       \
  KIND(no_cuda_events, "no-cuda-events", warning)           /* as above */                       \
  KIND(export_diagnostic, "export-diagnostic", info)        /* as above */                       \
  /* What a format cannot tell. */                                                               \
  KIND(no_channels, "no-channels", info)                                                         \
  KIND(no_stream_kinds, "no-stream-kinds", info)                                                 \
  KIND(no_stream_kinds_or_channels, "no-stream-kinds", info)                                     \
  KIND(xprof_no_stream_kinds, "no-stream-kinds", info)                                           \
  KIND(no_synchronization, "no-synchronization", info)                                           \
  KIND(loads_inferred, "loads-inferred", info) /* us */                                          \
  KIND(graphs_not_traced, "graphs-not-traced", error)                                            \
  KIND(nsys_graphs_not_traced, "graphs-not-traced", error)                                       \
  KIND(xprof_graphs_not_traced, "graphs-not-traced", error)                                      \
  /* What was lost on the way into the trace, or out of it. */                                   \
  KIND(without_time, "without-time", error)                                                      \
  KIND(nameless_calls, "nameless-calls", warning)                                                \
  KIND(foreign_calls, "foreign-calls", error)                                                    \
  KIND(ops_of_no_process, "ops-of-no-process", warning)                                          \
  KIND(dropped_events, "dropped-events", error)   /* what XProf says */                          \
  KIND(profiler_error, "profiler-error", warning) /* as above */                                 \
  KIND(trailing_text, "trailing-text", info)                                                     \
  KIND(damaged_pages, "damaged-pages", error)           /* what SQLite says */                   \
  KIND(unread_log, "damaged-log", error)                /* file, bytes of it */                  \
  KIND(lost_records, "lost-records", error)             /* how many came, kinds of records */    \
  KIND(names_missing, "names-missing", error)           /* kernels, calls */                     \
  KIND(missing_calls, "missing-table", info)            /* table */                              \
  KIND(missing_streams, "missing-table", info)          /* table */                              \
  KIND(missing_gpus, "missing-table", info)             /* table */                              \
  KIND(invalid_timestamps, "invalid-timestamps", error) /* table and rows, of each */            \
  KIND(invalid_op_ids, "invalid-ids", error)            /* as above */                           \
  KIND(invalid_call_ids, "invalid-ids", error)          /* table */                              \
  KIND(impossible_calls, "impossible-times", error)     /* table */                              \
  KIND(impossible_ranges, "impossible-times", error)    /* table */                              \
  KIND(impossible_ops, "impossible-times", warning)     /* table; ops by why */                  \
  KIND(impossible_device, "impossible-times", error)    /* as above */                           \
  KIND(unfinished_ops, "unfinished-ops", warning)                                                \
  KIND(unissued_ops, "unissued-ops", info)                                                       \
  KIND(orphan_launches, "orphan-launches", error)                                                \
  KIND(orphan_graphs, "orphan-graphs", error)                                                    \
  KIND(empty_copies, "empty-copies", info)                                                       \
  KIND(orphan_copies, "orphan-copies", error)                                                    \
  KIND(unplaced_synchronizations, "unplaced-synchronizations", info)                             \
  KIND(duplicate_correlation_ids, "duplicate-correlation-ids", warning)                          \
  KIND(invalid_host_times, "invalid-host-times", warning)                                        \
  KIND(unknown_device, "unknown-device", warning)     /* device */                               \
  KIND(impossible_values, "impossible-values", error) /* table, column, the first */             \
  KIND(broken_law, "contradiction", error)            /* code of the law */                      \
  /* What is to be known of the figures. */                                                      \
  KIND(several_processes, "several-processes", info)                                             \
  KIND(tracing_overhead, "tracing-overhead", info)         /* ns, of ns */                       \
  KIND(much_tracing_overhead, "tracing-overhead", warning) /* as above */                        \
  KIND(managed_migrations, "managed-migrations", info)                                           \
  KIND(managed_memory, "managed-memory", warning)                                                \
  KIND(nsys_managed_memory, "managed-memory", warning)                                           \
  KIND(unsteady_calibration, "unsteady-calibration", warning) /* percent */                      \
  KIND(kernels_lengthened, "kernels-lengthened", info)        /* kernel, percent */              \
  /* What was asked for, and how it was evaluated. */                                            \
  KIND(empty_window, "no-gpu-work", error)                                                       \
  KIND(gpu_records_lost, "no-gpu-work", error)                                                   \
  KIND(nsys_gpu_records_lost, "no-gpu-work", error)                                              \
  KIND(nsys_cuda_not_traced, "no-gpu-work", error)                                               \
  KIND(no_work_issued, "no-gpu-work", error)                                                     \
  KIND(no_ops, "no-gpu-work", error)                                                             \
  KIND(no_brackets, "range-absent", error)                                                       \
  KIND(no_iterations, "range-absent", error)         /* pattern */                               \
  KIND(range_undecided, "range-absent", error)       /* pattern */                               \
  KIND(range_of_others, "range-absent", error)       /* pattern */                               \
  KIND(range_absent, "range-absent", error)          /* pattern; those there are */              \
  KIND(ranges_too_many, "ranges-too-many", error)    /* most; times the ops */                   \
  KIND(explained_too_many, "ranges-too-many", error) /* as above; ops; times the ops */          \
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

// One way in which this trace is less than complete and exact.
struct HealthRow {
  HealthKind kind = HealthKind::no_ops;
  std::int64_t count = 0;
  Details details = {};
};

Severity severity_of(const HealthRow& row);
std::string_view code_of(const HealthRow& row);

// What was asked for is not there.
bool is_absent_range(const HealthRow& row);

// Without the work of calls that failed a program is another one: what is said first of it. Null
// where none failed, or few did.
const HealthRow* failed_work(const std::vector<HealthRow>& health);

// Whether a trace is not as it was recorded, as it contradicts itself.
bool contradicts_itself(const std::vector<HealthRow>& health);

// Whether what the host's calls do, or did, is not known: its figures stand, and no cause that is
// found with them could be relied on.
bool hides_causes(const std::vector<HealthRow>& health);

// Makes conclusions of the whole trace inconclusive.
bool is_any_error(const std::vector<HealthRow>& health);

}  // namespace lapscope::analyzer
