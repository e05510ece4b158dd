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
    "One frame of a call stack at the entry of a call. Equal stacks are stored once, as one chain. "
    "Frames of CUPTI and of lapscope are left out. From the innermost frame to the first frame of "
    "a Python interpreter, a stack has native frames. From there to the outermost frame, it has "
    "Python frames.",
    column("id", &CallchainRow::id, Unit::id, "chain; callchainId of a call refers to it"),
    column("symbol", &CallchainRow::symbol, Unit::string_id,
           "demangled name of the function, or qualified name of a Python function. [unknown] "
           "until names are resolved. After that, a function without a name has its file and "
           "offset, such as app+0x12ab"),
    column("module", &CallchainRow::module, Unit::string_id,
           "file with the code of the function; [python] for a Python frame; empty if there is no "
           "file"),
    column("unresolved", &CallchainRow::unresolved, Unit::flags,
           "1 where the function has no name; NULL otherwise"),
    column("originalIP", &CallchainRow::originalIP, Unit::id,
           "return address, which is after the call instruction; NULL for a Python frame and for a "
           "frame that is inlined into the next one"),
    column("stackDepth", &CallchainRow::stackDepth, Unit::count,
           "0 is the innermost frame: a function of CUDA, or the function that called CUDA"),
    extra("moduleId", &CallchainRow::moduleId, Unit::id,
          "LAPSCOPE_MODULES.id; NULL for a Python frame and for code outside any file"),
    extra("sourceFile", &CallchainRow::sourceFile, Unit::string_id,
          "path of the source file of the call; relative to the working directory of `lapscope "
          "record` if the file is below it, as in LAPSCOPE_MODULES.path; NULL if not known"),
    extra("sourceLine", &CallchainRow::sourceLine, Unit::count,
          "line of the call in the source file, from 1; NULL if not known"),
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
    "One executable mapping of a file. A mapping has a row only if a frame of a call stack lies in "
    "it. The offset of a return address in the file is originalIP - start + fileOffset. Two rows "
    "can have the same addresses: after a library was unloaded, another library may have been "
    "mapped there.",
    extra("id", &ModuleRow::id, Unit::id, "module; moduleId of a frame refers to it"),
    extra("path", &ModuleRow::path, Unit::none,
          "absolute path of the file. When names are resolved, a path below the working directory "
          "of `lapscope record` becomes relative to it. [vdso] for the code that the kernel maps"),
    extra("buildId", &ModuleRow::buildId, Unit::none,
          "build id that the linker gave the file, in hexadecimal digits; NULL if it has none"),
    extra("start", &ModuleRow::start, Unit::id, "first address"),
    extra("end", &ModuleRow::end, Unit::id, "first address after the mapping"),
    extra("fileOffset", &ModuleRow::fileOffset, Unit::bytes,
          "offset in the file that is mapped to `start`"),
    extra("symbols", &ModuleRow::symbols, Unit::none,
          "the names that were found for its code. lines: functions and lines; functions: no "
          "lines; none: no names, as in a stripped file; unread lines: functions, but this "
          "lapscope has no libdw to read the lines; missing: the file was not there; changed: the "
          "file had another build id. NULL until names are resolved"));

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
    "One row with the number of call stacks that were captured, and the number of those that were "
    "not. If the trace lacks this table, call stacks were not recorded.",
    extra("captured", &StackCountsRow::captured, Unit::count, "calls with a stack"),
    extra("chains", &StackCountsRow::chains, Unit::count, "different call stacks of these calls"),
    extra("truncated", &StackCountsRow::truncated, Unit::count,
          "calls whose stack lacks its outermost frames, because it had more than 64 frames or "
          "because it contains code without unwind tables"),
    extra("notUnwound", &StackCountsRow::notUnwound, Unit::count,
          "calls with a stack of which no frame could be read; not counted in `captured`"),
    extra(
        "lost", &StackCountsRow::lost, Unit::count,
        "calls whose stack was dropped because there was no room left; not counted in `captured`"),
    extra("withoutCall", &StackCountsRow::withoutCall, Unit::count,
          "captured stacks of calls whose record never came, or came much later"),
    extra("withoutPython", &StackCountsRow::withoutPython, Unit::count,
          "calls whose stack lacks its Python frames, because they could not be read; counted in "
          "`captured`"));

}  // namespace lapscope::schema
