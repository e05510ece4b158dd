#pragma once

#include <string_view>

// Names of the rows of LAPSCOPE_CAPTURE.
namespace lapscope::schema::fact {

inline constexpr std::string_view tool_version = "tool-version";
inline constexpr std::string_view created = "created";  // UTC, ISO 8601
inline constexpr std::string_view command = "command";  // arguments, shell-quoted
// Options of `lapscope record` that decide what is captured; empty if no option was given.
inline constexpr std::string_view record_options = "record-options";
// Which API calls were recorded. The value is one of those in recorded_calls.
inline constexpr std::string_view calls = "calls";
inline constexpr std::string_view executable = "executable";  // absolute path
inline constexpr std::string_view pid = "pid";
inline constexpr std::string_view host = "host";
inline constexpr std::string_view rank = "rank";              // from MPI, Slurm or torchrun, if any
inline constexpr std::string_view world_size = "world-size";  // number of ranks; if known
inline constexpr std::string_view driver_version = "driver-version";  // such as 580.159.04
inline constexpr std::string_view cupti_version = "cupti-version";    // cuptiGetVersion
inline constexpr std::string_view cupti_library = "cupti-library";    // path of the library
inline constexpr std::string_view flush_period_ms = "flush-period-ms";
inline constexpr std::string_view recording = "recording";      // a value of recording_state
inline constexpr std::string_view session = "session";          // id of the recording
inline constexpr std::string_view exit_status = "exit-status";  // of the program
// Number of processors that the process may use.
inline constexpr std::string_view processors = "processors";
// Time from the start of the program to its end, as `lapscope record` measured it.
inline constexpr std::string_view elapsed_ns = "elapsed-ns";
// Number of buffers that CUPTI had not yet returned to lapscope when the trace was closed.
inline constexpr std::string_view buffers_kept = "buffers-kept";
// Number of PCI Express links that the system lists; may be 0.
inline constexpr std::string_view pcie_links = "pcie-links";
// Number of payloads of NVTX ranges and marks that are missing in the trace; absent if no payload
// is missing.
inline constexpr std::string_view payloads_lost = "payloads-lost";
// "yes" if other CUPTI clients in the program were allowed to use CUPTI (--yield-to-app).
inline constexpr std::string_view yields_to_app = "yields-to-app";
inline constexpr std::string_view problem = "problem";  // why the collector could not do its work

// A sentence with the reason why call stacks have no Python frames although the process has an
// interpreter.
inline constexpr std::string_view no_python_frames = "no-python-frames";

// A sentence with the reason why samples of running threads have no native frames.
inline constexpr std::string_view no_native_frames = "no-native-frames";

// A sentence with the reason why the trace has no LAPSCOPE_CALL_COSTS. Absent if the trace has this
// table, or if the user did not ask for a calibration.
inline constexpr std::string_view not_calibrated = "not-calibrated";

// The format from which `lapscope convert` made the trace, such as "nsys/3.24.14" or "kineto/1".
// The trace is analyzed in the same way as a file in this format. Absent in other traces.
inline constexpr std::string_view converted_from = "converted-from";

}  // namespace lapscope::schema::fact

// Codes of LAPSCOPE_LOSSES in a trace that was converted from JSON of PyTorch's profiler (Kineto)
// or from an XProf profile.
namespace lapscope::schema::import_loss {

inline constexpr std::string_view without_time = "without-time";      // events without ts or dur
inline constexpr std::string_view nameless_calls = "nameless-calls";  // calls of unknown functions
inline constexpr std::string_view foreign_calls = "foreign-calls";    // calls of HIP
// The process of each op is unknown, because several processes made calls. The count in
// LAPSCOPE_LOSSES is the number of these processes.
inline constexpr std::string_view ops_of_no_process = "ops-of-no-process";
// The profile contains XProf's report that events were dropped.
inline constexpr std::string_view dropped_events = "dropped-events";
// The profile contains an error of XProf.
inline constexpr std::string_view profiler_error = "profiler-error";
inline constexpr std::string_view trailing_text = "trailing-text";  // 1: text after the JSON

}  // namespace lapscope::schema::import_loss

// Values of the fact "recording".
namespace lapscope::schema::recording_state {

inline constexpr std::string_view running = "running";    // still being written, or `record` killed
inline constexpr std::string_view complete = "complete";  // closed by the collector at exit
inline constexpr std::string_view failed = "failed";      // closed early: it could not be written
inline constexpr std::string_view cut_off = "cut-off";    // the program ended without exit handlers

}  // namespace lapscope::schema::recording_state

// Values of the fact "calls".
namespace lapscope::schema::recorded_calls {

inline constexpr std::string_view all = "all";
inline constexpr std::string_view usual = "usual";      // all except those of inject::is_quiet()
inline constexpr std::string_view issuing = "issuing";  // those of inject::issues_work()

}  // namespace lapscope::schema::recorded_calls

// Values of LAPSCOPE_MODULES.symbols: which symbols were found for the code of a file.
namespace lapscope::schema::known_symbols {

inline constexpr std::string_view lines = "lines";
inline constexpr std::string_view functions = "functions";  // without lines
// Functions without lines. The file has line tables, but this build of lapscope cannot read them,
// because it lacks libdw.
inline constexpr std::string_view unread_lines = "unread lines";
inline constexpr std::string_view none = "none";        // the file is stripped
inline constexpr std::string_view missing = "missing";  // the file was not there
inline constexpr std::string_view changed = "changed";  // a file with another build id was there

}  // namespace lapscope::schema::known_symbols
