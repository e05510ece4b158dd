#include "analyzer/host_time/strata.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Times of places whose samples are pooled.
struct Stratum {
  std::map<std::uint32_t, std::int64_t> ns_before;  // by site
  std::map<std::uint32_t, std::int64_t> seen;       // ns by label
  Ns ns = 0;
  bool waits = false;  // has only the waiting time of a place
  double squares = 0;  // the sum of the squared ns of its samples

  void add(std::uint32_t after, Ns time) {
    ns_before[after] += time;
    ns += time;
  }
  void add(const PlaceSample& sample) {
    seen[sample.label] += sample.ns;
    squares += static_cast<double>(sample.ns) * static_cast<double>(sample.ns);
  }
};

constexpr std::uint32_t shared_by_all = 0;

class Dividing {
 public:
  Dividing(const std::vector<PlaceTime>& places, const std::vector<PlaceSample>& in_scope,
           Ns interval_ns)
      : interval_ns_(interval_ns), strata_(1) {
    std::set<std::pair<std::uint32_t, bool>> seen;  // place, waits
    for (const PlaceSample& sample : in_scope) seen.emplace(sample.place, sample.waits);
    std::map<std::uint32_t, Ns> left;  // by site
    for (const PlaceTime& place : places) {
      if (!is_enough(place.ns)) left[place.after] += place.ns;
    }
    std::map<std::uint32_t, std::uint32_t> of_site;
    for (const PlaceTime& place : places) {
      std::uint32_t stratum = shared_by_all;
      if (is_enough(place.ns)) {
        stratum = added();
      } else if (is_enough(left[place.after])) {
        const auto [known, is_new] = of_site.try_emplace(place.after, shared_by_all);
        if (is_new) known->second = added();
        stratum = known->second;
      } else {
        shared_ += place.ns;
      }
      Strata& of_place = of_place_[place.place];
      of_place = {stratum, stratum};
      const bool is_in_two = is_enough(place.waited_ns) && is_enough(place.ns - place.waited_ns) &&
                             seen.contains({place.place, true}) &&
                             seen.contains({place.place, false});
      if (is_in_two) {
        of_place.waiting = added();
        strata_[of_place.waiting].waits = true;
        strata_[of_place.waiting].add(place.after, place.waited_ns);
        strata_[stratum].add(place.after, place.ns - place.waited_ns);
      } else {
        strata_[stratum].add(place.after, place.ns);
      }
    }
  }

  void add_samples(const std::vector<PlaceSample>& in_scope,
                   const std::vector<PlaceSample>& everywhere, Division& division) {
    const auto add = [&](const PlaceSample& sample, bool is_of_shared) {
      const auto found = of_place_.find(sample.place);
      if (found == of_place_.end()) return;
      const std::uint32_t stratum = sample.waits ? found->second.waiting : found->second.other;
      if ((stratum == shared_by_all) != is_of_shared) return;
      strata_[stratum].add(sample);
      division.rests_on.push_back(sample);
    };
    for (const PlaceSample& sample : in_scope) add(sample, false);
    if (shared_ == 0) return;
    for (const PlaceSample& sample : is_enough(shared_) ? in_scope : everywhere) add(sample, true);
  }

  void divide(Division& division) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Portion> portions;
    const auto add = [&portions](std::uint32_t after, std::uint32_t label, Ns ns, bool waits) {
      Portion& portion = portions[{after, label}];
      portion = {after, label, portion.ns + ns, portion.waiting_ns + (waits ? ns : 0)};
    };
    // The sums of ns^2 / n over the strata. n is the effective number of samples of the stratum:
    // (sum of weights)^2 / (sum of squared weights). See Kish, Survey Sampling, 1965.
    double doubt_of_waiting = 0;
    double doubt_of_other = 0;
    for (const Stratum& stratum : strata_) {
      if (stratum.ns == 0) continue;
      std::int64_t seen = 0;
      for (const auto& [label, ns] : stratum.seen) seen += ns;
      for (const auto& [after, ns] : stratum.ns_before) {
        if (seen == 0) {
          add(after, no_index, ns, false);
          continue;
        }
        // Portions are differences of rounded running sums, so they add up to `ns` exactly.
        std::int64_t so_far = 0;
        std::int64_t given = 0;
        for (const auto& [label, of_label] : stratum.seen) {
          so_far += of_label;
          const Share share = static_cast<double>(so_far) / static_cast<double>(seen);
          const std::int64_t upto =
              so_far == seen ? ns : std::llround(static_cast<double>(ns) * share);
          if (upto > given) add(after, label, upto - given, stratum.waits);
          given = upto;
        }
      }
      if (seen == 0) continue;
      (stratum.waits ? division.waiting : division.other).ns += stratum.ns;
      const auto ns = static_cast<double>(stratum.ns);
      const auto sum = static_cast<double>(seen);
      (stratum.waits ? doubt_of_waiting : doubt_of_other) +=
          ns * ns * stratum.squares / (sum * sum);
    }
    for (const auto& [key, portion] : portions) division.portions.push_back(portion);
    const auto set_samples = [](SampledTime& time, double doubt) {
      const auto ns = static_cast<double>(time.ns);
      time.independent_samples = doubt > 0 ? ns * ns / doubt : 0;
    };
    set_samples(division.waiting, doubt_of_waiting);
    set_samples(division.other, doubt_of_other);
  }

 private:
  // Whether the time `ns` is long enough for assumed::enough_examples samples. Counts the samples
  // that are due in this time, because the number of samples that were taken depends on chance.
  bool is_enough(Ns ns) const {
    return interval_ns_ > 0 && ns / interval_ns_ >= assumed::enough_examples;
  }

  std::uint32_t added() {
    strata_.emplace_back();
    return static_cast<std::uint32_t>(strata_.size() - 1);
  }

  // `waiting` is the stratum for a place's time in which the thread waited, and `other` is the
  // stratum for the rest of the place's time. They are equal if the place is not divided.
  struct Strata {
    std::uint32_t waiting = shared_by_all;
    std::uint32_t other = shared_by_all;
  };

  Ns interval_ns_;
  Ns shared_ = 0;
  std::vector<Stratum> strata_;
  std::map<std::uint32_t, Strata> of_place_;
};

}  // namespace

Division divide(const std::vector<PlaceTime>& places, const std::vector<PlaceSample>& in_scope,
                const std::vector<PlaceSample>& everywhere, Ns interval_ns) {
  Division division;
  Dividing dividing(places, in_scope, interval_ns);
  dividing.add_samples(in_scope, everywhere, division);
  dividing.divide(division);
  return division;
}

}  // namespace lapscope::analyzer
