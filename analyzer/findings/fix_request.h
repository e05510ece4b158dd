#pragma once

#include <functional>
#include <string>

#include "analyzer/explain/code_place.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {

// A fix, or a faster engine, whose effect is to be predicted.
struct FixRequest {
  const Fix* fix = nullptr;  // if null, `engine` is made `value` times faster
  Engine engine = Engine::compute;
  double value = 0;  // see Fix::takes_number; 0 when none was given
  // Make the fix only at places that match this pattern (see is_at); if it is empty, everywhere.
  std::string site = {};
  std::function<bool(const CodePlace&)> is_at = {};
  // Make the fix only where the data allow it (Fix::where_independent). If null, everywhere.
  const Independence* independence = nullptr;
};

}  // namespace lapscope::analyzer
