#include <algorithm>
#include <filesystem>
#include <map>

#include "analyzer/model/harmless_text.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/sqlite.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"

// Every name in this trace has commands for a terminal or a CI system. All commands and formats of
// lapscope must make them harmless.
namespace lapscope::test {
namespace {

namespace fs = std::filesystem;
namespace fact = schema::fact;
using schema::Database;

constexpr std::string_view bad =
    "::error::a ::add-mask::b \u00a0::set-output::c \u3000::debug::d ##[group]e ##vso[task.set]f "
    "##teamcity[build]g\u0085##[x]\u009b31m\u0090\u202e\u2066\u200e\u061c\U000E0041\U000E007F"
    "\x1b[2J\x7f\r\n::stop-commands::h\n##vso[i]";

// Returns whether the analysis recognizes a CUDA function by this name. The test keeps such names.
bool is_of_cuda(std::string_view name) {
  return name.starts_with("cu") || name.find("Memcpy") != std::string_view::npos ||
         name.find("Memset") != std::string_view::npos;
}

void replace_names(Database& database) {
  std::map<std::int64_t, std::string> names;
  schema::Statement known(database, "SELECT id, value FROM StringIds");
  while (known.step()) names[known.int64(0)] = known.text(1);
  known.reset();
  schema::Statement change(database, "UPDATE StringIds SET value = ?1 WHERE id = ?2");
  for (const auto& [id, name] : names) {
    if (is_of_cuda(name)) continue;
    const std::string worse = "::warning::" + name + " " + std::string(bad) + std::to_string(id);
    change.bind(1, std::string_view(worse));
    change.bind(2, id);
    change.execute();
  }
}

void replace_facts(Database& database) {
  for (const std::string_view name :
       {fact::command, fact::created, fact::host, fact::executable, fact::driver_version,
        fact::tool_version, fact::rank, fact::record_options, fact::cupti_library, fact::session}) {
    schema::Statement change(
        database, "UPDATE LAPSCOPE_CAPTURE SET value = ?1 || coalesce(value, '') WHERE name = ?2");
    change.bind(1, bad);
    change.bind(2, name);
    change.execute();
  }
}

void replace_texts(Database& database) {
  constexpr std::pair<const char*, const char*> columns[] = {
      {"TARGET_INFO_GPU", "name"},        {"NVTX_EVENTS", "text"},
      {"LAPSCOPE_MODULES", "path"},       {"LAPSCOPE_ENVIRONMENT", "value"},
      {"LAPSCOPE_LOSSES", "detail"},      {"LAPSCOPE_RUNS", "range"},
      {"LAPSCOPE_CALL_COSTS", "created"}, {"LAPSCOPE_UNRECORDED_ITERATIONS", "range"}};
  for (const auto& [table, column] : columns) {
    if (!database.has_table(table) || !database.has_column(table, column)) continue;
    schema::Statement change(database, std::string("UPDATE ") + table + " SET " + column +
                                           " = ?1 || " + column + " WHERE " + column +
                                           " IS NOT NULL");
    change.bind(1, bad);
    change.execute();
  }
}

std::string hostile_trace(const TemporaryFolder& folder, const std::string& name) {
  // The name of the file is also harmful.
  const std::string path = folder / "t ::error::a ##vso[b] \u009b\u202e\U000E0041.sqlite";
  fs::copy_file(LAPSCOPE_TEST_TRACES "/" + name + ".sqlite", path);
  Database database(path, Database::Mode::read_write);
  replace_names(database);
  replace_facts(database);
  replace_texts(database);
  return path;
}

enum class Is { text, colour, annotations, json, perfetto };

// Returns the first characters that this kind of output must not contain, or "".
std::string found_in(std::string_view output, Is is) {
  std::string_view rest = output;
  std::uint32_t before = 0;
  bool is_at_begin = true;  // only blanks since the begin of the line
  while (!rest.empty()) {
    const analyzer::CodePoint code = analyzer::first_of(rest);
    const std::size_t bytes = std::max<std::size_t>(1, code.bytes);
    const bool is_line_end = code.value == '\n' && is != Is::perfetto;
    const bool is_layout = is_line_end || code.value == '\t';
    const bool is_own_colour = is == Is::colour && rest.starts_with("\x1b[") &&
                               rest.find_first_not_of("0123456789;", 2) == rest.find('m');
    // Numbers in binary formats can look like harmful characters.
    const bool is_binary = is == Is::perfetto && (code.bytes == 0 || code.value < 0x10000);
    const bool is_own_command =
        is == Is::annotations && (before == 0 || before == '\n') &&
        (rest.starts_with("::error file=") || rest.starts_with("::warning file=") ||
         rest.starts_with("::notice file="));
    const bool begins_line = is_at_begin && rest.starts_with("::") && is != Is::perfetto;
    const bool is_harmful = !is_layout && !is_own_colour && !is_binary &&
                            (code.bytes == 0 || !analyzer::is_harmless(code.value));
    const bool is_obeyed = rest.starts_with("##") && analyzer::begins_command(rest, '"');
    if (is_harmful || is_obeyed || (begins_line && !is_own_command)) {
      const auto at = static_cast<std::size_t>(rest.data() - output.data());
      return std::string(output.substr(at - std::min<std::size_t>(at, 60), 120));
    }
    const bool is_blank = analyzer::is_blank(rest.substr(0, bytes)) || is_own_colour;
    is_at_begin = is_line_end || (is_at_begin && is_blank);
    before = code.value;
    rest.remove_prefix(is_own_colour ? rest.find('m') + 1 : bytes);
  }
  return "";
}

void check(const std::vector<std::string>& words, Is is) {
  // A process chooses colours only once.
  const CommandResult result = is == Is::colour ? run_lapscope(words) : run_in_process(words);
  std::string line;
  for (const std::string& word : words) line += word + " ";
  INFO(line);
  CHECK(result.out.size() + result.err.size() > 0);
  CHECK(found_in(result.out, is).empty());
  for (const char* part : {"\u009b31m", "g\u0085", "\u202e\u2066"}) {
    CHECK(result.out.find(part) == std::string::npos);
  }
  CHECK(found_in(result.err, Is::text).empty());
}

void check_reports(const std::string& trace) {
  for (const char* format : {"text", "markdown", "folded", "folded-waits", "html"}) {
    check({"report", trace, "--format", format, "-o", "-"}, Is::text);
  }
  check({"report", trace, "--format", "json", "-o", "-"}, Is::json);
  check({"report", trace, "--format", "perfetto", "-o", "-"}, Is::perfetto);
  check({"analyze", trace, "-v", "--range", "*"}, Is::text);
  check({"--color", "always", "analyze", trace, "-v"}, Is::colour);
  check({"analyze", trace, "--by", "line"}, Is::text);
  check({"analyze", trace, "--by", "function"}, Is::text);
  check({"analyze", trace, "--format", "json", "--brief"}, Is::json);
  check({"analyze", trace, "--range", "nothing"}, Is::text);
}

void check_other_commands(const std::string& trace, const fs::path& folder) {
  check({"stats", trace, "-v"}, Is::text);
  check({"stats", trace, "--format", "csv"}, Is::text);
  check({"stats", trace, "--format", "json"}, Is::json);
  check({"whatif", trace}, Is::text);
  check({"whatif", trace, "--fix", "host-sync"}, Is::text);
  check({"whatif", trace, "--fix", "host-sync", "--format", "json"}, Is::json);
  check({"whatif", trace, "--fix", "host-sync:site=nothing"}, Is::text);
  check({"symbolize", trace}, Is::text);
  check({"convert", trace, "-o", folder / "no ::error::a ##vso[b]" / "c.sqlite"}, Is::text);
  check({"doctor", "--cupti", trace}, Is::text);
  check({"ctl", trace, "status"}, Is::text);
  const std::string summary = folder / "s.json";
  check({"summarize", trace, "-o", "-"}, Is::json);
  CHECK(run_in_process({"summarize", trace, "-o", summary}).status == 0);
  for (const std::string& other : {trace, summary}) {
    for (const char* format : {"text", "markdown", "html"}) {
      check({"diff", trace, other, "--format", format, "-o", "-"}, Is::text);
    }
    check({"diff", trace, other, "--format", "json", "-o", "-"}, Is::json);
  }
  check({"diff", trace, trace, "--format", "perfetto", "-o", "-"}, Is::perfetto);
}

void check_gates(const std::string& trace) {
  const std::vector<std::vector<std::string>> conditions = {
      {"--max-idle", "0%", "--min-overlap", "1", "--forbid", "host-sync", "--forbid",
       "host-compute"},
      {"--baseline", trace},
      {"--range", "nothing", "--max-idle", "0%"}};
  for (const auto& condition : conditions) {
    for (const char* format : {"text", "markdown", "junit", "github", "json", "gitlab"}) {
      std::vector<std::string> words = {"gate", trace, "--format", format};
      words.insert(words.end(), condition.begin(), condition.end());
      check(words, std::string_view(format) == "github" ? Is::annotations : Is::text);
    }
  }
  check({"gate", trace, "--init", "--output", "-"}, Is::text);
}

TEST_CASE("no name of a trace is obeyed, whatever a command writes", "[harmless]") {
  for (const char* name : {"host/lock", "nccl-all-reduce-broken", "oddities/bare-runs"}) {
    const TemporaryFolder folder;
    const std::string trace = hostile_trace(folder, name);
    check_reports(trace);
    check_other_commands(trace, folder.path());
    check_gates(trace);
  }
}

TEST_CASE("what would be obeyed is found where it is", "[harmless]") {
  for (const std::string_view text :
       {"a\n ::error::b", "x ##vso[y]", "a\u009b", "\x1b[31m", "\r"}) {
    CHECK_FALSE(found_in(text, Is::text).empty());
  }
  CHECK_FALSE(found_in("::set-env name=a::b", Is::annotations).empty());
  CHECK(found_in("::error file=a,line=1::b\nat::c", Is::annotations).empty());
  CHECK(found_in("\x1b[31mred\x1b[0m", Is::colour).empty());
  CHECK_FALSE(found_in("\x1b[2J", Is::colour).empty());
}

TEST_CASE("a report with a thousand long names stays below a megabyte", "[harmless]") {
  const TemporaryFolder folder;
  const std::string path = folder / "t.sqlite";
  fs::copy_file(LAPSCOPE_TEST_TRACES "/frameworks/independent_graphs.sqlite", path);
  {
    Database database(path, Database::Mode::read_write);
    const std::string part(5000, '<');
    schema::Statement add(
        database,
        "WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 999) "
        "INSERT INTO StringIds (id, value) SELECT 1000000 + n, 'k' || n || ?1 || n FROM number");
    add.bind(1, std::string_view(part));
    add.execute();
    database.execute(
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 1000000 + rowid % 1000, shortName = "
        "1000000 + rowid % 1000");
  }
  constexpr std::size_t most = 1'000'000;
  for (const char* format : {"text", "markdown", "html", "json", "perfetto"}) {
    INFO(format);
    const auto report = run_in_process({"report", path, "--whole", "--format", format, "-o", "-"});
    CHECK(report.out.size() > 100);
    CHECK(report.out.size() < most);
  }
  for (const char* format : {"text", "csv", "json"}) {
    INFO(format);
    const auto stats = run_in_process({"stats", path, "--whole", "--format", format, "-v"});
    const auto names = std::count(stats.out.begin(), stats.out.end(), 'k');
    CHECK(names > 1000);
    CHECK(stats.out.size() < most);
  }
}

}  // namespace
}  // namespace lapscope::test
