#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/host_time/host_time.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// A thread's time at one place. A place is a pair of call sites that the thread reaches one after
// the other.
struct PlaceTime {
  std::uint32_t place = 0;
  std::uint32_t after = 0;  // the second of the two call sites
  Ns ns = 0;
  Ns waited_ns = 0;  // the part of `ns` in which the thread waited; 0 if not known
};

// A sample of the thread at a place. `label` is the index of a HostPartition::Label: what the
// thread did. `ns` is the time that the sample represents.
struct PlaceSample {
  std::uint32_t place = 0;
  std::uint32_t label = 0;
  Ns ns = 0;
  std::uint32_t sample = no_index;  // in HostSamples
  bool waits = false;               // the thread waited
};

// A part of the time before the calls at one call site. `label` is the index of a
// HostPartition::Label: what the thread did in this part. It is no_index if no sample shows the
// time.
struct Portion {
  std::uint32_t after = 0;
  std::uint32_t label = no_index;
  Ns ns = 0;
  Ns waiting_ns = 0;   // the part of `ns` in Division::waiting
  Ns recorded_ns = 0;  // the part of `ns` that spans show

  void add_to(HostShare& share) const {
    share.ns += ns;
    share.waiting_ns += waiting_ns;
    share.recorded_ns += recorded_ns;
  }
};

struct Division {
  std::vector<Portion> portions;      // by site, then label; their sum is exactly the time
  std::vector<PlaceSample> rests_on;  // the samples that were used
  // The time that samples show: waiting time that was divided separately, and other time.
  SampledTime waiting;
  SampledTime other;
};

// Divides the time of each place in proportion to all samples at this place. A single visit of a
// place has too few samples. In this example, samples are 10 ns apart, and each visit takes 15 ns.
// A visit with only one sample would count as A. Of the samples of all visits, two of three show A.
//
//   visit  AAAAAAAAAABBBBB
//
// The waiting time and the other time of a place are divided separately if both times are long
// enough for samples, and both have samples. The samples of the waiting thread then divide the
// waiting time, and all other samples divide the other time.
//
// Places with too little time for enough samples are pooled:
// - Such places with the same PlaceTime::after form a pool.
// - Pools with too little time are joined to one pool for the whole thread.
//
// `in_scope` has the samples in the scope. `everywhere` has all samples of the thread, and is used
// only if the pool for the whole thread has too little time. `interval_ns` is the time between two
// samples, or 0 if there are no samples.
Division divide(const std::vector<PlaceTime>& places, const std::vector<PlaceSample>& in_scope,
                const std::vector<PlaceSample>& everywhere, Ns interval_ns);

}  // namespace lapscope::analyzer
