#include "workloads/harness/usual_choice.h"

#include <set>
#include <string>

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("a share of the multiprocessors is that many blocks, and at least one", "[workloads]") {
  REQUIRE(blocks_of(GpuShare::all, 132) == 132);
  REQUIRE(blocks_of(GpuShare::half, 132) == 66);
  REQUIRE(blocks_of(GpuShare::quarter, 132) == 33);
  REQUIRE(blocks_of(GpuShare::quarter, 2) == 1);
}

TEST_CASE("a kernel is a quarter of a copy, or three copies long", "[workloads]") {
  REQUIRE(kernel_us_for(Bound::copies, 160) == 40);
  REQUIRE(kernel_us_for(Bound::compute, 160) == 480);
}

TEST_CASE("a matrix has nearly as many tiles as blocks, and about as many rows as columns",
          "[workloads]") {
  REQUIRE(matrix_tiles(132) == MatrixTiles{11, 12});
  REQUIRE(matrix_tiles(66) == MatrixTiles{8, 8});
  REQUIRE(matrix_tiles(33) == MatrixTiles{5, 6});
  REQUIRE(matrix_tiles(1) == MatrixTiles{1, 1});
  for (unsigned blocks = 1; blocks <= 200; ++blocks) {
    const MatrixTiles tiles = matrix_tiles(blocks);
    INFO(blocks);
    REQUIRE(tiles.rows * tiles.columns <= blocks);
    REQUIRE(5 * tiles.rows * tiles.columns > 3 * blocks);
  }
}

TEST_CASE("no two kernels, shares or bounds have one name", "[workloads]") {
  std::set<std::string_view> names;
  for (const UsualKind kind : all_usual_kinds) REQUIRE(names.insert(name_of(kind)).second);
  for (const GpuShare share : all_gpu_shares) REQUIRE(names.insert(name_of(share)).second);
  for (const Bound bound : all_bounds) REQUIRE(names.insert(name_of(bound)).second);
  REQUIRE(names.size() == 10);
}

}  // namespace
}  // namespace lapscope::workloads
