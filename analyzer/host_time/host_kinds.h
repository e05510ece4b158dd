#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/host_time/host_time.h"
#include "analyzer/model/code_owner.h"

// Finds the kind of work of a call stack, by a table of files, functions and modules
// (docs/host-time.md).
namespace lapscope::analyzer {

// A row of the table has lists of patterns. A row fits a frame if each of its lists that is not
// empty has a pattern that matches the frame. In a pattern, * matches any characters. A row without
// patterns fits any stack.
struct KindRow {
  // The frames with which a row is compared. A row that fits one of these frames may decide the
  // kind of the stack.
  enum class Reach : std::uint8_t {
    here,      // the innermost frame of the program, and the frames that it called
    below,     // as `here`, and the frames that called the program's code
    first,     // only frames that the program called; tried before rows with `here` and `below`
    anywhere,  // any frame; tried before rows with `here` and `below`
  };

  HostKind kind = HostKind::other;
  // Paths, perhaps without leading folders. The built-in rows fit only files of libraries.
  std::vector<std::string> files = {};
  std::vector<std::string> functions = {};
  std::vector<std::string> modules = {};  // file names without folders
  std::vector<ThreadState> states = {};   // empty: any
  Reach reach = Reach::here;

  bool fits_code(std::string_view function, std::string_view module) const;
  bool has_patterns() const { return !files.empty() || !functions.empty() || !modules.empty(); }
  bool goes_first() const { return reach == Reach::first || reach == Reach::anywhere; }
  bool is_for(ThreadState state) const;
};

class KindTable {
 public:
  // What the table knows about a frame of a stack.
  struct SeenFrame {
    std::vector<std::uint32_t> rows;  // the rows that fit the frame, ascending
    CodeOwner owner = CodeOwner::program;
    bool is_python = false;
    bool is_standard = false;    // in Python's standard library: counts as the work of the caller
    bool is_annotation = false;  // names an interval, not the work in it
  };
  // The kind of a stack, and the frame that decides it. `frame` is no_frame if no single frame
  // decides.
  struct Found {
    HostKind kind = HostKind::unknown;
    std::uint32_t frame = no_frame;
  };
  static constexpr std::uint32_t no_frame = 0xFFFFFFFF;

  KindTable();  // has the built-in rows for Python's libraries

  // Inserts rows before the rows that the table has.
  void put_first(std::vector<KindRow> rows);
  std::span<const KindRow> rows() const { return rows_; }

  // Whether the trace has whole paths. If not, a file of a library, such as
  // transformers/trainer.py, looks like a file of the program.
  enum class Paths : std::uint8_t { whole, without_folders };
  SeenFrame seen(std::string_view function, std::string_view module, std::string_view file,
                 CodeOwner owner, Paths paths = Paths::whole) const;
  // Whether a native frame belongs to an operator of an array library.
  bool is_dispatch(std::string_view function, std::string_view module) const;
  // Returns the kind of a stack. `frames` has the innermost frame first, and is empty if the stack
  // is not known. Tries these steps in order until one of them gives a kind:
  // 1. Rows with the reach `first` or `anywhere`, in the order of the table.
  // 2. The innermost Python frame that another row fits.
  // 3. The innermost native frame that another row fits.
  // 4. The innermost frame outside Python's standard library and the runtime. The kind is `user` if
  //    the frame belongs to the program, or else `other`.
  //
  // Without frames, steps 2 to 4 give `unknown`. Annotations do not count as frames.
  Found kind_of(ThreadState state, std::span<const SeenFrame* const> frames) const;

 private:
  std::vector<KindRow> rows_;
  std::size_t own_rows_ = 0;  // the rows at the front that put_first() inserted
};

}  // namespace lapscope::analyzer
