#include "analyzer/measures/collectives.h"

#include "analyzer/measures/measure.h"
#include "analyzer/model/names.h"
#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// A device with one kernel name per lane. "compute" is the only name that does not communicate.
struct Communicating {
  Names names;
  Device device;

  Communicating(std::initializer_list<std::pair<std::string, std::string_view>> lanes) {
    Ops ops;
    std::uint32_t stream = 0;
    for (const auto& [name, picture] : lanes) {
      ++stream;
      const auto id = static_cast<std::int64_t>(stream);
      names.add(id, name);
      for (const Interval& interval : test::intervals_in(picture)) {
        test::add_op(ops, interval, Engine::compute, stream);
        ops.name.back() = names.index_of(id);
      }
    }
    device = test::device_with(ops);
  }

  Activity activity;
  std::vector<CollectiveResult> judged(const std::vector<std::string>& patterns) {
    const Subject subject(device, communication_names(names, patterns));
    const Scope scope = whole(device.ops);
    ActivityObserver all(subject, scope);
    CollectiveObserver collectives(subject, all);
    sweep(device.ops, scope, all, collectives);
    activity = all.activity();
    return collectives.collectives(names);
  }
};

TEST_CASE("each collective has a row of its own, most time first") {
  Communicating kernels({{"nccl_a", "AA"}, {"nccl_b", "BBBB"}, {"compute", "CCC"}});
  const auto collectives = kernels.judged(default_communication_patterns());
  REQUIRE(collectives.size() == 2);
  REQUIRE(collectives[0].name == "nccl_b");
  REQUIRE(collectives[0].hidden_ns == 3);
  REQUIRE(collectives[1].hidden_ns == 2);
}

TEST_CASE("what communicates is a matter of patterns") {
  Communicating kernels({{"my_exchange", "AAAA"}, {"ncclDevKernel", "BBBB"}});
  REQUIRE(kernels.judged({"*exchange"}).size() == 1);
  REQUIRE(kernels.judged({}).empty());
  REQUIRE(std::holds_alternative<Undefined>(comm_hidden.compute(kernels.activity)));
}

TEST_CASE("NCCL's and NVSHMEM's kernels communicate by default, and a name must begin so") {
  Names names;
  names.add(1, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  names.add(2, "ncclKernel_AllReduce_RING_LL_Sum_float");
  names.add(3, "nvshmemi_transfer");
  names.add(4, "my_nccl_test");
  const auto communicates = communication_names(names, default_communication_patterns());
  const auto is = [&](std::int64_t id) { return bool{communicates[names.index_of(id)]}; };
  REQUIRE((is(1) && is(2) && is(3)));
  REQUIRE_FALSE(is(4));
}

}  // namespace
}  // namespace lapscope::analyzer
