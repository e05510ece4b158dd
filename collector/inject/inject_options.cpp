#include "collector/inject/inject_options.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "collector/environment.h"
#include "collector/inject/process_facts.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {

Options options_from_environment() {
  Options options;
  const char* output = std::getenv(environment::output);
  options.rank = environment::rank().value_or("");
  options.world_size = environment::world_size().value_or("");
  options.output =
      trace::fill_in(output && *output ? output : "lapscope.sqlite",
                     {static_cast<std::uint32_t>(::getpid()),
                      options.rank.empty() ? trace::no_rank : options.rank, trace::host_name()});
  if (const char* note = std::getenv(environment::note)) options.note = note;
  if (const char* session = std::getenv(environment::session)) options.session = session;
  if (const char* cupti = std::getenv(environment::cupti); cupti && *cupti) options.cupti = cupti;
  if (const char* request = std::getenv(environment::request)) {
    options.request = request::Request::from_text(request);
  }
  if (const char* capture = std::getenv(environment::capture)) {
    options.request.capture = request::Capture::from_text(capture);
  }
  const bool is_armed = options.request.capture.is_armed();
  if (!is_armed) options.output = trace::plain(options.output);
  const char* control = std::getenv(environment::control);
  if (is_armed && control) options.control = control;
  if (const char* period = std::getenv(environment::flush_period)) {
    const std::string_view text(period);
    int milliseconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    if (error == std::errc{} && end == text.data() + text.size() && milliseconds > 0) {
      options.flush_period = std::chrono::milliseconds(milliseconds);
    }
  }
  options.environment = stored_environment();
  return options;
}

}  // namespace lapscope::inject
