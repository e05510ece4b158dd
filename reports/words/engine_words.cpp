#include "reports/words/engine_words.h"

namespace lapscope::reports {

using analyzer::Engine;

std::string_view word_of(Engine engine) {
  switch (engine) {
    case Engine::compute:
      return "compute";
    case Engine::h2d:
      return "copy to device";
    case Engine::d2h:
      return "copy to host";
    case Engine::other_copy:
      return "other copies";
  }
  return "";
}

std::string words_of(const analyzer::StateTime& state) {
  std::string words;
  for (const Engine engine : analyzer::all_engines) {
    if (!state.has(engine)) continue;
    if (!words.empty()) words += " + ";
    words += word_of(engine);
  }
  if (words.empty()) return state.is_other_work ? "other work" : "idle";
  return words;
}

std::string_view word_of_code(std::string_view code) {
  for (const Engine engine : analyzer::all_engines) {
    if (code == name_of(engine)) return word_of(engine);
  }
  return code;
}

}  // namespace lapscope::reports
