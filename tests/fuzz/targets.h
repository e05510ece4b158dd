#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lapscope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// Each does with its input what lapscope does with one that anybody may have made, and throws
// nothing that the command would not turn into a sentence.

// A file that is to be a trace: read, analyzed, shown in some format, and converted.
void trace_bytes(Bytes input);
// The same for a recorded trace whose cells were changed and rows deleted or repeated, as the input
// says: what SQLite accepts, and lapscope must evaluate.
void row_values(Bytes input);
// A synthetic export of Nsight Systems in one of the layouts of its releases, changed likewise, its
// columns too: analyzed, summarized, compared with what it was, and converted, which changes no
// result.
void nsys_export(Bytes input);
// A file that is to be JSON of PyTorch's profiler: read, analyzed, and shown in some format.
void kineto_json(Bytes input);
// A file that is to be a profile of XProf, XSpace or JSON, likewise.
void xprof_profile(Bytes input);
void gate_file(Bytes input);
void summary(Bytes input);
// A file that is to be a summary of ranks: read, evaluated as one run, and written again.
void rank_summary(Bytes input);
// Arguments, with zeros between them. Nothing is run.
void command_line(Bytes input);
// Call frame instructions of unwind tables, as of a damaged library.
void unwind_tables(Bytes input);
// A file that code was mapped from, and the symbols of what is in it.
void elf_symbols(Bytes input);
// Activity records of CUPTI, of any content.
void cupti_buffer(Bytes input);

struct Target {
  std::string_view name;  // also of its folder in tests/fuzz/corpus
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
