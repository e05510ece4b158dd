#include "workloads/streams/suite/usual_runs.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"
#include "workloads/harness/guard.h"
#include "workloads/streams/streams_options.h"

namespace lapscope::workloads::streams {
namespace {

std::string refused(const std::vector<std::string>& arguments) {
  return usage_error_of([&] {
    CommandLine line("stream_suite", arguments);
    parse_options(line.argc(), line.argv());
  });
}

Options taken(const std::vector<std::string>& arguments) {
  CommandLine line("stream_suite", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

TEST_CASE("each stands for all kernels, shares and bounds", "[streams]") {
  const auto choices = usual_choices({"each"}, {"each"}, {"each"});
  REQUIRE(choices.size() == 5 * 3 * 2);
  std::set<std::string> names;
  for (const UsualChoice& choice : choices) REQUIRE(names.insert(choice.name()).second);
  REQUIRE(names.count("gemm-quarter-copies") == 1);
  REQUIRE(names.count("reads-all-compute") == 1);
}

TEST_CASE("a kernel that people have takes the place of the case's own", "[streams]") {
  const auto options = taken({"sync-stream", "--kernel", "map,gemm", "--bound", "compute"});
  REQUIRE(options.usual.size() == 2);
  REQUIRE(options.usual[0].name() == "map-all-compute");
  REQUIRE(options.usual[0].work == 0);
  REQUIRE(taken({"sync-stream"}).usual.empty());
}

TEST_CASE("the cases that are measured with other kernels take them", "[streams]") {
  for (const char* name :
       {"pipeline", "sync-stream", "sync-device", "sync-event", "default-stream-kernel"}) {
    REQUIRE(taken({name, "--kernel", "each"}).usual.size() == 5);
  }
}

TEST_CASE("an option of other kernels that makes no sense is refused", "[streams]") {
  REQUIRE(contains(refused({"pipeline", "--kernel", "fft"}), "'fft'"));
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--share", "third"}), "--share"));
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--bound", "io"}), "--bound"));
  REQUIRE(contains(refused({"pipeline", "--share", "half"}), "give --kernel, too"));
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--kernel-us", "20"}), "--kernel-us"));
  for (const char* name : {"tiny-kernels", "persistent-kernel", "lazy-loading", "control"}) {
    REQUIRE(contains(refused({name, "--kernel", "map"}), "does not take --kernel"));
  }
}

TEST_CASE("what a run printed says how much work later ones do", "[streams]") {
  const auto path = std::filesystem::temp_directory_path() / "stream_suite_works.txt";
  std::ofstream(path)
      << "case: pipeline\nmap-all-copies_work: 12\nmap-all-copies_kernel_us: 40.1\n";
  const auto options = taken({"pipeline", "--kernel", "map,reads", "--works", path.string()});
  REQUIRE(options.usual[0].work == 12);
  REQUIRE(options.usual[1].work == 0);  // The file does not set it, so it is decided later.
  std::ofstream(path) << "map-all-copies_work: none\n";
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--works", path.string()}), "none"));
  std::ofstream(path) << "case: pipeline\n";
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--works", path.string()}),
                   "has no amounts of work"));
  std::filesystem::remove(path);
  REQUIRE(contains(refused({"pipeline", "--kernel", "map", "--works", path.string()}), "cannot"));
}

}  // namespace
}  // namespace lapscope::workloads::streams
