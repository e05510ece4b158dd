#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lapscope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// The targets of the fuzzer. Each processes an untrusted input as lapscope does, and throws only
// exceptions that the command reports as a message.

// Reads a file as a trace, and then analyzes, shows and converts the trace.
void trace_bytes(Bytes input);
// Edits cells and rows of a recorded trace, and then analyzes and shows the trace. The trace
// remains a valid database.
void row_values(Bytes input);
// Edits a synthetic export of Nsight Systems, including its columns. Then analyzes the edited
// export, compares it with the original export, or converts it. The converted export must have the
// same analysis as the edited export.
void nsys_export(Bytes input);
// Reads a file as a trace of PyTorch's profiler, and then analyzes and shows the trace.
void kineto_json(Bytes input);
// Reads a file as a profile of XProf, in XSpace or JSON, and then analyzes and shows the profile.
void xprof_profile(Bytes input);
void gate_file(Bytes input);
void summary(Bytes input);
// Reads a file as a summary of ranks, evaluates the run and writes the summary again.
void rank_summary(Bytes input);
// Parses a command line. Zero bytes separate its arguments. Does not run the command.
void command_line(Bytes input);
// Interprets the unwind instructions of a function in a damaged library.
void unwind_tables(Bytes input);
// Looks up symbols in any file as if it were an ELF file.
void elf_symbols(Bytes input);
// Decodes a buffer of CUPTI activity records with any content.
void cupti_buffer(Bytes input);

struct Target {
  std::string_view name;  // also the name of its folder in tests/fuzz/corpus
  void (*run)(Bytes input);
};

inline constexpr Target targets[] = {
    {"trace_bytes", trace_bytes},
    {"row_values", row_values},
    {"nsys_export", nsys_export},
    {"kineto_json", kineto_json},
    {"xprof_profile", xprof_profile},
    {"gate_file", gate_file},
    {"summary", summary},
    {"rank_summary", rank_summary},
    {"command_line", command_line},
    {"unwind_tables", unwind_tables},
    {"elf_symbols", elf_symbols},
#ifdef LAPSCOPE_HAVE_CUPTI
    {"cupti_buffer", cupti_buffer},
#endif
};

}  // namespace lapscope::fuzz
