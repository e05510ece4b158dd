#pragma once

#include "tests/gpu/programs/sealed/common.cuh"

// Each function prepares one program. With `broken`, the program has its planted mistake. The
// controls have no mistake and ignore `broken`.
namespace sealed {

// imaging.cu
Program transcode(bool broken);
Program thumbnails(bool broken);
Program frame_timing(bool broken);
Program ray_tiles(bool broken);

// physics.cu
Program cg_dots(bool broken);
Program lattice_log(bool broken);
Program halo_exchange(bool broken);
Program trajectory(bool broken);
Program cloth(bool broken);
Program insitu_render(bool broken);

// tables.cu
Program bfs_levels(bool broken);
Program hash_join(bool broken);
Program log_search(bool broken);
Program block_compress(bool broken);
Program query_plans(bool broken);

// serving.cu
Program lstm_server(bool broken);
Program recognizer_sessions(bool broken);
Program feature_partitions(bool broken);

// series.cu
Program book_risk(bool broken);
Program seismic_stack(bool broken);
void before_stations(bool broken);
Program stations(bool broken);
Program ensemble_graph(bool broken);
Program fir_bank(bool broken);

// controls.cu
Program control_newton(bool broken);
Program control_nbody(bool broken);
Program control_archive(bool broken);

}  // namespace sealed
