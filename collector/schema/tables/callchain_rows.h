#pragma once

#include "collector/schema/table.h"

// Where in the program calls of CUDA were made.
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
    "One frame of a call stack, as it was at the entry of a call. Equal stacks are one chain. The "
    "frames of CUPTI and of lapscope are left out; below the first frame of a Python interpreter "
    "there are its Python frames in place of its own.",
    column("id", &CallchainRow::id, Unit::id, "chain, as callchainId of a call"),
    column("symbol", &CallchainRow::symbol, Unit::string_id,
           "function, demangled; of a Python frame its qualified name; [unknown] until names are "
           "resolved; then, of one without a name, its file and offset, as app+0x12ab"),
    column("module", &CallchainRow::module, Unit::string_id,
           "file that the function is in; [python] for a Python frame; empty where there is none"),
    column("unresolved", &CallchainRow::unresolved, Unit::flags,
           "1 where the function has no name; NULL otherwise"),
    column("originalIP", &CallchainRow::originalIP, Unit::id,
           "return address, behind the call; NULL for a Python frame, and for one that is inlined "
           "into the frame after it"),
    column("stackDepth", &CallchainRow::stackDepth, Unit::count,
           "0 is the innermost: of CUDA itself, or of what called it"),
    extra("moduleId", &CallchainRow::moduleId, Unit::id,
          "LAPSCOPE_MODULES.id; NULL for a Python frame, and for code that is in no file"),
    extra("sourceFile", &CallchainRow::sourceFile, Unit::string_id,
          "source file of the call, relative likewise; NULL when not known"),
    extra("sourceLine", &CallchainRow::sourceLine, Unit::count,
          "its line, from 1; NULL when not known"),
    extra("isInlined", &CallchainRow::isInlined, Unit::flags,
          "1 when the compiler has inlined the function into the frame after it; NULL otherwise"));

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
    "One part of a file that was mapped to be executed, if a frame of a call stack is in it. A "
    "return address is at originalIP - start + fileOffset in the file. Where a library was "
    "unloaded, another one may have had the same addresses.",
    extra("id", &ModuleRow::id, Unit::id, "as moduleId of a frame"),
    extra("path", &ModuleRow::path, Unit::none,
          "of the file, absolute; once names were resolved relative to the working directory of "
          "`lapscope record` if it lies below it; [vdso] of the kernel's"),
    extra("buildId", &ModuleRow::buildId, Unit::none,
          "the linker's id of the file, in hexadecimal digits; NULL where it has none"),
    extra("start", &ModuleRow::start, Unit::id, "first address"),
    extra("end", &ModuleRow::end, Unit::id, "first address behind it"),
    extra("fileOffset", &ModuleRow::fileOffset, Unit::bytes, "where in the file `start` is"),
    extra("symbols", &ModuleRow::symbols, Unit::none,
          "what names were found in for its code: lines; functions, without lines; none, as of a "
          "stripped file; unread lines, for want of libdw; missing, the file was not there; "
          "changed, it had another build id. NULL until names are resolved"));

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
    "What became of the call stacks that were to be captured, in one row. No such table: call "
    "stacks were not recorded.",
    extra("captured", &StackCountsRow::captured, Unit::count, "calls with a stack"),
    extra("chains", &StackCountsRow::chains, Unit::count, "different stacks among them"),
    extra("truncated", &StackCountsRow::truncated, Unit::count,
          "calls whose stack has no outermost frames: it was deeper than 64, or code without "
          "unwind tables is in it"),
    extra("notUnwound", &StackCountsRow::notUnwound, Unit::count,
          "calls of whose stack no frame could be read; not among those captured"),
    extra("lost", &StackCountsRow::lost, Unit::count,
          "calls whose stack had no room any more; not among those captured"),
    extra("withoutCall", &StackCountsRow::withoutCall, Unit::count,
          "stacks of calls that no record came of, or only much later"),
    extra("withoutPython", &StackCountsRow::withoutPython, Unit::count,
          "calls whose stack lacks its frames of Python, which could not be read; among those "
          "captured"));

}  // namespace lapscope::schema
