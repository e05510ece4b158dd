#include <filesystem>
#include <set>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

namespace lapscope::cli {
namespace {

using nlohmann::json;
using test::Containing;
using test::run_lapscope;

// A recorded program that waits for the device after each kernel. Waits of the second half of the
// run have another source line.
class WaitingProgram {
 public:
  WaitingProgram() : path((folder_ / "t.sqlite").string()) {
    std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite", path);
    schema::Database database(path, schema::Database::Mode::read_write);
    database.execute(schema::create_table_sql(schema::describe<schema::CallchainRow>));
    database.execute(
        "INSERT INTO StringIds (id, value) VALUES (900001, 'process_tile(float*, int)'),"
        " (900002, 'main'), (900003, 'build/app'), (900004, 'src/tiles.cu');"
        "INSERT INTO CUDA_CALLCHAINS (id, stackDepth, symbol, module, sourceFile, sourceLine) "
        "VALUES"
        " (40, 0, 900001, 900003, 900004, 40), (40, 1, 900002, 900003, 900004, 99),"
        " (12, 0, 900001, 900003, 900004, 12), (12, 1, 900002, 900003, 900004, 99);"
        "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME"
        " SET callchainId = CASE WHEN correlationId > (SELECT correlationId"
        " FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY 1 DESC LIMIT 1 OFFSET 6) THEN 40 ELSE "
        "12 END"
        " WHERE nameId IN (SELECT id FROM StringIds WHERE value LIKE 'cudaDeviceSynchronize%')");
  }

 private:
  test::TemporaryFolder folder_;

 public:
  const std::string path;
};

std::string out_of(const std::vector<std::string>& arguments) {
  return run_lapscope(arguments).out;
}

TEST_CASE("a finding has its file and line, and a fix at that line is predicted") {
  const WaitingProgram program;
  CHECK_THAT(out_of({"analyze", program.path}),
             Containing(":12 in process_tile") || Containing(":40 in process_tile"));
  const json report = test::parse_json(out_of({"analyze", "--format", "json", program.path}));
  const json& sites = report["devices"][0]["findings"][0]["sites"];
  std::set<std::string> lines;
  for (const json& site : sites) lines.insert(site["line"].get<std::string>());
  CHECK(lines.contains("src/tiles.cu:12"));
  CHECK(lines.contains("src/tiles.cu:40"));
  CHECK(sites[0]["stack"][1]["function"] == "main");
  CHECK(sites[0]["stack"][1]["line"] == 99);

  const auto wall_with = [&](const std::string& fix) {
    const json result =
        test::parse_json(out_of({"whatif", program.path, "--format", "json", "--fix", fix}));
    return result["scopes"][0]["predicted"]["wall_ns"].get<std::int64_t>();
  };
  const std::int64_t everywhere = wall_with("host-sync");
  CHECK(wall_with("host-sync:site=tiles.cu:40") > everywhere);
  CHECK(wall_with("host-sync:site=tiles.cu:12") > everywhere);
  CHECK(wall_with("host-sync:site=tiles.cu:*") == everywhere);
  CHECK(run_lapscope({"whatif", program.path, "--fix", "host-sync:site=tiles.cu:41"}).status == 2);
}

TEST_CASE("calls of a Perfetto trace have their lines") {
  const WaitingProgram program;
  const std::string trace = out_of({"report", program.path, "--format", "perfetto", "-o", "-"});
  CHECK_THAT(trace, Containing("tiles.cu:40 in process_tile") &&
                        Containing("tiles.cu:12 in process_tile"));
}

TEST_CASE("bottlenecks are grouped by line") {
  const WaitingProgram program;
  const std::string text = out_of({"analyze", "--by", "line", program.path});
  CHECK_THAT(text, Containing("\n  tiles.cu:40 in process_tile") &&
                       Containing("\n  tiles.cu:12 in process_tile") && Containing("host-sync"));
  CHECK(run_lapscope({"analyze", "--by", "line", "--format", "json", program.path}).status == 2);
  CHECK_THAT(out_of({"analyze", "--by", "line", LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite"}),
             Containing("at a line that is not known"));
}

TEST_CASE("a gate's annotation is at the line of the source") {
  const WaitingProgram program;
  const auto result = run_lapscope({"gate", "--forbid", "host-sync", "--github", program.path});
  CHECK_THAT(result.err, Containing("::error file=src/tiles.cu,line=12,title=") ||
                             Containing("::error file=src/tiles.cu,line=40,title="));
}

}  // namespace
}  // namespace lapscope::cli
