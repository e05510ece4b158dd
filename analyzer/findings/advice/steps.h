#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "analyzer/explain/blame.h"
#include "analyzer/findings/advice/advice_for.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// How a scope's tasks used the engines. The steps of advice read these values.
struct Use {
  std::array<std::vector<Interval>, all_engines.size()> busy;
  Ns compute_ns = 0;
  Ns filling_ns = 0;  // time of kernels that leave no room on the multiprocessors
  // known_ns: the sum of the times of kernels whose launch shape is known. covered_ns: the same
  // sum, with the time of each kernel multiplied by the share of multiprocessors that have blocks
  // of this kernel.
  Ns known_ns = 0;
  double covered_ns = 0;
  std::int64_t pageable = 0;  // number of copies of pageable memory
  Ns pageable_ns = 0;
  std::uint32_t longest_copy = no_index;
  std::set<std::uint32_t> communicating_streams;
  // The time that communication would take if each kernel were as quick as the quickest kernel of
  // its name and size. If too few kernels are alike, their recorded time counts.
  Ns transfers_ns = 0;
  // The time that the links need for the data that communication transfers; 0 if not known.
  double links_ns = 0;
  std::map<std::uint32_t, Ns> compute_of_stream;
};

struct AdviceInput {
  AdviceInput(const Sources& of_sources, const GraphScope& of_scope, const CausesResult& so_far);

  const Sources& sources;
  const GraphScope& scope;
  const CausesResult& result;  // findings and questions
  Ns wall = 0;                 // of the scope
  Use use;

  bool is_found(Cause cause) const;
};

// Returns the times in which at least one of these engines was busy.
IntervalSet busy_with(const AdviceInput& in, std::span<const Engine> engines);

// The large copies of page-locked memory in a scope, on one engine, and their rate. `link` is the
// rate that large copies reach on the link of this engine; 0 if it is not known.
struct LargeCopies {
  std::vector<std::uint32_t> tasks;
  Ns ns = 0;
  double rate = 0;  // bytes per ns
  double link = 0;  // bytes per ns
};
LargeCopies large_copies(const AdviceInput& in, Engine engine);

// Each step of advice is about one subject. It adds nothing if a finding is about that subject. A
// step with a bool result returns whether it added advice. advise_pin() returns its advice and adds
// nothing.
bool advise_slow_copies(const AdviceInput& in, std::vector<Advice>& advice);
bool tell_little_work(const AdviceInput& in, std::vector<Advice>& advice);
void advise_communication(const AdviceInput& in, std::vector<Advice>& advice);
void advise_bound(const AdviceInput& in, std::vector<Advice>& advice);
std::vector<Advice> advise_pin(const AdviceInput& in);
void advise_graph(const AdviceInput& in, std::vector<Advice>& advice);
void advise_queues(const AdviceInput& in, std::vector<Advice>& advice);
void advise_small_copies(const AdviceInput& in, std::vector<Advice>& advice);
void advise_resident(const AdviceInput& in, std::vector<Advice>& advice);
void advise_chunk(const AdviceInput& in, std::vector<Advice>& advice);
void advise_dependence(const AdviceInput& in, std::vector<Advice>& advice);
void tell_host_time(const AdviceInput& in, std::vector<Advice>& advice);

}  // namespace lapscope::analyzer
