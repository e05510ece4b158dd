#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "analyzer/ranks/run_program.h"
#include "tests/analyzer/ranks/drawn_ranks.h"

namespace lapscope::test {

// Drawn ranks, evaluated as one run. The window is the whole time of the first rank.
struct DrawnRun {
  explicit DrawnRun(std::vector<analyzer::RankWork> drawn)
      : ranks(std::move(drawn)), matches(match_collectives(ranks)), window(ranks[0].whole) {
    const auto members = members_by_rank(matches, ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      states.push_back(rank_states(ranks, r, members[r], window));
    }
  }
  explicit DrawnRun(std::initializer_list<std::string_view> pictures)
      : DrawnRun(drawn_ranks(pictures)) {}

  analyzer::RankTime time(std::size_t rank) const { return states[rank].in(window); }
  analyzer::RunProgram program() const {
    const auto members = members_by_rank(matches, ranks.size());
    analyzer::RunProgram program{ranks, &matches, window, {}, {}};
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      program.of_rank.push_back(program_of_rank(matches, ranks, r, members[r], states[r], window));
    }
    return program;
  }

  std::vector<analyzer::RankWork> ranks;
  analyzer::Matches matches;
  analyzer::Interval window;
  std::vector<analyzer::RankStates> states;
};

}  // namespace lapscope::test
