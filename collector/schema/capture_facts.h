#pragma once

#include <string_view>

// Names of the rows of LAPSCOPE_CAPTURE.
namespace lapscope::schema::fact {

inline constexpr std::string_view tool_version = "tool-version";
inline constexpr std::string_view created = "created";  // UTC, ISO 8601
inline constexpr std::string_view command = "command";  // arguments, shell-quoted
// Options of `lapscope record` that decide what is captured; empty when none was given.
inline constexpr std::string_view record_options = "record-options";
inline constexpr std::string_view calls = "calls";  // which API calls were recorded, see below
inline constexpr std::string_view executable = "executable";  // absolute path
inline constexpr std::string_view pid = "pid";
inline constexpr std::string_view host = "host";
inline constexpr std::string_view rank = "rank";  // that MPI, Slurm or torchrun gave; if any
inline constexpr std::string_view world_size = "world-size";          // number of ranks; if known
inline constexpr std::string_view driver_version = "driver-version";  // as 580.159.04
inline constexpr std::string_view cupti_version = "cupti-version";    // cuptiGetVersion
inline constexpr std::string_view cupti_library = "cupti-library";    // file it came from
inline constexpr std::string_view flush_period_ms = "flush-period-ms";
inline constexpr std::string_view recording = "recording";      // a recording_state
inline constexpr std::string_view session = "session";          // id that the recorder gave
inline constexpr std::string_view exit_status = "exit-status";  // as `lapscope record` saw it
inline constexpr std::string_view processors = "processors";    // that the process may use
inline constexpr std::string_view elapsed_ns = "elapsed-ns";    // program start to end, same source
// Buffers that CUPTI had not given back when the trace was closed.
inline constexpr std::string_view buffers_kept = "buffers-kept";
// Links of PCI Express that the system lists; it may list none.
inline constexpr std::string_view pcie_links = "pcie-links";
// Payloads of NVTX ranges and marks that no row has; absent if there are none.
inline constexpr std::string_view payloads_lost = "payloads-lost";
// "yes" when CUPTI was left to any other client in the program that would have it.
inline constexpr std::string_view yields_to_app = "yields-to-app";
inline constexpr std::string_view problem = "problem";  // why the collector could not do its work

// Why the stacks of calls have no frames of Python though there is an interpreter, a sentence.
inline constexpr std::string_view no_python_frames = "no-python-frames";

// Why samples of threads that run have no native frames, a sentence.
inline constexpr std::string_view no_native_frames = "no-native-frames";

// Why there is no LAPSCOPE_CALL_COSTS, a sentence; absent where none was to be there.
inline constexpr std::string_view not_calibrated = "not-calibrated";

// For a trace that `lapscope convert` made: the format it was in, as "nsys/3.24.14" or "kineto/1".
// The trace has what that format records and no more, and is evaluated like that format.
inline constexpr std::string_view converted_from = "converted-from";

}  // namespace lapscope::schema::fact

// Codes of LAPSCOPE_LOSSES of a trace that was made of JSON of PyTorch's profiler (Kineto), or of a
// profile of XProf.
namespace lapscope::schema::import_loss {

inline constexpr std::string_view without_time = "without-time";      // events without ts or dur
inline constexpr std::string_view nameless_calls = "nameless-calls";  // of unknown functions
inline constexpr std::string_view foreign_calls = "foreign-calls";    // of HIP, not CUDA
inline constexpr std::string_view ops_of_no_process = "ops-of-no-process";  // processes with calls
inline constexpr std::string_view dropped_events = "dropped-events";  // XProf: what it reports
                                                                      // about dropped events
inline constexpr std::string_view profiler_error = "profiler-error";  // XProf: what has failed
inline constexpr std::string_view trailing_text = "trailing-text";    // 1: behind the JSON

}  // namespace lapscope::schema::import_loss

// Values of the fact "recording".
namespace lapscope::schema::recording_state {

inline constexpr std::string_view running = "running";    // still being written, or cut off
inline constexpr std::string_view complete = "complete";  // closed by the collector at exit
inline constexpr std::string_view failed = "failed";      // closed early: it could not be written
inline constexpr std::string_view cut_off = "cut-off";    // the program ended without exit handlers

}  // namespace lapscope::schema::recording_state

// Values of the fact "calls".
namespace lapscope::schema::recorded_calls {

inline constexpr std::string_view all = "all";
inline constexpr std::string_view usual = "usual";  // but those that neither issue work nor wait
inline constexpr std::string_view issuing = "issuing";  // only those that issue work

}  // namespace lapscope::schema::recorded_calls
