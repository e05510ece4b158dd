#pragma once

#include <string>

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// The toolkit's own libcupti, of which the parts used here need no GPU. Null where it cannot be
// loaded: the test then ends with SKIP_BECAUSE(why_no_cupti()).
const cupti::CuptiApi* real_cupti();
const std::string& why_no_cupti();

}  // namespace lapscope::test
