#pragma once

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// The toolkit's own libcupti, of which the parts used here need no GPU. Where it cannot be loaded,
// the test is skipped.
const cupti::CuptiApi& real_cupti();

}  // namespace lapscope::test
