#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lapscope::workloads {

// Kinds of kernels that are common in programs. Unlike the affine-map kernels, they are not
// designed to leave room or throughput to other kernels.
enum class UsualKind {
  gemm,        // A product of matrices, by cuBLAS.
  map,         // Reads and writes each element once: bound by memory.
  reduction,   // Adds up all elements: bound by memory, without writing.
  arithmetic,  // Fused multiply-adds, four chains in each thread: bound by arithmetic.
  reads,       // Reads at random from 64 MiB: bound by the latency of memory.
};
inline constexpr std::array all_usual_kinds{UsualKind::gemm, UsualKind::map, UsualKind::reduction,
                                            UsualKind::arithmetic, UsualKind::reads};

// The share of the multiprocessors that get a block.
enum class GpuShare { quarter, half, all };
inline constexpr std::array all_gpu_shares{GpuShare::quarter, GpuShare::half, GpuShare::all};

// What limits a pipeline. If copies limit it, the kernel takes a quarter of the time of a tile's
// copy. If compute limits it, the kernel takes three times as long as the copy.
enum class Bound { copies, compute };
inline constexpr std::array all_bounds{Bound::copies, Bound::compute};

std::string_view name_of(UsualKind kind);
std::string_view name_of(GpuShare share);
std::string_view name_of(Bound bound);

// Returns at least 1.
unsigned blocks_of(GpuShare share, int multiprocessors);

// Returns how long a kernel must be if a copy takes `copy_us`.
double kernel_us_for(Bound bound, double copy_us);

// The size of a matrix in tiles. Each block of cuBLAS's kernel computes one tile. matrix_tiles()
// returns a nearly square matrix with `blocks` tiles or slightly fewer.
struct MatrixTiles {
  unsigned rows = 1;
  unsigned columns = 1;

  friend bool operator==(const MatrixTiles&, const MatrixTiles&) = default;
};
MatrixTiles matrix_tiles(unsigned blocks);

}  // namespace lapscope::workloads
