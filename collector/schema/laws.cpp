#include "collector/schema/laws.h"

#include <array>

namespace lapscope::schema {

std::span<const LawText> law_texts() {
  static constexpr std::array texts = {
#define LAPSCOPE_LAW_TEXT(name, code, says) LawText{code, says},
      LAPSCOPE_LAWS(LAPSCOPE_LAW_TEXT)
#undef LAPSCOPE_LAW_TEXT
  };
  return texts;
}

}  // namespace lapscope::schema
