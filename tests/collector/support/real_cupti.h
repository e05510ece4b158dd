#pragma once

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// Returns the toolkit's libcupti. Skips the test if it cannot be loaded. Tests use only functions
// that need no GPU.
const cupti::CuptiApi& real_cupti();

}  // namespace lapscope::test
