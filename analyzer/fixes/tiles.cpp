#include "analyzer/fixes/tiles.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/fixes/copies_out.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// The stream that an op was put into. Nodes of a graph may run in others than that of its launch.
std::uint64_t stream_of_op(const Trace& trace, const Device& device, std::uint32_t op) {
  const Stream& own = device.streams[device.ops.stream[op]];
  std::uint32_t id = own.id;
  if ((device.ops.memory[op] & in_graph) != 0 && device.ops.issue[op] != no_index) {
    const CallStream* named = stream_of_call(trace, device.ops.issue[op]);
    if (named && named->stream != no_index) id = named->stream;
  }
  return std::uint64_t{own.pid} << 32 | id;
}

}  // namespace

// Reads a trace, device by device, and then what follows from it.
struct Tiles::Reader {
  const Trace& trace;
  const Tiles& found;
  std::map<std::tuple<std::uint64_t, std::uint32_t>, std::uint32_t> lanes = {};  // stream, thread
  std::map<std::vector<std::uint64_t>, std::uint64_t> shapes = {};
  std::vector<std::vector<std::uint64_t>> parts = {};  // of each tile: codes
  std::vector<std::vector<std::uint64_t>> leads = {};  // of each lane: those before its first tile
  std::vector<std::uint32_t> before = {};              // of each tile: the one ahead in its stream

  std::uint32_t lane_of(const Device& device, std::uint32_t op) {
    const std::uint64_t stream = stream_of_op(trace, device, op);
    const std::uint32_t call = device.ops.issue[op];
    const std::uint32_t thread = call == no_index ? no_index : trace.calls.thread_of(call);
    const auto [known, is_new] = lanes.try_emplace({stream, thread}, found.lanes_.size());
    if (is_new) {
      found.lanes_.push_back({stream});
      leads.emplace_back();
    }
    return known->second;
  }

  void read(std::size_t index) {
    const Device& device = trace.devices[index];
    const Ops& ops = device.ops;
    std::vector<OpPlace>& places = found.places_[index];
    places.resize(ops.size());
    struct Open {
      std::uint32_t tile = no_index;
      bool was_in = false;
    };
    std::unordered_map<std::uint32_t, Open> open;                // by lane
    std::unordered_map<std::uint64_t, std::uint32_t> in_stream;  // the last tile
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t lane = lane_of(device, op);
      Open& last = open[lane];
      const bool is_in = ops.engine[op] == Engine::h2d;
      if (is_in && !last.was_in) {
        Tile tile;
        tile.lane = lane;
        tile.first = op;
        tile.start = ops.start[op];
        tile.issued = ops.issue[op] == no_index ? latest_time : trace.calls.start[ops.issue[op]];
        const auto ahead = in_stream.try_emplace(found.lanes_[lane].stream, no_index).first;
        before.push_back(ahead->second);
        ahead->second = static_cast<std::uint32_t>(found.tiles_.size());
        last.tile = static_cast<std::uint32_t>(found.tiles_.size());
        found.tiles_.push_back(tile);
        parts.emplace_back();
      }
      last.was_in = is_in;
      places[op] = {lane, last.tile};
      if (last.tile == no_index) {
        leads[lane].push_back(code_of_op(ops, op));
        continue;
      }
      Tile& tile = found.tiles_[last.tile];
      tile.end = std::max(tile.end, ops.end[op]);
      if (is_in) tile.in += ops.bytes[op];
      if (ops.engine[op] == Engine::d2h) tile.out += ops.bytes[op];
      tile.computes |= ops.kind[op] == OpKind::kernel;
      parts[last.tile].push_back(code_of_op(ops, op));
    }
  }

  // What the first ops of a tile do, in no order.
  std::vector<std::uint64_t> sorted(std::size_t tile, std::size_t ops) const {
    const auto begin = parts[tile].begin();
    std::vector<std::uint64_t> result(begin, begin + static_cast<std::ptrdiff_t>(ops));
    std::sort(result.begin(), result.end());
    return result;
  }

  void find_shapes() {
    std::vector<std::uint32_t> counts;
    for (std::size_t t = 0; t < found.tiles_.size(); ++t) {
      const auto [known, is_new] = shapes.try_emplace(sorted(t, parts[t].size()), counts.size());
      if (is_new) counts.push_back(0);
      ++counts[known->second];
      found.tiles_[t].shape = known->second;
    }
    for (Tile& tile : found.tiles_) {
      const bool is_whole =
          tile.computes && tile.out > 0 &&
          static_cast<double>(tile.out) >= assumed::hardly_any * static_cast<double>(tile.in);
      const bool is_often = counts[tile.shape] >= assumed::enough_examples;
      tile.recurs = is_often && is_whole;
      tile.is_round = is_often && !is_whole && tile.computes;
    }
  }

  // Shapes of which two tiles ran at once in different streams.
  std::unordered_set<std::uint64_t> seen_side_by_side() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t t = 0; t < found.tiles_.size(); ++t) {
      if (found.tiles_[t].recurs) order.push_back(t);
    }
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return found.tiles_[a].start < found.tiles_[b].start;
    });
    std::unordered_set<std::uint64_t> result;
    std::unordered_map<std::uint64_t, std::uint32_t> latest;  // by shape, the last to end
    for (const std::uint32_t t : order) {
      const Tile& tile = found.tiles_[t];
      const auto [known, is_new] = latest.try_emplace(tile.shape, t);
      if (is_new) continue;
      const Tile& other = found.tiles_[known->second];
      const bool is_elsewhere = found.lanes_[other.lane].stream != found.lanes_[tile.lane].stream;
      if (is_elsewhere && tile.start < other.end) result.insert(tile.shape);
      if (tile.end > other.end) known->second = t;
    }
    return result;
  }

  // Whether a tile has nothing ahead of it in its lane but ops that are a part of one: a loop may
  // as well go kernel, copy in, copy out.
  //
  //   stream 1  KHHDDKHHDDKHHDD      tiles are H D K
  bool is_first_of_loop(std::size_t t) {
    std::vector<std::uint64_t>& lead = leads[found.tiles_[t].lane];
    std::sort(lead.begin(), lead.end());
    const std::vector<std::uint64_t> own = sorted(t, parts[t].size());
    return !lead.empty() && std::includes(own.begin(), own.end(), lead.begin(), lead.end());
  }

  // The last one of a loop goes on to whatever comes next in its stream.
  bool begins_as(std::size_t t, std::size_t ahead) const {
    const std::size_t ops = parts[ahead].size();
    return parts[t].size() >= ops && sorted(t, ops) == sorted(ahead, ops);
  }

  void find_alone() {
    const auto side_by_side = seen_side_by_side();
    const auto is_seen = [&](std::size_t t) {
      return side_by_side.count(found.tiles_[t].shape) > 0;
    };
    for (std::size_t t = 0; t < found.tiles_.size(); ++t) {
      Tile& tile = found.tiles_[t];
      if (before[t] == no_index) {
        tile.is_alone = tile.recurs && is_seen(t) && is_first_of_loop(t);
        continue;
      }
      const Tile& ahead = found.tiles_[before[t]];
      const bool is_early = tile.issued < ahead.end;
      if (ahead.recurs && (tile.recurs || begins_as(t, before[t]))) {
        tile.is_alone = is_seen(before[t]) || is_early;
      }
      if (ahead.is_round && (tile.is_round || begins_as(t, before[t]))) tile.is_ahead = is_early;
    }
  }

  void find_left_behind() {
    for (std::size_t d = 0; d < trace.devices.size(); ++d) {
      const std::vector<OpPlace>& places = found.places_[d];
      std::vector<std::uint32_t> lanes(places.size());
      std::vector<bool> is_apart(places.size());
      for (std::size_t op = 0; op < places.size(); ++op) {
        lanes[op] = places[op].lane;
        if (places[op].tile == no_index) continue;
        const Tile& tile = found.tiles_[places[op].tile];
        is_apart[op] = tile.recurs || tile.is_round;
      }
      found.left_behind_.push_back(copies_left_behind(trace, trace.devices[d], lanes, is_apart));
    }
  }
};

const Tiles::OpPlace* Tiles::place_of(const Task& task) const {
  if (task.op == no_index) return nullptr;
  std::call_once(is_read_, [this] {
    places_.resize(trace_.devices.size());
    Reader reader{trace_, *this};
    for (std::size_t d = 0; d < trace_.devices.size(); ++d) reader.read(d);
    reader.find_shapes();
    reader.find_alone();
    reader.find_left_behind();
  });
  return &places_[task.device][task.op];
}

const Tiles::Tile* Tiles::tile_that_begins(const Task& task) const {
  const OpPlace* place = place_of(task);
  if (!place || place->tile == no_index) return nullptr;
  const Tile& tile = tiles_[place->tile];
  return tile.first == task.op ? &tile : nullptr;
}

bool Tiles::begins_alone(const Task& task) const {
  if (!rule::begins_alone) return false;
  const Tile* tile = tile_that_begins(task);
  return tile && tile->is_alone;
}

bool Tiles::fetches_ahead(const Task& task) const {
  if (!rule::fetches_ahead) return false;
  const Tile* tile = tile_that_begins(task);
  return tile && tile->is_ahead;
}

bool Tiles::leaves_behind(const Task& task) const {
  return rule::leaves_behind && place_of(task) && left_behind_[task.device][task.op];
}

bool Tiles::take_turns(const Task& a, const Task& b) const {
  const OpPlace* first = place_of(a);
  const OpPlace* second = place_of(b);
  if (!first || !second || first->tile == no_index || second->tile == no_index) return false;
  const Tile& one = tiles_[first->tile];
  const Tile& other = tiles_[second->tile];
  return one.recurs && other.recurs && one.shape == other.shape &&
         lanes_[one.lane].stream != lanes_[other.lane].stream;
}

}  // namespace lapscope::analyzer
