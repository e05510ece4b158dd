#include "analyzer/ranks/match_messages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/ranks/rank_clocks.h"

namespace lapscope::analyzer {
namespace {

// A kernel of a rank.
struct Kernel {
  std::uint32_t rank = 0;
  std::uint32_t kernel = 0;

  friend auto operator<=>(const Kernel&, const Kernel&) = default;
};

// Converts a rank number within a communicator to the index of the rank in the run.
class Communicators {
 public:
  explicit Communicators(std::span<const RankWork> ranks) {
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
      for (const RankCommunicator& one : ranks[r].communicators) {
        if (!one.id) continue;
        Members& members = by_id_[*one.id];
        members.in_order.push_back(r);
        if (one.rank) members.told.emplace(*one.rank, r);
      }
    }
  }

  std::optional<std::uint32_t> rank(std::uint64_t id, int of_communicator) const {
    const Members& members = by_id_.at(id);
    if (!members.told.empty()) {
      const auto found = members.told.find(of_communicator);
      if (found == members.told.end()) return std::nullopt;
      return found->second;
    }
    const auto index = static_cast<std::size_t>(of_communicator);
    if (index >= members.in_order.size()) return std::nullopt;
    return members.in_order[index];
  }

 private:
  struct Members {
    std::vector<std::uint32_t> in_order;
    std::map<int, std::uint32_t> told;
  };
  std::map<std::uint64_t, Members> by_id_;
};

class MessageMatcher {
 public:
  MessageMatcher(std::span<const RankWork> ranks, std::span<const Ns> clock_errors,
                 Matches& matches)
      : ranks_(ranks), communicators_(ranks), clock_errors_(clock_errors), matches_(matches) {}

  void match() {
    find_one_way();
    for (const MessageRoute& route : message_routes(ranks_)) join(route);
    std::set<Kernel> seen;
    for (const auto& [kernel, peers] : peers_) {
      if (seen.count(kernel) == 0) take(component_of(kernel, seen));
    }
    count_unmatched();
  }

 private:
  // Two ranks, the smaller index first, and a communicator that both are in.
  using Channel = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;

  std::optional<Channel> channel(std::uint32_t rank, const RankMessage& message) const {
    const std::uint64_t id = *ranks_[rank].communicators[message.communicator].id;
    const auto peer = communicators_.rank(id, message.peer);
    if (!peer) return std::nullopt;
    return Channel{id, std::min(rank, *peer), std::max(rank, *peer)};
  }

  void find_one_way() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      // By kernel and channel: whether the kernel sends, and whether it receives.
      std::map<std::pair<std::uint32_t, Channel>, std::pair<bool, bool>> ways;
      for (const RankMessage& message : ranks_[r].messages) {
        const auto between = channel(r, message);
        if (!between) continue;
        auto& [sends, receives] = ways[{message.collective, *between}];
        (message.is_send ? sends : receives) = true;
      }
      for (const auto& [key, both] : ways) {
        if (!both.first || !both.second) one_way_.insert(key.second);
      }
    }
  }

  bool is_pair(const std::vector<Kernel>& kernels) const {
    if (kernels.size() != 2) return false;
    const std::uint32_t rank = kernels[0].rank;
    const auto messages = std::ranges::equal_range(ranks_[rank].messages, kernels[0].kernel, {},
                                                   &RankMessage::collective);
    return std::ranges::any_of(messages, [&](const RankMessage& message) {
      const auto between = channel(rank, message);
      return between && std::get<2>(*between) == kernels[1].rank && one_way_.count(*between) > 0;
    });
  }

  const Interval& time_of(const Kernel& one) const {
    return ranks_[one.rank].collectives[one.kernel].interval;
  }

  void join(const Kernel& send, const Kernel& receive) {
    peers_[send].insert(receive);
    peers_[receive].insert(send);
  }

  // The time in which both kernels run. At most 0 if they do not overlap.
  Ns overlap(const Kernel& a, const Kernel& b) const {
    return std::min(time_of(a).end, time_of(b).end) - std::max(time_of(a).start, time_of(b).start);
  }

  void join(const MessageRoute& route) {
    const auto send = [&route](std::size_t k) { return Kernel{route.sender, route.sends[k]}; };
    const auto receive = [&route](std::size_t k) {
      return Kernel{route.receiver, route.receives[k]};
    };
    const std::size_t sends = route.sends.size();
    const std::size_t receives = route.receives.size();
    const Ns error = error_between(ranks_, clock_errors_, route.sender, route.receiver);
    bool is_complete = sends == receives;
    std::size_t of_next = 0;  // receives k that overlap longer with send k + 1 than with send k
    for (std::size_t k = 0; is_complete && k < sends; ++k) {
      is_complete = time_of(send(k)).start < time_of(receive(k)).end + error;
      const Ns shared = std::max<Ns>(0, overlap(send(k), receive(k)));
      of_next += k + 1 < sends && overlap(send(k + 1), receive(k)) > shared ? 1U : 0U;
    }
    // If most receives k belong to send k + 1, the first receive and the last send were not
    // recorded.
    if (2 * of_next > sends - 1) is_complete = false;
    for (std::size_t s = 0, r = 0; s < sends && r < receives;) {
      const Ns shared = overlap(send(s), receive(r));
      if (is_complete) {
        join(send(s++), receive(r++));
      } else if (r + 1 < receives && overlap(send(s), receive(r + 1)) > std::max<Ns>(0, shared)) {
        ++r;
      } else if (s + 1 < sends && overlap(send(s + 1), receive(r)) > std::max<Ns>(0, shared)) {
        ++s;
      } else if (shared > 0) {
        join(send(s++), receive(r++));
      } else {
        ++(time_of(send(s)).end < time_of(receive(r)).end ? s : r);
      }
    }
  }

  std::vector<Kernel> component_of(const Kernel& first, std::set<Kernel>& seen) const {
    std::vector<Kernel> component = {first};
    seen.insert(first);
    for (std::size_t i = 0; i < component.size(); ++i) {
      for (const Kernel& peer : peers_.at(component[i])) {
        if (seen.insert(peer).second) component.push_back(peer);
      }
    }
    std::sort(component.begin(), component.end());
    return component;
  }

  // Adds connected kernels as one exchange. If a rank has several of these kernels, adds each send
  // with its receive as an exchange instead.
  void take(const std::vector<Kernel>& component) {
    const bool is_exchange = std::adjacent_find(component.begin(), component.end(),
                                                [](const Kernel& a, const Kernel& b) {
                                                  return a.rank == b.rank;
                                                }) == component.end();
    if (is_exchange) {
      add(component);
      return;
    }
    for (const Kernel& one : component) {
      for (const Kernel& peer : peers_.at(one)) {
        if (one < peer) add({one, peer});
      }
    }
  }

  void add(const std::vector<Kernel>& kernels) {
    MatchedCollective one;
    one.kind = CollectiveKind::send_receive;
    one.is_pair = is_pair(kernels);
    one.bytes = ranks_[kernels[0].rank].collectives[kernels[0].kernel].bytes;
    for (const Kernel& kernel : kernels) {
      const Interval& time = time_of(kernel);
      Ns ready = time.start;
      for (const Kernel& peer : peers_.at(kernel)) {
        const bool is_in = std::binary_search(kernels.begin(), kernels.end(), peer);
        const Ns start = time_of(peer).start;
        if (is_in && start < time.end) ready = std::max(ready, start);
      }
      one.members.push_back({kernel.rank, kernel.kernel, time, ready});
    }
    matches_.collectives.push_back(std::move(one));
  }

  void count_unmatched() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      for (std::uint32_t c = 0; c < ranks_[r].collectives.size(); ++c) {
        const bool sends = ranks_[r].collectives[c].kind == CollectiveKind::send_receive;
        if (sends && peers_.count({r, c}) == 0) ++matches_.unmatched[r];
      }
    }
  }

  std::span<const RankWork> ranks_;
  Communicators communicators_;
  std::set<Channel> one_way_;  // with a kernel that only sends or only receives
  std::span<const Ns> clock_errors_;
  Matches& matches_;
  std::map<Kernel, std::set<Kernel>> peers_;
};

}  // namespace

std::vector<MessageRoute> message_routes(std::span<const RankWork> ranks) {
  // The key: the communicator, the sending rank, the receiving rank, and the bytes of a message.
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, Bytes>, MessageRoute> by_key;
  const Communicators communicators(ranks);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    for (const RankMessage& message : ranks[r].messages) {
      const std::uint64_t id = *ranks[r].communicators[message.communicator].id;
      const auto peer = communicators.rank(id, message.peer);
      if (!peer || *peer == r) continue;
      const std::uint32_t from = message.is_send ? r : *peer;
      const std::uint32_t to = message.is_send ? *peer : r;
      MessageRoute& route = by_key[{id, from, to, message.bytes}];
      route.sender = from;
      route.receiver = to;
      (message.is_send ? route.sends : route.receives).push_back(message.collective);
    }
  }
  std::vector<MessageRoute> routes;
  for (auto& [key, route] : by_key) routes.push_back(std::move(route));
  return routes;
}

void match_messages(std::span<const RankWork> ranks, std::span<const Ns> clock_errors,
                    Matches& matches) {
  MessageMatcher(ranks, clock_errors, matches).match();
}

}  // namespace lapscope::analyzer
