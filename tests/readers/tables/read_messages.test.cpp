#include "readers/tables/read_host.h"

#include <string>

#include "analyzer/model/ops.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t thread = 5;

struct NcclProgram {
  // Adds a range. `payload` is JSON.
  void range(const std::string& name, Ns start, Ns end, const std::string& payload = "",
             std::int64_t tid = thread) {
    ranges.push_back(
        {{start, end}, tid, index_of(name), payload.empty() ? no_index : index_of(payload)});
  }

  std::uint32_t index_of(std::string text) {
    const auto id = static_cast<std::int64_t>(names.size());
    names.add(id, std::move(text));
    return names.index_of(id);
  }

  // Adds launches of one thread, which take 2 ns each.
  void launches(std::initializer_list<Ns> starts) {
    for (const Ns start : starts) {
      calls.start.push_back(start);
      calls.end.push_back(start + 2);
      calls.name.push_back(0);
      calls.kind.push_back(CallKind::launch);
    }
    const auto count = static_cast<std::uint32_t>(calls.size());
    calls.threads = {{thread, 0, count, count}};
  }

  ReadMessages read() const { return read_messages(ranges, calls, names); }

  std::vector<CommunicationRange> ranges;
  Calls calls;
  Names names;
};

std::string payload(int communicator, int bytes, const std::string& more = "") {
  return R"({"NCCL communicator ID":)" + std::to_string(communicator) +
         R"(,"Message size [bytes]":)" + std::to_string(bytes) + more + "}";
}

TEST_CASE("a kernel has the message of the range around its launch", "[read][ranks]") {
  //   NVTX   [ncclAllReduce ]         [ncclAllReduce ]
  //   calls      [launch]    [launch]     [launch]
  NcclProgram program;
  program.launches({12, 30, 52});
  program.range("ncclAllReduce", 10, 20, payload(7, 1024, R"(,"Reduction operation":"Sum")"));
  program.range("ncclAllReduce", 50, 60, payload(7, 2048));
  const ReadMessages read = program.read();
  REQUIRE(read.messages.size() == 2);
  CHECK(read.messages[0].call == 0);
  CHECK(read.messages[0].communicator == 7);
  CHECK(read.messages[0].bytes == 1024);
  CHECK_FALSE(read.messages[0].peer);
  CHECK(program.names.text(read.messages[0].function) == "ncclAllReduce");
  CHECK(read.messages[1].call == 2);
  CHECK(read.communicators.empty());
}

TEST_CASE("the outermost end of a group launches the calls in it", "[read][ranks]") {
  NcclProgram program;
  program.launches({50});
  program.range("ncclGroupStart", 10, 12);
  program.range("ncclGroupStart", 14, 15);
  program.range("ncclSend", 20, 22, payload(7, 64, R"(,"Peer rank":1)"));
  program.range("ncclRecv", 30, 32, payload(7, 32, R"(,"Peer rank":2)"));
  program.range("ncclGroupEnd", 35, 36);
  program.range("ncclGroupEnd", 40, 60);
  const ReadMessages read = program.read();
  REQUIRE(read.messages.size() == 2);
  CHECK(read.messages[0].call == 0);
  CHECK(read.messages[0].peer == 1);
  CHECK(read.messages[1].call == 0);
  CHECK(read.messages[1].peer == 2);
  CHECK(read.messages[1].bytes == 32);
}

TEST_CASE("of a group's several kernels nothing says which has which call", "[read][ranks]") {
  NcclProgram program;
  program.launches({50, 54});
  program.range("ncclGroupStart", 10, 12);
  program.range("ncclAllReduce", 20, 22, payload(7, 64));
  program.range("ncclAllReduce", 30, 32, payload(8, 64));
  program.range("ncclGroupEnd", 40, 60);
  CHECK(program.read().messages.empty());
}

TEST_CASE("what this process is in a communicator is kept once", "[read][ranks]") {
  NcclProgram program;
  const std::string entries = R"({"NCCL communicator ID":9,"No. of ranks":4,"Rank":3})";
  program.range("ncclCommInitRank", 1, 2, entries);
  program.range("ncclCommDestroy", 90, 95, entries);
  const ReadMessages read = program.read();
  REQUIRE(read.communicators.size() == 1);
  CHECK(read.communicators[0] == Communicator{9, 3, 4});
}

TEST_CASE("payloads that are not NCCL's, or absurd, are none", "[read][ranks]") {
  NcclProgram program;
  program.launches({12, 22, 32, 42});
  program.range("a", 10, 20, R"({"bytes": 3})");
  program.range("b", 20, 30, "no JSON");
  program.range("c", 30, 40, R"({"NCCL communicator ID":7,"Message size [bytes]":-1})");
  program.range("d", 40, 50, payload(7, 8, R"(,"Peer rank":-3)"));
  const ReadMessages read = program.read();
  REQUIRE(read.messages.size() == 1);
  CHECK_FALSE(read.messages[0].peer);
}

TEST_CASE("launches of another thread are not in the range", "[read][ranks]") {
  NcclProgram program;
  program.launches({12});
  program.range("ncclAllReduce", 10, 20, payload(7, 8), thread + 1);
  CHECK(program.read().messages.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
