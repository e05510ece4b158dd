#pragma once

#include <string_view>

#include "collector/callbacks/events.h"
#include "collector/decode/decode_context.h"

namespace lapscope::decode {

// How the events of a source are called in LAPSCOPE_RECORDS.
std::string_view name_of(callbacks::Source source);

// Turns what one callback told into a row. False when it lies outside the captured stretch.
bool decode_event(const callbacks::Event& event, DecodeContext& context);

}  // namespace lapscope::decode
