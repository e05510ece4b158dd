#pragma once

#include "collector/schema/table.h"

// Tables of call stacks. They show the places in the program that made CUDA calls.
namespace lapscope::schema {

struct CallchainRow {
  TABLE(CallchainRow, "CUDA_CALLCHAINS",
        "One frame of a call stack, at the entry of a call or at a host sample. Equal stacks are "
        "stored once, as one chain. Frames of CUPTI and of lapscope are left out. The innermost "
        "frame comes first. In a Python program, native frames end before the first frame of the "
        "interpreter, and Python frames follow.");
  COLUMN(Int, id, id, "chain; callchainId of a call or a sample refers to it");
  COLUMN(MaybeInt, symbol, string_id,
         "demangled name of a native function, or qualified name of a Python function. [unknown] "
         "until names are resolved; after that, file and offset if the function has no name, such "
         "as app+0x12ab");
  COLUMN(
      MaybeInt, module, string_id,
      "file with the code of the function; [python] for a Python frame; empty if there is no file");
  COLUMN(MaybeInt, unresolved, flags,
         "1 if the name of the function is not known, or not yet resolved; NULL otherwise");
  COLUMN(MaybeInt, originalIP, id,
         "return address, which comes after the call instruction; NULL for a Python frame and for "
         "an inlined function");
  COLUMN(Int, stackDepth, count,
         "0 for the innermost frame. In the stack of a call, this is a function of CUDA, or the "
         "function that called CUDA");
  EXTRA(MaybeInt, moduleId, id,
        "LAPSCOPE_MODULES.id; NULL for a Python frame and for code outside any file");
  EXTRA(MaybeInt, sourceFile, string_id,
        "path of the source file; relative if the file is below the working directory of `lapscope "
        "record`. NULL if not known");
  EXTRA(MaybeInt, sourceLine, count,
        "line that the frame executes in the source file, from 1; NULL if not known");
  EXTRA(
      MaybeInt, isInlined, flags,
      "1 if the compiler inlined the function into the function of the next frame; NULL otherwise");
};

struct ModuleRow {
  TABLE(ModuleRow, "LAPSCOPE_MODULES",
        "One executable mapping of a file into memory. A mapping has a row only if a frame of a "
        "call stack lies in it. The offset of a return address in the file is originalIP - start + "
        "fileOffset. Two rows can have the same addresses, because a library can be mapped where "
        "another library was unloaded.");
  COLUMN(Int, id, id, "module; moduleId of a frame refers to it");
  COLUMN(Text, path, none,
         "path of the file: absolute until names are resolved, then relative if the file is below "
         "the working directory of `lapscope record`. [vdso] for the code that Linux maps into "
         "each process");
  COLUMN(MaybeText, buildId, none,
         "build id that the linker gave the file, in hexadecimal digits; NULL if it has none");
  COLUMN(Int, start, id, "first address");
  COLUMN(Int, end, id, "first address after the mapping");
  COLUMN(Int, fileOffset, bytes, "offset in the file that is mapped to `start`");
  COLUMN(MaybeText, symbols, none,
         "names that lapscope found for the code. lines: functions and lines. functions: functions "
         "without lines. unread lines: functions without lines, because this lapscope has no libdw "
         "to read them. none: no names, as in a stripped file. missing: the file was not there. "
         "changed: the file had another build id. NULL until names are resolved");
};

struct StackCountsRow {
  TABLE(StackCountsRow, "LAPSCOPE_STACKS",
        "One row of counts: how many call stacks lapscope captured, and how many it could not "
        "capture. If the trace lacks this table, call stacks were not recorded.");
  COLUMN(Int, captured, count, "calls with a stack");
  COLUMN(Int, chains, count, "number of chains in CUDA_CALLCHAINS, those of host samples included");
  COLUMN(Int, truncated, count,
         "calls whose stack lacks its outermost frames: the stack had more than 64 frames, or "
         "contains code without unwind tables");
  COLUMN(Int, notUnwound, count,
         "calls without a stack, because lapscope could read no frame; not counted in `captured`");
  COLUMN(Int, lost, count,
         "calls without a stack, because there was no room left for it; not counted in `captured`");
  COLUMN(Int, withoutCall, count,
         "stacks without a call, because the record of the call never came or came too late; not "
         "counted in `captured`");
  COLUMN(Int, withoutPython, count,
         "calls whose stack lacks its Python frames, because they could not be read; counted in "
         "`captured`");
};

}  // namespace lapscope::schema
