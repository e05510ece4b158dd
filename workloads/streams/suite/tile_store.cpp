#include "workloads/streams/suite/tile_store.h"

#include <algorithm>
#include <string>

#include "workloads/harness/pattern.h"
#include "workloads/streams/suite/verify.h"

namespace lapscope::workloads::streams {

TileStore::TileStore(const Shape& shape, HostMemory input, HostMemory output)
    : elements_(shape.tile_elements()),
      tiles_(static_cast<std::size_t>(shape.tiles)),
      input_(tiles_ * elements_, input),
      output_(tiles_ * elements_, output) {
  fill_pattern(input_.span());
}

void TileStore::verify(AffineMap map, std::size_t elements) const {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    require_pattern({output(tile), elements}, tile * elements_, map,
                    "tile " + std::to_string(tile));
  }
}

void TileStore::clear() const { std::ranges::fill(output_.span(), 0U); }

}  // namespace lapscope::workloads::streams
