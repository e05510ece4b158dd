#include "analyzer/ranks/match_collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/ranks/match_messages.h"
#include "analyzer/ranks/rank_clocks.h"

namespace lapscope::analyzer {

using Member = MatchedCollective::Member;

const Member& MatchedCollective::last() const {
  return *std::max_element(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return a.time.start < b.time.start;
  });
}

Ns MatchedCollective::end() const {
  const auto first =
      std::min_element(members.begin(), members.end(),
                       [](const Member& a, const Member& b) { return a.time.end < b.time.end; });
  return std::max(first->time.end, last_start());
}

namespace {

// Finds the communicators of kernels whose communicator is not recorded.
class StreamCommunicators {
 public:
  struct Found {
    std::optional<std::uint64_t> id;
    bool is_guess = false;  // whether the id comes from other ranks
  };

  explicit StreamCommunicators(std::span<const RankWork> ranks) : of_rank_(ranks.size()) {
    std::map<std::uint32_t, int> before;  // by stream: ranks that have kernels in it
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::set<std::uint32_t> streams;
      for (const RankCommunicator& one : ranks[r].communicators) {
        streams.insert(one.stream);
        if (!one.id) continue;
        of_rank_[r][one.stream].insert(*one.id);
        of_run_[one.stream].insert(*one.id);
        if (one.rank && *one.rank < before[one.stream]) without_others_.insert(one.stream);
      }
      for (const std::uint32_t stream : streams) ++before[stream];
    }
  }

  // Whether the trace of a rank has the id of at least one communicator of this stream.
  bool are_recorded(std::size_t rank, std::uint32_t stream) const {
    return of_rank_[rank].count(stream) > 0;
  }

  // Returns the id of a communicator. If this id was not recorded, returns the id of another
  // communicator in the same stream of the same rank. If the rank has no id in this stream, returns
  // the id that other ranks have in the stream with the same index.
  //
  // Returns no id if the stream has no id, or several different ids. Also returns no id if a
  // communicator of the other ranks does not include all ranks that have kernels in this stream
  // (without_others_).
  Found find(std::size_t rank, const RankCommunicator& of) const {
    if (of.id) return {of.id};
    if (are_recorded(rank, of.stream)) return {only(of_rank_[rank].at(of.stream))};
    const auto others = of_run_.find(of.stream);
    if (others == of_run_.end() || without_others_.count(of.stream) > 0) return {};
    const auto id = only(others->second);
    return {id, id.has_value()};
  }

 private:
  static std::optional<std::uint64_t> only(const std::set<std::uint64_t>& ids) {
    if (ids.size() != 1) return std::nullopt;
    return *ids.begin();
  }

  using ByStream = std::map<std::uint32_t, std::set<std::uint64_t>>;
  std::vector<ByStream> of_rank_;
  ByStream of_run_;
  std::set<std::uint32_t> without_others_;  // a communicator lacks a rank that uses the stream
};

}  // namespace

std::vector<JoiningKernels> joining_kernels(std::span<const RankWork> ranks) {
  const StreamCommunicators communicators(ranks);
  const auto id_of = [&](std::size_t r, const RankCollective& one) {
    return communicators.find(r, ranks[r].communicators[one.communicator]);
  };
  // The communicators and names of kernels without a recorded size.
  std::set<std::pair<std::optional<std::uint64_t>, std::string>> without_bytes;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    for (const RankCollective& one : ranks[r].collectives) {
      const bool is_recorded = ranks[r].communicators[one.communicator].id.has_value();
      if (!is_recorded) without_bytes.emplace(id_of(r, one).id, ranks[r].names[one.name]);
    }
  }
  // The parts of the key:
  // - whether kernels are grouped by stream,
  // - the index of the stream or the id of the communicator,
  // - the name of the kernel,
  // - the bytes of the kernel (0 if some kernels of the group have no recorded size).
  std::map<std::tuple<bool, std::uint64_t, std::string, Bytes>, JoiningKernels> by_key;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankWork& rank = ranks[r];
    for (std::uint32_t c = 0; c < rank.collectives.size(); ++c) {
      const RankCollective& one = rank.collectives[c];
      if (!joins_all(one.kind)) continue;
      const std::string& name = rank.names[one.name];
      const auto [id, is_guess] = id_of(r, one);
      const std::uint64_t of = id.value_or(rank.communicators[one.communicator].stream);
      const Bytes bytes = without_bytes.count({id, name}) > 0 ? 0 : one.bytes;
      JoiningKernels& kernels = by_key[{!id, of, name, bytes}];
      kernels.by_stream |= !id || is_guess;
      if (kernels.members.empty() || kernels.members.back().rank != r) {
        kernels.members.push_back({static_cast<std::uint32_t>(r), {}});
      }
      kernels.members.back().kernels.push_back(c);
    }
  }
  // A rank may have ended before its first kernel in a stream. Such a rank becomes a member without
  // kernels.
  for (auto& [key, kernels] : by_key) {
    if (!std::get<0>(key)) continue;
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
      const auto at =
          std::ranges::lower_bound(kernels.members, r, {}, &JoiningKernels::OfRank::rank);
      const bool is_in = at != kernels.members.end() && at->rank == r;
      const auto stream = static_cast<std::uint32_t>(std::get<1>(key));
      if (!is_in && !communicators.are_recorded(r, stream)) kernels.members.insert(at, {r, {}});
    }
  }
  std::vector<JoiningKernels> all;
  for (auto& [key, kernels] : by_key) all.push_back(std::move(kernels));
  return all;
}

namespace {

class CollectiveMatcher {
 public:
  CollectiveMatcher(std::span<const RankWork> ranks, std::span<const Ns> clock_errors)
      : ranks_(ranks), clock_errors_(clock_errors) {
    matches_.unmatched.resize(ranks.size());
    matches_.absent.resize(ranks.size());
  }

  Matches match() {
    for (const JoiningKernels& kernels : joining_kernels(ranks_)) {
      matches_.by_stream |= kernels.by_stream;
      take(kernels);
    }
    for (const RankWork& rank : ranks_) {
      matches_.others += std::count_if(
          rank.collectives.begin(), rank.collectives.end(),
          [](const RankCollective& one) { return one.kind == CollectiveKind::other; });
    }
    match_messages(ranks_, clock_errors_, matches_);
    std::sort(matches_.collectives.begin(), matches_.collectives.end(),
              [](const MatchedCollective& a, const MatchedCollective& b) {
                return std::tuple(a.last_start(), a.members[0].rank, a.members[0].kernel) <
                       std::tuple(b.last_start(), b.members[0].rank, b.members[0].kernel);
              });
    return std::move(matches_);
  }

 private:
  Member member(std::uint32_t rank, std::uint32_t kernel) const {
    return {rank, kernel, ranks_[rank].collectives[kernel].interval, 0};
  }

  void take(const JoiningKernels& kernels) {
    const std::vector<JoiningKernels::OfRank>& ranks = kernels.members;
    if (ranks.size() < 2 && ranks_.size() > 1) {
      for (const auto& [rank, own] : ranks) {
        matches_.unmatched[rank] += static_cast<std::int64_t>(own.size());
      }
      return;
    }
    std::size_t most = 0;
    for (const auto& one : ranks) most = std::max(most, one.kernels.size());
    for (const auto& one : ranks) {
      matches_.absent[one.rank] += static_cast<std::int64_t>(most - one.kernels.size());
    }
    std::vector<std::size_t> heads(ranks.size());
    const auto is_any_empty = [&] {
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (heads[i] == ranks[i].kernels.size()) return true;
      }
      return false;
    };
    while (!is_any_empty()) {
      MatchedCollective one;
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        one.members.push_back(member(ranks[i].rank, ranks[i].kernels[heads[i]]));
      }
      const Ns last_start = one.last_start();
      const std::uint32_t last = one.last().rank;
      bool is_one = true;
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        Member& own = one.members[i];
        own.ready = std::min(last_start, own.time.end);
        if (own.time.end + error_between(ranks_, clock_errors_, own.rank, last) > last_start) {
          continue;
        }
        is_one = false;  // the kernel ended before another rank's kernel began
        ++heads[i];
        ++matches_.unmatched[ranks[i].rank];
      }
      if (!is_one) continue;
      for (std::size_t& head : heads) ++head;
      const Member& first = one.members.front();
      const RankCollective& kernel = ranks_[first.rank].collectives[first.kernel];
      one.kind = kernel.kind;
      one.bytes = kernel.bytes;
      matches_.collectives.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      matches_.unmatched[ranks[i].rank] +=
          static_cast<std::int64_t>(ranks[i].kernels.size() - heads[i]);
    }
  }

  std::span<const RankWork> ranks_;
  std::span<const Ns> clock_errors_;
  Matches matches_;
};

}  // namespace

Matches match_collectives(std::span<const RankWork> ranks, std::span<const Ns> clock_errors) {
  return CollectiveMatcher(ranks, clock_errors).match();
}

}  // namespace lapscope::analyzer
