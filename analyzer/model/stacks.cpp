#include "analyzer/model/stacks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
std::string place_of(const Trace& trace, const Frame& frame) {
  const std::string& file = trace.names.text(frame.file);
  if (!file.empty() && frame.line != 0) return file + ":" + std::to_string(frame.line);
  const std::string& function = trace.names.text(frame.function);
  if (!function.empty()) {
    const bool is_python = trace.names.text(frame.module) == python_module;
    return is_python || trace.names.text(frame.module) == operator_module ? function
                                                                          : bare_function(function);
  }
  return std::string(file_name(trace.names.text(frame.module)));
}

std::uint32_t CallStacks::add_chain(std::span<const Frame> frames) {
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  begin_.push_back(static_cast<std::uint32_t>(frames_.size()));
  return static_cast<std::uint32_t>(begin_.size() - 2);
}

std::span<const Frame> CallStacks::chain(std::uint32_t index) const {
  return std::span(frames_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
}

Ns CallStacks::capture_ns(std::uint32_t call) const {
  const auto found =
      std::lower_bound(captures_.begin(), captures_.end(), call,
                       [](const Capture& one, std::uint32_t wanted) { return one.call < wanted; });
  return found == captures_.end() || found->call != call ? 0 : found->ns;
}

CallStacks CallStacks::selected(std::span<const std::uint32_t> calls) const {
  CallStacks result = *this;
  result.of_calls_.clear();
  result.captures_.clear();
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    result.of_calls_.push_back(of_call(calls[i]));
    if (const Ns ns = capture_ns(calls[i]); ns != 0) result.captures_.push_back({i, ns});
  }
  // Calls that made nodes but are not selected get the numbers after those of the selected calls.
  for (NodeMaker& maker : result.makers_) {
    const std::uint32_t chain = of_call(maker.call);
    maker.call = static_cast<std::uint32_t>(result.of_calls_.size());
    result.of_calls_.push_back(chain);
  }
  return result;
}

std::uint32_t CallStacks::of_call(std::uint32_t call) const {
  return call < of_calls_.size() ? of_calls_[call] : none;
}

void CallStacks::set_makers(std::vector<NodeMaker> makers) {
  makers_ = std::move(makers);
  std::sort(makers_.begin(), makers_.end());
}

std::uint32_t CallStacks::of_node(std::uint64_t node) const {
  const auto found = std::lower_bound(makers_.begin(), makers_.end(), NodeMaker{node, 0});
  return found == makers_.end() || found->node != node ? none : of_call(found->call);
}

void CallStacks::set_forward(std::uint32_t call, std::uint32_t forward) {
  if (call >= of_calls_.size()) return;
  if (first_backward_ == none) first_backward_ = static_cast<std::uint32_t>(chain_count());
  std::uint32_t own = of_calls_[call];
  if (own != none && own >= first_backward_) own = backward_[own - first_backward_].own;
  const auto [known, is_new] = backward_index_.try_emplace({own, forward}, 0);
  if (is_new) {
    std::vector<Frame> frames;
    std::vector<CodeOwner> owners;
    if (own != none) {
      frames.assign(chain(own).begin(), chain(own).end());
      owners.assign(owners_.begin() + begin_[own], owners_.begin() + begin_[own + 1]);
    }
    known->second = add_chain(frames);
    owners_.insert(owners_.end(), owners.begin(), owners.end());
    own_frame_.push_back(own == none ? none : own_frame_[own]);
    callers_.push_back(own == none ? none : callers_[own]);
    // A call of the backward pass must not get the place of a call of the forward pass, even if
    // both calls have the same line. So each new chain of the backward pass gets a new place.
    places_.push_back(place_count_++);
    backward_.push_back({own, forward});
  }
  of_calls_[call] = known->second;
}

void CallStacks::settle(const Trace& trace, const std::vector<Taken>& taken) {
  of_calls_.assign(taken.empty() ? 0 : trace.calls.size(), none);
  for (const Taken& one : taken) of_calls_[one.call] = one.chain;
  find_owners(trace);
  number_lines(trace);
  number_places(give_to_others(trace));
}

void CallStacks::find_owners(const Trace& trace) {
  // A host function that launches a kernel has the kernel's name. Its frame has the owner
  // `runtime`.
  std::set<std::string> kernels;
  for (const Device& device : trace.devices) {
    std::set<std::uint32_t> names(device.ops.name.begin(), device.ops.name.end());
    names.erase(no_index);
    for (const std::uint32_t name : names) kernels.insert(bare_function(trace.names.text(name)));
  }
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, CodeOwner> known;
  owners_.clear();
  for (const Frame& frame : frames_) {
    const auto [owner, is_new] =
        known.try_emplace({frame.function, frame.module, frame.file}, CodeOwner::program);
    if (is_new) {
      const std::string& function = trace.names.text(frame.function);
      owner->second =
          owner_of(function, trace.names.text(frame.module), trace.names.text(frame.file));
      if (owner->second == CodeOwner::program && !function.empty() &&
          kernels.contains(bare_function(function))) {
        owner->second = CodeOwner::runtime;
      }
    }
    owners_.push_back(owner->second);
  }
  // A host function that launches a kernel may lack the kernel's namespace. Such a function is
  // recognized by its call of the launch stub that nvcc generates.
  std::set<std::string, std::less<>> last_parts;
  for (const std::string& kernel : kernels) {
    last_parts.insert(kernel.substr(kernel.rfind(':') + 1));
  }
  for (std::uint32_t c = 0; c < chain_count(); ++c) {
    const std::span<const Frame> frames = chain(c);
    for (std::size_t i = 1; i < frames.size(); ++i) {
      if (!is_launch_stub(bare_function(trace.names.text(frames[i - 1].function)))) continue;
      const std::string bare = bare_function(trace.names.text(frames[i].function));
      if (last_parts.contains(bare.substr(bare.rfind(':') + 1))) {
        owners_[begin_[c] + i] = CodeOwner::runtime;
      }
    }
  }
  own_frame_.assign(chain_count(), none);
  for (std::uint32_t c = 0; c < chain_count(); ++c) {
    for (const CodeOwner wanted : {CodeOwner::program, CodeOwner::library}) {
      const auto first = owners_.begin() + begin_[c];
      const auto last = owners_.begin() + begin_[c + 1];
      const auto found = std::find(first, last, wanted);
      if (own_frame_[c] == none && found != last) {
        own_frame_[c] = static_cast<std::uint32_t>(found - first);
      }
    }
  }
}

void CallStacks::number_lines(const Trace& trace) {
  std::map<std::string, std::uint32_t> numbers;
  const auto number_of = [&numbers](const std::string& text) {
    if (text.empty()) return none;
    return numbers.try_emplace(text, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  lines_.assign(chain_count(), none);
  callers_.assign(chain_count(), none);
  caller_lines_.assign(chain_count(), none);
  for (std::uint32_t c = 0; c < chain_count(); ++c) {
    const std::uint32_t own = own_frame_[c];
    if (own == none) continue;
    lines_[c] = number_of(place_of(trace, chain(c)[own]));
    for (std::uint32_t f = own + 1; f < chain(c).size() && callers_[c] == none; ++f) {
      if (owner(c, f) != owner(c, own)) continue;
      const std::uint32_t line = number_of(place_of(trace, chain(c)[f]));
      if (line == none || line == lines_[c]) continue;
      callers_[c] = f;
      caller_lines_[c] = line;
    }
  }
}

// Gives each chain the number of its place. If every call at a line has a recorded stack that shows
// the caller of the line, the line has one place for each caller. Otherwise, the line is one place.
void CallStacks::number_places(const std::vector<bool>& is_given) {
  std::set<std::uint32_t> merged;
  for (std::uint32_t call = 0; call < of_calls_.size(); ++call) {
    if (is_given[call]) merged.insert(lines_[of_calls_[call]]);
  }
  std::map<std::uint32_t, std::set<std::uint32_t>> callers;  // by line
  for (std::uint32_t c = 0; c < chain_count(); ++c) callers[lines_[c]].insert(caller_lines_[c]);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places;
  places_.assign(chain_count(), none);
  for (std::uint32_t c = 0; c < chain_count(); ++c) {
    if (lines_[c] == none) continue;
    const std::set<std::uint32_t>& all = callers[lines_[c]];
    if (merged.contains(lines_[c]) || all.size() == 1 || all.contains(none)) {
      callers_[c] = caller_lines_[c] = none;
    }
    const auto next = static_cast<std::uint32_t>(places.size());
    places_[c] = places.try_emplace({lines_[c], caller_lines_[c]}, next).first->second;
  }
  lines_ = caller_lines_ = {};
  place_count_ = static_cast<std::uint32_t>(places.size());
}

namespace {

// Finds a chain for a call from similar calls. Similar calls have the same key. If the similar
// calls with a chain were made at several lines, finds no chain. If they were made at one line,
// takes the chain of the call that is nearest in time. The line may have several callers, and the
// nearest call probably has the same caller.
class Alike {
 public:
  explicit Alike(const Calls& calls) : calls_(calls) {}

  // Adds a call that has a chain. Calls must be added in ascending order.
  void add(std::uint64_t key, std::uint32_t call, std::uint32_t chain, std::uint32_t line) {
    const auto [known, is_new] = all_.try_emplace(key, Group{line, false, {}});
    Group& group = known->second;
    group.is_mixed = group.is_mixed || group.line != line;
    if (group.is_mixed) {
      group.runs = {};
    } else if (group.runs.empty() || group.runs.back().chain != chain) {
      group.runs.push_back({call, call, chain});
    } else {
      group.runs.back().last = call;
    }
  }
  bool has(std::uint64_t key) const { return all_.contains(key); }
  std::uint32_t of(std::uint64_t key, std::uint32_t call) const {
    const auto found = all_.find(key);
    if (found == all_.end() || found->second.is_mixed) return CallStacks::none;
    const std::vector<Run>& runs = found->second.runs;
    const auto next = std::partition_point(runs.begin(), runs.end(),
                                           [call](const Run& run) { return run.first <= call; });
    if (next == runs.begin()) return next->chain;
    const Run& before = *std::prev(next);
    if (next == runs.end() || call <= before.last) return before.chain;
    const Ns now = calls_.start[call];
    const bool is_before_nearer =
        now - calls_.start[before.last] <= calls_.start[next->first] - now;
    return is_before_nearer ? before.chain : next->chain;
  }

 private:
  // Successive calls with the same chain.
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t chain = 0;
  };
  struct Group {
    std::uint32_t line = 0;
    bool is_mixed = false;
    std::vector<Run> runs;  // by call
  };

  const Calls& calls_;
  std::unordered_map<std::uint64_t, Group> all_;
};

// Numbers pairs from 1 on. Equal pairs have the same number.
class Numbering {
 public:
  std::uint32_t of(std::uint64_t a, std::uint64_t b) {
    return numbers_.try_emplace({a, b}, static_cast<std::uint32_t>(numbers_.size() + 1))
        .first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& key) const {
      return std::hash<std::uint64_t>()(key.first * 0x9E3779B97F4A7C15 ^ key.second);
    }
  };
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t, Hash> numbers_;
};

// Returns a number for each call. Two calls have equal numbers if they have the same thread and
// function, and if their first ops have the same name, kind, engine, device and stream.
std::vector<std::uint32_t> sorts_of_calls(const Trace& trace) {
  const Calls& calls = trace.calls;
  std::vector<std::uint32_t> issued(calls.size());
  Numbering ops;
  for (std::uint32_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& all = trace.devices[d].ops;
    for (std::uint32_t op = 0; op < all.size(); ++op) {
      if (all.issue[op] == no_index || issued[all.issue[op]] != 0) continue;
      const std::uint64_t what = static_cast<std::uint64_t>(all.kind[op]) << 40 |
                                 static_cast<std::uint64_t>(all.engine[op]) << 32 | all.name[op];
      issued[all.issue[op]] = ops.of(what, static_cast<std::uint64_t>(d) << 32 | all.stream[op]);
    }
  }
  Numbering sorts;
  for (std::uint32_t t = 0; t < calls.threads.size(); ++t) {
    for (std::uint32_t call = calls.threads[t].first; call < calls.threads[t].end; ++call) {
      issued[call] = sorts.of(static_cast<std::uint64_t>(t) << 32 | calls.name[call], issued[call]);
    }
  }
  return issued;
}

}  // namespace

// If a call has no chain, copies the chain of a similar call. Returns, for each call, whether its
// chain is such a copy.
std::vector<bool> CallStacks::give_to_others(const Trace& trace) {
  std::vector<bool> is_given(of_calls_.size());
  if (of_calls_.empty()) return is_given;
  const Calls& calls = trace.calls;
  const std::vector<std::uint32_t> sorts = sorts_of_calls(trace);
  // Returns a number for a call. Two calls have the same number if both have the same sort, if the
  // calls before them have the same sort, and if the calls after them have the same sort.
  Numbering neighbours;
  const auto among = [&](const Calls::Thread& thread, std::uint32_t call) -> std::uint64_t {
    const std::uint64_t before = call > thread.first ? sorts[call - 1] : 0;
    const std::uint64_t after = call + 1 < thread.last ? sorts[call + 1] : 0;
    return neighbours.of(sorts[call], before << 32 | after);
  };
  Alike alone(calls);
  Alike in_order(calls);
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      const std::uint32_t chain = of_call(call);
      if (chain == none || lines_[chain] == none) continue;
      alone.add(sorts[call], call, chain, lines_[chain]);
      in_order.add(among(thread, call), call, chain, lines_[chain]);
    }
  }
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (of_calls_[call] != none || !alone.has(sorts[call])) continue;
      std::uint32_t chain = alone.of(sorts[call], call);
      if (chain == none) chain = in_order.of(among(thread, call), call);
      if (chain == none) continue;
      of_calls_[call] = chain;
      is_given[call] = true;
    }
  }
  return is_given;
}

}  // namespace lapscope::analyzer
