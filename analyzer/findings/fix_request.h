#pragma once

#include <functional>
#include <string>

#include "analyzer/explain/code_place.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {

// A fix to predict for, or an engine to make faster.
struct FixRequest {
  const Fix* fix = nullptr;  // or, when null, `engine` scaled by `value`
  Engine engine = Engine::compute;
  double value = 0;  // see Fix::takes_number; 0 when none was given
  // Makes it only at places that this pattern means (see is_at); everywhere when empty.
  std::string site = {};
  std::function<bool(const CodePlace&)> is_at = {};
  // Makes it only where these show that the data allow it (see Fix::where_independent); everywhere
  // when null.
  const Independence* independence = nullptr;
};

}  // namespace lapscope::analyzer
