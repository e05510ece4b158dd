#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/host_time/host_time.h"
#include "analyzer/model/code_owner.h"

// Which kind of work a stack is, by a table of modules and functions (docs/host-time.md).
namespace lapscope::analyzer {

// A row fits a frame if of each list that is not empty a pattern does (* stands for any
// characters). Without patterns it fits any stack.
struct KindRow {
  // How far from the innermost frame on a frame that fits decides.
  enum class Reach : std::uint8_t {
    here,      // up to the first frame of the program: what the program called
    below,     // also where the program's code was called from there
    first,     // as here, and before all rows that reach here or below
    anywhere,  // wherever it is, likewise
  };

  HostKind kind = HostKind::other;
  std::vector<std::string> files = {};  // with folders; those in front may be left out
  std::vector<std::string> functions = {};
  std::vector<std::string> modules = {};  // without folders
  std::vector<ThreadState> states = {};   // empty: any
  Reach reach = Reach::here;

  bool fits(std::string_view function, std::string_view module, std::string_view file) const;
  bool has_patterns() const { return !files.empty() || !functions.empty() || !modules.empty(); }
  bool goes_first() const { return reach == Reach::first || reach == Reach::anywhere; }
  bool is_for(ThreadState state) const;
};

class KindTable {
 public:
  // What a frame is to the table.
  struct SeenFrame {
    std::vector<std::uint32_t> rows;  // those that fit it, rising
    CodeOwner owner = CodeOwner::program;
    bool is_python = false;
    bool is_standard = false;    // of Python's own library: whoever calls it does that
    bool is_annotation = false;  // a name for an interval: says where, and not what is done
  };
  // What a stack is, and the frame of it that decides; no_frame where the state alone does.
  struct Found {
    HostKind kind = HostKind::unknown;
    std::uint32_t frame = no_frame;
  };
  static constexpr std::uint32_t no_frame = 0xFFFFFFFF;

  KindTable();  // what is known of Python's libraries

  // Rows that go before those that are there.
  void put_first(std::vector<KindRow> rows);
  std::span<const KindRow> rows() const { return rows_; }

  SeenFrame seen(std::string_view function, std::string_view module, std::string_view file,
                 CodeOwner owner) const;
  // Whether a frame that is not Python's belongs to an operator of a library.
  bool is_dispatch(std::string_view function, std::string_view module) const;
  // The kind of a stack, innermost frame first; empty where it is not known. The first of the
  // following that exists:
  // - a row that reaches anywhere or first, in the order of the table;
  // - the innermost frame of Python that a row fits, else of other code;
  // - `user` where the innermost frame that is not of Python's own library or of the runtime is the
  //   program's, else `other`; unknown where there is none but annotations.
  Found kind_of(ThreadState state, std::span<const SeenFrame* const> frames) const;

 private:
  std::vector<KindRow> rows_;
};

}  // namespace lapscope::analyzer
