#include "analyzer/findings/error_band.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"

namespace lapscope::analyzer {

ErrorBand error_band(std::int64_t predicted_ns, const ReplayResult& replay) {
  const double ratio = 1 + replay.error;
  const double off = ratio > 0 ? std::max(ratio, 1 / ratio) : 1;
  const auto predicted = static_cast<double>(predicted_ns);
  const auto low = predicted / (1 + recorded_accuracy.worst_error) / off;
  const auto high = predicted / (1 - recorded_accuracy.worst_error) * off;
  // Of a run that hardly replays at all, the band ends somewhere.
  constexpr double most = 9e18;
  return {static_cast<std::int64_t>(std::floor(low)),
          static_cast<std::int64_t>(std::ceil(std::min(high, most)))};
}

}  // namespace lapscope::analyzer
