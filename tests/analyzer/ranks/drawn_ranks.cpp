#include "tests/analyzer/ranks/drawn_ranks.h"

#include <map>
#include <utility>

#include "tests/analyzer/support/picture.h"

namespace lapscope::test {

using analyzer::CollectiveKind;
using analyzer::Interval;
using analyzer::Ns;
using analyzer::RankCollective;
using analyzer::RankWork;

namespace {

void add_kernel(Interval interval, char letter, std::uint32_t name, RankWork& rank) {
  RankCollective kernel{interval, 0, 0, name, analyzer::collective_kind(rank.names[name])};
  const std::string_view exchanges = "SsVv";
  if (exchanges.find(letter) != std::string_view::npos) {
    kernel.kind = CollectiveKind::send_receive;
    rank.communicators[0].id = 7;
    const bool is_send = letter == 'S' || letter == 's';
    const int next = letter == 'S' || letter == 'v' ? 1 : -1;
    rank.messages.push_back({static_cast<std::uint32_t>(rank.collectives.size()), 0,
                             std::stoi(rank.rank) + next, is_send, 1});
  }
  rank.collectives.push_back(kernel);
}

}  // namespace

RankWork drawn_rank(std::string_view name, std::string_view picture, Ns ahead) {
  const std::map<char, std::uint32_t> names = {{'R', 0}, {'G', 1}, {'B', 2}, {'S', 3},
                                               {'s', 3}, {'V', 3}, {'v', 3}};
  RankWork rank;
  rank.file = std::string(name) + ".sqlite";
  rank.rank = name;
  rank.host = "a";
  rank.lost = {0, 0};
  rank.names = {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllGather_RING_LL",
                "ncclDevKernel_Broadcast_RING_LL", "ncclDevKernel_SendRecv"};
  rank.communicators = {{}};
  const Ns begin = session_start + ahead;
  std::vector<Interval> computing;
  for (const Run& run : runs_in(picture)) {
    const Interval interval{run.interval.start + begin, run.interval.end + begin};
    if (run.letter == 'K') {
      computing.push_back(interval);
    } else {
      add_kernel(interval, run.letter, names.at(run.letter), rank);
    }
  }
  rank.other_work = analyzer::IntervalSet::union_of(std::move(computing));
  rank.whole = {begin, begin + static_cast<Ns>(picture.size())};
  rank.judged = rank.whole;
  return rank;
}

std::vector<RankWork> drawn_ranks(std::initializer_list<std::string_view> pictures) {
  std::vector<RankWork> ranks;
  for (const std::string_view picture : pictures) {
    ranks.push_back(drawn_rank(std::to_string(ranks.size()), picture));
  }
  return ranks;
}

std::vector<RankWork> random_ranks(std::mt19937& random, int ranks, std::size_t length) {
  constexpr std::string_view letters = "KKRRRG..BSVsv";
  std::vector<RankWork> drawn;
  for (int r = 0; r < ranks; ++r) {
    std::string picture;
    while (picture.size() < length) {
      picture.append(1 + random() % 5, letters[random() % letters.size()]);
    }
    drawn.push_back(drawn_rank(std::to_string(r), picture));
    RankWork& rank = drawn.back();
    Ns host_time = 0;
    rank.communicators.push_back({{}, 1});
    for (RankCollective& kernel : rank.collectives) {
      if (kernel.kind == CollectiveKind::all_gather) kernel.communicator = 1;
      kernel.host_time = host_time += static_cast<Ns>(random() % 8);
      kernel.lead = static_cast<Ns>(random() % 8);
    }
    std::vector<Interval> work(rank.other_work.intervals().begin(),
                               rank.other_work.intervals().end());
    for (int i = 0; i < 5; ++i) {  // it also computes while it communicates
      const Ns begin = rank.whole.start + static_cast<Ns>(random() % (length - 5));
      work.push_back({begin, begin + static_cast<Ns>(random() % 5)});
    }
    rank.other_work = analyzer::IntervalSet::union_of(std::move(work));
    rank.recorder_share = static_cast<double>(random() % 5) / 10;
    rank.host_recorder_share = static_cast<double>(random() % 5) / 10;
  }
  return drawn;
}

}  // namespace lapscope::test
