#include "analyzer/model/names.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a text is found by its id, whatever ids the trace has") {
  Names names;
  names.add(0, "zero");
  names.add(7, "seven");
  names.add(std::int64_t{1} << 40, "far");
  names.add(-3, "below");
  REQUIRE(names.text(names.index_of(0)) == "zero");
  REQUIRE(names.text(names.index_of(7)) == "seven");
  REQUIRE(names.text(names.index_of(std::int64_t{1} << 40)) == "far");
  REQUIRE(names.text(names.index_of(-3)) == "below");
}

TEST_CASE("an id that the trace does not have is the empty text") {
  Names names;
  names.add(5, "five");
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{4}, std::int64_t{6}, std::int64_t{-1},
                                std::int64_t{1} << 62}) {
    REQUIRE(names.text(names.index_of(id)).empty());
  }
  REQUIRE(names.text(99).empty());
}

TEST_CASE("kernels of NCCL, NVSHMEM and custom all-reduces communicate") {
  Names names;
  names.add(1, "ncclDevKernel_AllGather_RING_LL");
  names.add(2, "nvshmemi_signal_op_kernel");
  names.add(3, "cross_device_reduce_2stage");
  names.add(4, "reduce_kernel");
  const std::vector<bool> communicates =
      communication_names(names, default_communication_patterns());
  for (const std::int64_t id : {1, 2, 3}) CHECK(communicates[names.index_of(id)]);
  CHECK_FALSE(communicates[names.index_of(4)]);
}

TEST_CASE("a kernel has its namespaces in its name if only they show that it communicates") {
  const auto name_of = [](const std::string& demangled) {
    return communicating_name(demangled, default_communication_patterns());
  };
  CHECK(name_of("void deep_ep::intranode::combine<__nv_bfloat16, (int)8, (int)768, (int)4096>"
                "(T1 *, float *, const int *)") == "deep_ep::intranode::combine");
  CHECK(name_of("void deep_ep::internode_ll::dispatch<true, false, 7168>(void*, int)") ==
        "deep_ep::internode_ll::dispatch");
  CHECK(name_of("void deep_ep::internode::notify_dispatch<false, 8>(int const*)") ==
        "deep_ep::internode::notify_dispatch");
  CHECK(name_of("void deep_ep::legacy::intranode::cached_notify_combine<8>(void**, int*)") ==
        "deep_ep::legacy::intranode::cached_notify_combine");
  CHECK(name_of("void primus_turbo::deep_ep::intranode::dispatch<8, 768>(int4*)") ==
        "primus_turbo::deep_ep::intranode::dispatch");
  for (const char* other :
       {"dispatch(int*)", "void mine::dispatch<deep_ep::intranode::Config>(int*)",
        "void deep_ep::layout::get_dispatch_layout<256, 4, 2>(long const*, int*)",
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "void mine::nccl_copy<int>(int*)"}) {
    CHECK(name_of(other).empty());
  }
}

}  // namespace
}  // namespace lapscope::analyzer
