#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lapscope::workloads {

// Kernels of kinds that people have. Unlike those of the affine map, none is made to leave room or
// throughput to others.
enum class UsualKind {
  gemm,        // A product of matrices, by cuBLAS.
  map,         // Reads and writes each element once: bound by memory.
  reduction,   // Adds up all elements: bound by memory, without writing.
  arithmetic,  // Fused multiply-adds, four chains in each thread: bound by arithmetic.
  reads,       // Reads at random from 64 MiB: bound by the latency of memory.
};
inline constexpr std::array all_usual_kinds{UsualKind::gemm, UsualKind::map, UsualKind::reduction,
                                            UsualKind::arithmetic, UsualKind::reads};

// On how many of the multiprocessors there is a block.
enum class GpuShare { quarter, half, all };
inline constexpr std::array all_gpu_shares{GpuShare::quarter, GpuShare::half, GpuShare::all};

// What a pipeline with the kernel is bound by: the kernel takes a quarter of a tile's copy, or
// three times as long.
enum class Bound { copies, compute };
inline constexpr std::array all_bounds{Bound::copies, Bound::compute};

std::string_view name_of(UsualKind kind);
std::string_view name_of(GpuShare share);
std::string_view name_of(Bound bound);

// At least one block.
unsigned blocks_of(GpuShare share, int multiprocessors);

// The length of a kernel beside copies that take `copy_us`.
double kernel_us_for(Bound bound, double copy_us);

// A matrix of this many tiles, each computed by one block of cuBLAS: as many as `blocks`, or a few
// fewer, and not much wider than high.
struct MatrixTiles {
  unsigned rows = 1;
  unsigned columns = 1;

  friend bool operator==(const MatrixTiles&, const MatrixTiles&) = default;
};
MatrixTiles matrix_tiles(unsigned blocks);

}  // namespace lapscope::workloads
