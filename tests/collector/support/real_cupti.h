#pragma once

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// Returns the toolkit's libcupti. The functions used here need no GPU. Skips the test if the
// library cannot be loaded.
const cupti::CuptiApi& real_cupti();

}  // namespace lapscope::test
