#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ranks/rank_work.h"

// Draws ranks. Each line is a rank, and each character is a nanosecond, as in
// tests/analyzer/support/picture.h.
//
//   K  a kernel that computes        R  an all-reduce
//   G  an all-gather                 B  a broadcast, which need not join all ranks
//   S  a send to the next rank       V  a receive from the one before
//   s  a send to the one before      v  a receive from the next
//
// Sends and receives belong to one communicator; for other ops the communicator is not recorded.
namespace lapscope::test {

// The instant that drawings begin at, UTC.
inline constexpr analyzer::Ns session_start = 1'700'000'000'000'000'000;

// Makes a rank of host "a". Its kernels lose nothing beside communication. The clock of this host
// is `ahead` ns ahead of the clock of the drawing.
analyzer::RankWork drawn_rank(std::string_view name, std::string_view picture,
                              analyzer::Ns ahead = 0);

// Ranks 0, 1, ...
std::vector<analyzer::RankWork> drawn_ranks(std::initializer_list<std::string_view> pictures);

// Makes ranks of random drawings, each at least `length` ns long. All-gathers have their own
// stream. Other random values: `lead` and `host_time` of collectives, `recorder_share`,
// `host_recorder_share`, and intervals of other work.
std::vector<analyzer::RankWork> random_ranks(std::mt19937& random, int ranks, std::size_t length);

}  // namespace lapscope::test
