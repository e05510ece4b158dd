#include <filesystem>
#include <fstream>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

namespace lapscope::test {
namespace {

const std::string piped_trace = LAPSCOPE_TEST_TRACES "/stream_pipeline-default-stream.sqlite";

// A user with a configuration file that contains `text`.
class User {
 public:
  explicit User(const std::string& text) {
    std::filesystem::create_directories(folder_ / "lapscope");
    std::ofstream(file()) << text;
  }
  std::string file() const { return folder_ / "lapscope/config.toml"; }
  CommandResult runs(const std::vector<std::string>& arguments) const {
    return run_lapscope(arguments, {{"XDG_CONFIG_HOME", folder_ / ""}});
  }

 private:
  TemporaryFolder folder_;
};

bool is_coloured(const CommandResult& result) {
  return result.out.find("\x1b[") != std::string::npos;
}

TEST_CASE("options that the command line leaves out are as the user's configuration says") {
  const User user("color = 'always'\n[analyze]\nformat = 'json'\nrange = ['tile *', 'pipeline']\n");
  const CommandResult json = user.runs({"analyze", piped_trace});
  CHECK(json.status == 0);
  CHECK(json.out.starts_with("{"));
  CHECK_THAT(json.out, Containing("\"pipeline\"") && Containing("\"tile *\""));
  const CommandResult text = user.runs({"analyze", "--format", "text", piped_trace});
  CHECK_FALSE(text.out.starts_with("{"));
  CHECK(is_coloured(text));
  CHECK_FALSE(is_coloured(user.runs({"analyze", "--format=text", "--color=never", piped_trace})));
  const CommandResult plain = user.runs({"analyze", "--no-config", piped_trace});
  CHECK(plain.out == run_lapscope({"analyze", piped_trace}).out);
}

TEST_CASE("what is said of one sub-command goes before what is said of all") {
  const User user("color = 'always'\n[analyze]\ncolor = 'never'\nverbose = true\nwhole = false\n");
  CHECK_FALSE(is_coloured(user.runs({"analyze", piped_trace})));
  CHECK(user.runs({"analyze", piped_trace}).out ==
        run_lapscope({"analyze", "-v", piped_trace}).out);
  CHECK(is_coloured(user.runs({"doctor"})));
}

TEST_CASE("gate reads no configuration: neither defaults nor mistakes change what it prints") {
  const std::vector<std::string> gate = {"gate", piped_trace, "--min-overlap", "0.5"};
  const CommandResult expected = run_lapscope(gate);
  for (const char* text : {"color = 'always'", "[gate]\nmax-idle = '90%'", "[analyze", "x = 1"}) {
    const CommandResult result = User(text).runs(gate);
    CHECK(result.status == 1);
    CHECK(result.out == expected.out);
    CHECK(result.err == expected.err);
  }
}

TEST_CASE("a mistake in the configuration is a usage error that names file, line and key") {
  const auto [text, sentence] = GENERATE(table<const char*, const char*>({
      {"[analyze]\nformta = 'json'",
       "line 2: 'formta' is no option of analyze; did you mean 'format'?"},
      {"[report]\nmin-overlap = 1", "line 2: 'min-overlap' is no option of report"},
      {"colour = 'never'", "line 1: 'colour' is no option of lapscope; did you mean 'color'?"},
      {"[analise]\n", "line 1: 'analise' is no command; did you mean 'analyze'?"},
      {"[gate]\n", "line 1: gate takes no defaults; use a gate file"},
      {"[analyze]\nverbose = 1", "line 2: 'verbose' takes true or false"},
      {"[analyze]\nformat = true", "line 2: 'format' takes a text or a number"},
      {"[analyze]\nhelp = true", "line 2: 'help' is no option of analyze"},
      {"[analyze\n", "line 1: "},
  }));
  const User user(text);
  const CommandResult result = user.runs({"analyze", piped_trace});
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Containing("lapscope: '" + user.file() + "', " + sentence));
  CHECK_THAT(result.err, Containing("--no-config"));
  CHECK(user.runs({"analyze", "--help"}).status == 0);
}

TEST_CASE("a value that its option refuses is reported with the file that it may be of") {
  const User user("[analyze]\nformat = 'yaml'\n");
  const CommandResult result = user.runs({"analyze", piped_trace});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, Containing("--format: yaml not in") && Containing(user.file()));
}

}  // namespace
}  // namespace lapscope::test
