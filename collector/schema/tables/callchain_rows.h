#pragma once

#include "collector/schema/table.h"

// Tables of call stacks. They show the places in the program that made CUDA calls.
namespace lapscope::schema {

struct CallchainRow {
  std::int64_t id{};
  std::optional<std::int64_t> symbol;
  std::optional<std::int64_t> module;
  std::optional<std::int64_t> unresolved;
  std::optional<std::int64_t> originalIP;
  std::int64_t stackDepth{};
  std::optional<std::int64_t> moduleId;
  std::optional<std::int64_t> sourceFile;
  std::optional<std::int64_t> sourceLine;
  std::optional<std::int64_t> isInlined;
};

template <>
inline constexpr auto describe<CallchainRow> = table<CallchainRow>(
    "CUDA_CALLCHAINS",
    "One frame of a call stack, at the entry of a call or at a host sample. Equal stacks are "
    "stored once, as one chain. Frames of CUPTI and of lapscope are left out. Native frames come "
    "first, from the innermost frame on. From the first frame of a Python interpreter on, the "
    "stack has Python frames instead.",
    column("id", &CallchainRow::id, Unit::id,
           "chain; callchainId of a call or a sample refers to it"),
    column("symbol", &CallchainRow::symbol, Unit::string_id,
           "demangled name of a native function, or qualified name of a Python function. [unknown] "
           "until names are resolved; after that, file and offset if the function has no name, "
           "such as app+0x12ab"),
    column("module", &CallchainRow::module, Unit::string_id,
           "file with the code of the function; [python] for a Python frame; empty if there is no "
           "file"),
    column("unresolved", &CallchainRow::unresolved, Unit::flags,
           "1 if the name of the function is not known, or not yet resolved; NULL otherwise"),
    column("originalIP", &CallchainRow::originalIP, Unit::id,
           "return address, which comes after the call instruction; NULL for a Python frame and "
           "for an inlined function"),
    column("stackDepth", &CallchainRow::stackDepth, Unit::count,
           "0 for the innermost frame. In the stack of a call, this is a function of CUDA, or the "
           "function that called CUDA"),
    extra("moduleId", &CallchainRow::moduleId, Unit::id,
          "LAPSCOPE_MODULES.id; NULL for a Python frame and for code outside any file"),
    extra("sourceFile", &CallchainRow::sourceFile, Unit::string_id,
          "path of the source file; relative if the file is below the working directory of "
          "`lapscope record`. NULL if not known"),
    extra("sourceLine", &CallchainRow::sourceLine, Unit::count,
          "line that the frame executes in the source file, from 1; NULL if not known"),
    extra("isInlined", &CallchainRow::isInlined, Unit::flags,
          "1 if the compiler inlined the function into the function of the next frame; NULL "
          "otherwise"));

struct ModuleRow {
  std::int64_t id{};
  std::string path;
  std::optional<std::string> buildId;
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t fileOffset{};
  std::optional<std::string> symbols;
};

template <>
inline constexpr auto describe<ModuleRow> = table<ModuleRow>(
    "LAPSCOPE_MODULES",
    "One executable mapping of a file into memory. A mapping has a row only if a frame of a call "
    "stack lies in it. The offset of a return address in the file is originalIP - start + "
    "fileOffset. Two rows can have the same addresses, because a library can be mapped where "
    "another library was unloaded.",
    extra("id", &ModuleRow::id, Unit::id, "module; moduleId of a frame refers to it"),
    extra("path", &ModuleRow::path, Unit::none,
          "path of the file: absolute until names are resolved, then relative if the file is below "
          "the working directory of `lapscope record`. [vdso] for the code that Linux maps into "
          "each process"),
    extra("buildId", &ModuleRow::buildId, Unit::none,
          "build id that the linker gave the file, in hexadecimal digits; NULL if it has none"),
    extra("start", &ModuleRow::start, Unit::id, "first address"),
    extra("end", &ModuleRow::end, Unit::id, "first address after the mapping"),
    extra("fileOffset", &ModuleRow::fileOffset, Unit::bytes,
          "offset in the file that is mapped to `start`"),
    extra("symbols", &ModuleRow::symbols, Unit::none,
          "names that lapscope found for the code. lines: functions and lines. functions: "
          "functions without lines. unread lines: functions without lines, because this lapscope "
          "has no libdw to read them. none: no names, as in a stripped file. missing: the file was "
          "not there. changed: the file had another build id. NULL until names are resolved"));

struct StackCountsRow {
  std::int64_t captured{};
  std::int64_t chains{};
  std::int64_t truncated{};
  std::int64_t notUnwound{};
  std::int64_t lost{};
  std::int64_t withoutCall{};
  std::int64_t withoutPython{};
};

template <>
inline constexpr auto describe<StackCountsRow> = table<StackCountsRow>(
    "LAPSCOPE_STACKS",
    "One row of counts: how many call stacks lapscope captured, and how many it could not capture. "
    "If the trace lacks this table, call stacks were not recorded.",
    extra("captured", &StackCountsRow::captured, Unit::count, "calls with a stack"),
    extra("chains", &StackCountsRow::chains, Unit::count,
          "number of chains in CUDA_CALLCHAINS, those of host samples included"),
    extra("truncated", &StackCountsRow::truncated, Unit::count,
          "calls whose stack lacks its outermost frames: the stack had more than 64 frames, or "
          "contains code without unwind tables"),
    extra("notUnwound", &StackCountsRow::notUnwound, Unit::count,
          "calls without a stack, because lapscope could read no frame; not counted in `captured`"),
    extra(
        "lost", &StackCountsRow::lost, Unit::count,
        "calls without a stack, because there was no room left for it; not counted in `captured`"),
    extra("withoutCall", &StackCountsRow::withoutCall, Unit::count,
          "stacks without a call, because the record of the call never came or came too late; not "
          "counted in `captured`"),
    extra("withoutPython", &StackCountsRow::withoutPython, Unit::count,
          "calls whose stack lacks its Python frames, because they could not be read; counted in "
          "`captured`"));

}  // namespace lapscope::schema
