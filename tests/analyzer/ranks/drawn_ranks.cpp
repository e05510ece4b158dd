#include "tests/analyzer/ranks/drawn_ranks.h"

#include <map>
#include <utility>

#include "tests/analyzer/support/picture.h"

namespace lapscope::test {

using analyzer::Interval;
using analyzer::Ns;
using analyzer::RankWork;

RankWork drawn_rank(std::string_view name, std::string_view picture, Ns ahead) {
  const std::map<char, std::uint32_t> names = {{'R', 0}, {'G', 1}, {'B', 2}};
  RankWork rank;
  rank.file = std::string(name) + ".sqlite";
  rank.rank = name;
  rank.host = "a";
  rank.names = {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllGather_RING_LL",
                "ncclDevKernel_Broadcast_RING_LL"};
  const Ns begin = session_start + ahead;
  std::vector<Interval> computing;
  for (const Run& run : runs_in(picture)) {
    const Interval interval{run.interval.start + begin, run.interval.end + begin};
    if (run.letter == 'K') {
      computing.push_back(interval);
    } else {
      rank.collectives.push_back({interval, 0, names.at(run.letter)});
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

}  // namespace lapscope::test
