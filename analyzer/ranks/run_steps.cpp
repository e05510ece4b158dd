#include "analyzer/ranks/run_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the matched kernels of the rank that has most of them, by start.
std::vector<const MatchedCollective::Member*> members_of_busiest(
    const std::vector<std::vector<RankMember>>& by_rank) {
  const auto busiest =
      std::max_element(by_rank.begin(), by_rank.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<const MatchedCollective::Member*> members;
  for (const RankMember& one : *busiest) members.push_back(one.member);
  std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) {
    return std::tie(a->time.start, a->kernel) < std::tie(b->time.start, b->kernel);
  });
  return members;
}

// Returns a number for each kernel. Two kernels have the same number if they have the same
// communicator, name and size, and if their first messages have the same peer and direction.
std::vector<std::uint32_t> kinds_of(const RankWork& rank,
                                    const std::vector<const MatchedCollective::Member*>& members) {
  std::map<std::uint32_t, std::pair<int, bool>> messages;  // by kernel: its first message
  for (const RankMessage& one : rank.messages) {
    messages.try_emplace(one.collective, one.peer, one.is_send);
  }
  using Kind = std::tuple<std::uint32_t, std::uint32_t, Bytes, std::pair<int, bool>>;
  std::map<Kind, std::uint32_t> kinds;
  std::vector<std::uint32_t> sequence;
  for (const auto* member : members) {
    const RankCollective& one = rank.collectives[member->kernel];
    const auto message = messages.find(member->kernel);
    const Kind kind{one.communicator, one.name, one.bytes,
                    message == messages.end() ? std::pair(-1, false) : message->second};
    const auto number = static_cast<std::uint32_t>(kinds.size());
    sequence.push_back(kinds.try_emplace(kind, number).first->second);
  }
  return sequence;
}

// Returns the longest row of equal entries. Returns nullopt if this row has fewer than
// least_steps_of_run entries, or less than half of the entries of the sequence.
std::optional<Repetition> repetition_of_one(const std::vector<std::uint32_t>& sequence) {
  Repetition longest{0, 0, 1};
  for (std::size_t first = 0; first < sequence.size();) {
    std::size_t last = first;
    while (last < sequence.size() && sequence[last] == sequence[first]) ++last;
    if (last - first > longest.count()) longest = {first, last, 1};
    first = last;
  }
  if (longest.count() < least_steps_of_run || 2 * longest.count() < sequence.size())
    return std::nullopt;
  return longest;
}

// Returns the number of blocks in a step. A block lies between two consecutive `borders`, and is
// one repetition of a sequence of collectives. Blocks without a pause between them form a burst.
// Each burst is a step if all bursts have equally many blocks. For example, a training step reduces
// the gradients of many layers in turn, and then pauses for a forward pass. If bursts differ,
// returns 1.
//
//   [w][b][w][b][w][b]            [w][b][w][b][w][b]            [w][b]...
//   |----------- a step ----------|----------- a step ----------|
//
// Sets `first` to the block that begins the first whole step.
std::size_t blocks_of_step(const std::vector<Ns>& borders, std::size_t& first) {
  std::vector<Ns> lengths;
  for (std::size_t i = 1; i < borders.size(); ++i) lengths.push_back(borders[i] - borders[i - 1]);
  std::vector<Ns> sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  const double typical = static_cast<double>(sorted[sorted.size() / 2]);
  // A block longer than `least` contains a pause between two steps. `least` is the greater of two
  // lengths: a multiple of the typical length of a block, and the geometric mean of the typical and
  // the greatest length.
  const double least =
      std::max(assumed::uneven * typical, std::sqrt(typical * static_cast<double>(sorted.back())));
  // Two consecutive long blocks are one pause: a rank computes for long before a collective, and
  // waits for long in this collective.
  std::vector<std::size_t> pauses;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (static_cast<double>(lengths[i]) <= least) continue;
    if (pauses.empty() || pauses.back() + 1 < i) pauses.push_back(i);
    pauses.back() = i;
  }
  if (pauses.size() < least_steps_of_run) return 1;
  const std::size_t blocks = pauses[1] - pauses[0];
  for (std::size_t i = 2; i < pauses.size(); ++i) {
    if (pauses[i] - pauses[i - 1] != blocks) return 1;
  }
  first = pauses[0] + 1 >= blocks ? pauses[0] + 1 - blocks : pauses[0] + 1;
  return blocks;
}

}  // namespace

RunSteps steps_of_run(std::span<const RankWork> ranks,
                      const std::vector<std::vector<RankMember>>& by_rank) {
  const auto members = members_of_busiest(by_rank);
  if (members.size() < least_steps_of_run) return {};
  const std::vector<std::uint32_t> sequence = kinds_of(ranks[members.front()->rank], members);
  std::optional<Repetition> repetition = find_repetition(sequence, least_steps_of_run);
  if (!repetition) repetition = repetition_of_one(sequence);
  if (!repetition) return {};
  Iterations steps;
  for (std::size_t k = 0; k < repetition->count(); ++k) {
    steps.borders.push_back(members[repetition->first + k * repetition->period]->time.start);
  }
  const std::size_t end = repetition->first + repetition->count() * repetition->period;
  steps.borders.push_back(members[end - 1]->time.end);
  steps.borders.erase(steps.borders.begin(),
                      steps.borders.begin() + static_cast<std::ptrdiff_t>(warm_up_of(steps)));
  if (steps.borders.back() <= steps.borders.front()) return {};
  std::size_t first = 0;
  const std::size_t blocks = blocks_of_step(steps.borders, first);
  std::vector<Ns> borders;
  for (std::size_t b = first; b < steps.borders.size(); b += blocks) {
    borders.push_back(steps.borders[b]);
  }
  if (borders.size() <= least_steps_of_run) return {std::move(steps.borders), repetition->period};
  return {std::move(borders), repetition->period * blocks};
}

}  // namespace lapscope::analyzer
