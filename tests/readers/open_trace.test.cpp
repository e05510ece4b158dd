#include <fstream>
#include <set>
#include <string>

#include "collector/schema/capture_facts.h"
#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::analyzer {
namespace {

using test::Containing;
using test::TemporaryFolder;

TEST_CASE("a format is found by its name, whatever its version", "[readers]") {
  std::set<std::string_view> names;
  for (const TraceFormat* format : formats) {
    CHECK(format_named(format->name) == format);
    CHECK(format_named(std::string(format->name) + "/3.24.14") == format);
    CHECK(names.insert(format->name).second);
  }
  for (const char* unknown : {"", "/1", "nsys2/1", "Kineto/1"}) {
    CHECK(format_named(unknown) == nullptr);
  }
}

// No file here is a database. The tables of a database identify its format.
//
//   file               begins with        of which format, and how sure
//   run.nsys-rep       anything           nsys, certain
//   a.json             {"traceEvents"     kineto, certain
//   a.json             {"other"           kineto, possible: lapscope writes summaries as JSON, too
TEST_CASE("a file that is no database is recognized by its name or its begin", "[readers]") {
  const TemporaryFolder folder;
  struct Case {
    const char* name;
    const char* text;
    const TraceFormat* certain;
    const TraceFormat* possible;
  };
  const Case cases[] = {
      {"run.nsys-rep", "a report", &nsys_format, &nsys_format},
      {"run.qdrep", "", &nsys_format, &nsys_format},
      {"a.json", R"({"traceEvents": []})", &kineto_format, &kineto_format},
      {"b.json", R"({"other": []})", nullptr, &kineto_format},
      {"c.sqlite", "SQLite format 3", nullptr, nullptr},
      {"d.txt", "nsys", nullptr, nullptr},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    std::ofstream(folder / one.name) << one.text;
    CHECK(format_of_source(folder / one.name, Likeness::certain) == one.certain);
    CHECK(format_of_source(folder / one.name) == one.possible);
  }
}

TEST_CASE("each format says how its files become a database, and what to do about what it lacks",
          "[readers]") {
  for (const TraceFormat* format : formats) {
    INFO(format->name);
    CHECK(format->begin != nullptr);
    const bool is_made = format->file.import != nullptr;
    const bool is_exported = format->file.export_command != nullptr;
    CHECK((format->file.likeness != nullptr) == (is_made || is_exported));
    CHECK_FALSE((is_made && is_exported));
    CHECK((!is_exported || format->version_of != nullptr));
    CHECK((format->version_of == nullptr || !format->database.empty()));
    CHECK((is_made == (format->file.import_seconds > 0)));
    CHECK((format->knows.cuda || format->lacks.cuda != HealthKind::no_ops));
  }
}

TEST_CASE("a conversion keeps the format of what it was made of", "[readers]") {
  const auto opened = [](const char* source) {
    const TemporaryFolder folder;
    trace::TraceWriter writer(folder / "t.sqlite");
    writer.set_fact(schema::fact::converted_from, source);
    writer.finish();
    return open_trace(folder / "t.sqlite").format;
  };
  CHECK(opened("nsys/3.24.14") == &nsys_format);
  CHECK(opened("kineto/1") == &kineto_format);
  CHECK_THROWS_AS(opened("next/1"), UnreadableTrace);
  CHECK_THROWS_WITH(
      opened("next/1"),
      Containing("was converted from a format that this lapscope does not know: 'next/1'. "
                 "Use the lapscope that converted it, or a newer one."));
}

}  // namespace
}  // namespace lapscope::analyzer
