#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"

// How far a prediction may be from the truth. The values come from the errors for comparable
// recorded programs, which were not used to make the model.
namespace lapscope::analyzer {

// What a fix changes.
// - host: how the host waits and makes calls.
// - device: what the device does with work that was issued already.
// - work: what the host does between calls. The prediction assumes that this work takes no time. So
//   the real saving is at most the predicted saving.
enum class FixClass : std::uint8_t { host, device, work };

constexpr FixClass class_of(Cause cause) {
  if (cause == Cause::host_compute) return FixClass::work;
  return is_of_host(cause) ? FixClass::host : FixClass::device;
}
constexpr std::string_view name_of(FixClass fixes) {
  return fixes == FixClass::device ? "device" : "host";
}

// Groups of comparable predictions, from the narrowest group to the group of all predictions.
enum class PredictionKind : std::uint8_t {
  fix,        // of one fix that saves enough for a finding (assumed::least_saving)
  fix_class,  // of fixes of one class that save enough for a finding
  estimate,   // of all fixes that save enough, except FixClass::work
  saving,     // of all fixes that save enough
  any
};

// How far the measured times of recorded programs with a fix are from the predicted times.
struct Residuals {
  PredictionKind kind = PredictionKind::any;
  std::string_view fix;             // its code, for PredictionKind::fix
  FixClass fixes = FixClass::host;  // for PredictionKind::fix_class
  int programs = 0;
  int pairs = 0;            // recorded pairs of these programs; some programs have several
  double median_error = 0;  // of |predicted / measured - 1|, with the nearer end as predicted
  double low = 1;           // 19 of 20 programs took at least this times the shorter end
  double high = 1;          // 19 of 20 programs took at most this times the longer end
};

// How often a band contains the measured time of a recorded program. The band of each program was
// made from all other programs.
struct HeldOut {
  int programs = 0;
  // The share of the programs whose measured time was within the band. For a program with k
  // recorded pairs, each pair counts as 1 / k program.
  Share covered = 0;
};

// The limits of the time that a program with a fix takes, in ns. The measured times of nine of ten
// comparable programs were within them.
struct ErrorBand {
  Ns low_ns = 0;
  Ns high_ns = 0;
  FixClass fixes = FixClass::host;
  Residuals like;                // the residuals that the band rests on
  bool is_of_other_gpu = false;  // a wider band: none of these programs ran on such a GPU
  HeldOut held_out;
};

// Predictions for which no recorded program can be evidence.
enum class NotValidated : std::uint8_t {
  faster_engine,  // a faster engine: no program has one
  one_site,       // a fix at one call site: no program was recorded with only that
};

// How sure it is that a fix saves something.
enum class Certainty : std::uint8_t {
  measured,     // the whole band is below the wall time of the unchanged run
  upper_bound,  // the prediction is a limit (FixClass::work)
  unknown,      // neither of these
};

struct Validity {
  std::optional<ErrorBand> band = std::nullopt;
  NotValidated not_for = NotValidated::faster_engine;  // why there is no band
  Certainty certainty = Certainty::unknown;
};

}  // namespace lapscope::analyzer
