#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analyzer/explain/blame.h"
#include "analyzer/findings/advice/advice_for.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// What a scope's tasks did, as far as advice is about it.
struct Use {
  std::array<std::vector<Interval>, all_engines.size()> busy;
  Ns compute_ns = 0;
  Ns filling_ns = 0;  // of kernels that leave no room on the multiprocessors
  // The time of kernels of known shape, and this time multiplied by the part of the multiprocessors
  // that they have blocks on.
  Ns known_ns = 0;
  double covered_ns = 0;
  std::int64_t pageable = 0;  // copies
  Ns pageable_ns = 0;
  std::uint32_t longest_copy = no_index;
  std::set<std::uint32_t> communicating_streams;
  // What communication would take if each kernel took as long as the quickest of its name and size;
  // as long as it did where too few are alike.
  Ns transfers_ns = 0;
  std::map<std::uint32_t, Ns> compute_of_stream;
};

// What a step of advice decides by.
struct AdviceInput {
  AdviceInput(const Sources& of_sources, const GraphScope& of_scope, const CausesResult& so_far);

  const Sources& sources;
  const GraphScope& scope;
  const CausesResult& result;  // findings and questions
  Ns wall = 0;                 // of the scope
  Use use;

  bool is_found(Cause cause) const;
};

// What large copies of page-locked memory of the scope go at, all of an engine together; `link` is
// what such copies reach on it, 0 where that is not known.
struct LargeCopies {
  std::vector<std::uint32_t> tasks;
  Ns ns = 0;
  double rate = 0;  // bytes per ns
  double link = 0;  // likewise
};
LargeCopies large_copies(const AdviceInput& in, Engine engine);

inline Share share(Ns part, Ns whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// The steps. Each adds what it has to say, and says nothing where a finding is about the same; the
// ones that return something return whether they have.
bool advise_prefetch(const AdviceInput& in, std::vector<Advice>& advice);
bool advise_slow_copies(const AdviceInput& in, std::vector<Advice>& advice);
bool tell_little_work(const AdviceInput& in, std::vector<Advice>& advice);
void advise_communication(const AdviceInput& in, std::vector<Advice>& advice);
void advise_bound(const AdviceInput& in, std::vector<Advice>& advice);
void advise_host_prefetch(const AdviceInput& in, std::vector<Advice>& advice);
std::vector<Advice> advise_pin(const AdviceInput& in);
void advise_graph(const AdviceInput& in, std::vector<Advice>& advice);
void advise_queues(const AdviceInput& in, std::vector<Advice>& advice);
void advise_small_copies(const AdviceInput& in, std::vector<Advice>& advice);
void advise_resident(const AdviceInput& in, std::vector<Advice>& advice);
void advise_chunk(const AdviceInput& in, std::vector<Advice>& advice);
void advise_dependence(const AdviceInput& in, std::vector<Advice>& advice);
void tell_host_time(const AdviceInput& in, std::vector<Advice>& advice);

}  // namespace lapscope::analyzer
