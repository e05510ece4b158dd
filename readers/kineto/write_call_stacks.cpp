#include "readers/kineto/write_call_stacks.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "collector/schema/tables.h"
#include "readers/kineto/frame_names.h"

namespace lapscope::kineto {
namespace {

// The frame that a range stands for; nothing if the range stands for no frame.
using FrameParts = std::optional<schema::CallchainRow>;

class StackWriter {
 public:
  explicit StackWriter(trace::TraceWriter& writer)
      : writer_(writer),
        ranges_(writer.database(),
                "SELECT globalTid, start, end, domainId, textId FROM " +
                    schema::table_name<schema::NvtxRow>() +
                    " WHERE end IS NOT NULL AND globalTid IS NOT NULL AND domainId IN (1, 2)"
                    " ORDER BY globalTid, start, end DESC, rowid"),
        calls_(writer.database(), "SELECT globalTid, start, rowid FROM " +
                                      schema::table_name<schema::ApiCallRow>() +
                                      " WHERE globalTid IS NOT NULL ORDER BY globalTid, start"),
        update_(writer.database(), "UPDATE " + schema::table_name<schema::ApiCallRow>() +
                                       " SET callchainId = ?1 WHERE rowid = ?2"),
        text_(writer.database(),
              "SELECT value FROM " + schema::table_name<schema::StringRow>() + " WHERE id = ?1") {}

  void write() {
    bool has_range = ranges_.step();
    while (calls_.step()) {
      const std::int64_t thread = calls_.integer(0).value_or(0);
      const analyzer::Ns start = calls_.integer(1).value_or(0);
      const auto is_before = [&] {
        const std::int64_t of = ranges_.integer(0).value_or(0);
        return of < thread || (of == thread && ranges_.integer(1).value_or(0) <= start);
      };
      if (thread != thread_) open_.clear();
      thread_ = thread;
      for (; has_range && is_before(); has_range = ranges_.step()) {
        if (ranges_.integer(0) == thread) open(ranges_.integer(1).value_or(0));
      }
      close_until(start);
      if (open_.empty()) continue;
      const auto stack = chain();
      if (!stack) continue;
      update_.bind(1, *stack);
      update_.bind(2, calls_.integer(2).value_or(0));
      update_.execute();
    }
  }

 private:
  struct Open {
    analyzer::Ns end = 0;
    std::int64_t text = 0;
    bool is_python = false;
  };

  void open(analyzer::Ns start) {
    close_until(start);
    open_.push_back({ranges_.integer(2).value_or(0), ranges_.integer(4).value_or(0),
                     ranges_.integer(3) == domain_of_python});
  }
  void close_until(analyzer::Ns time) {
    while (!open_.empty() && open_.back().end <= time) open_.pop_back();
  }

  // Returns the id of the open stack, or nothing if no open range is a frame.
  std::optional<std::int64_t> chain() {
    std::vector<std::int64_t> texts;  // innermost first
    for (auto one = open_.rbegin(); one != open_.rend() && texts.size() < most_frames; ++one) {
      if (frame_of(*one)) texts.push_back(one->text);
    }
    if (texts.empty()) return std::nullopt;
    const auto [known, is_new] =
        chains_.try_emplace(texts, static_cast<std::int64_t>(chains_.size() + 1));
    if (is_new) {
      std::int64_t depth = 0;
      for (const std::int64_t text : texts) {
        schema::CallchainRow row = *frames_.at(text);
        row.id = known->second;
        row.stackDepth = depth++;
        writer_.insert(row);
      }
    }
    return known->second;
  }

  const FrameParts& frame_of(const Open& one) {
    const auto [known, is_new] = frames_.try_emplace(one.text);
    if (is_new) {
      text_.bind(1, one.text);
      const std::string text = text_.step() ? std::string(text_.text(0)) : "";
      text_.reset();
      known->second = one.is_python ? python_frame(text) : operator_frame(one.text);
    }
    return known->second;
  }
  FrameParts python_frame(const std::string& text) {
    const auto function = python_function(text);
    if (!function) return std::nullopt;
    schema::CallchainRow row;
    row.symbol = writer_.intern(std::string(function->name));
    row.module = writer_.intern("[python]");
    row.sourceFile = writer_.intern(std::string(function->file));
    if (function->line > 0) row.sourceLine = function->line;
    return row;
  }
  FrameParts operator_frame(std::int64_t text) {
    schema::CallchainRow row;
    row.symbol = text;
    row.module = writer_.intern("[operator]");
    return row;
  }

  trace::TraceWriter& writer_;
  schema::Statement ranges_;
  schema::Statement calls_;
  schema::Statement update_;
  schema::Statement text_;
  std::int64_t thread_ = 0;
  std::vector<Open> open_;                                    // innermost range last
  std::map<std::vector<std::int64_t>, std::int64_t> chains_;  // by the texts of the frames
  std::map<std::int64_t, FrameParts> frames_;                 // by text
};

}  // namespace

void write_call_stacks(trace::TraceWriter& writer) {
  schema::Database& database = writer.database();
  if (!database.has_table(schema::describe<schema::NvtxRow>.name)) return;
  if (!database.has_table(schema::describe<schema::ApiCallRow>.name)) return;
  StackWriter(writer).write();
}

}  // namespace lapscope::kineto
