#pragma once

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// Returns the toolkit's libcupti, or skips the test. Tests use only functions that need no GPU.
const cupti::CuptiApi& real_cupti();

}  // namespace lapscope::test
