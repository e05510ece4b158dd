#include "cli/fix_argument.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "analyzer/model/name_pattern.h"
#include "reports/words/call_sites.h"

namespace lapscope::cli {
namespace {

using analyzer::Fix;
using analyzer::FixRequest;

std::optional<double> number_in(const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !(least <= value && value <= most)) return std::nullopt;
  return value;
}

const Fix& fix_of_code(const std::string& code) {
  const auto cause = analyzer::cause_of_code(code);
  const Fix* fix = cause ? analyzer::fix_for(*cause) : nullptr;
  if (fix != nullptr) return *fix;
  std::vector<std::string_view> known;
  for (const Fix* one : analyzer::fixes()) known.push_back(code_of(one->cause));
  known.emplace_back("scale:ENGINE=FACTOR");
  throw std::invalid_argument("'" + code + (cause ? "' is a cause without a fix" : "' is no fix") +
                              analyzer::suggestion(cause ? "" : code, known));
}

}  // namespace

FixRequest parse_scale(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto value =
      equals == std::string::npos ? std::nullopt : number_in(text.substr(equals + 1), 1e-3, 1e6);
  const auto engine =
      std::find_if(analyzer::all_engines.begin(), analyzer::all_engines.end(),
                   [&](analyzer::Engine e) { return analyzer::name_of(e) == name; });
  if (!value || engine == analyzer::all_engines.end()) {
    throw std::invalid_argument("'scale:" + text +
                                "' is no scale. Give an engine (compute, h2d, d2h, other) and its "
                                "speed-up, 0.001 to 1000000, as in scale:h2d=2.");
  }
  return {nullptr, *engine, *value};
}

FixRequest parse_fix(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string code = text.substr(0, colon);
  if (code == "scale" && colon != std::string::npos) return parse_scale(text.substr(colon + 1));
  const Fix& fix = fix_of_code(code);
  FixRequest request{&fix};
  constexpr std::string_view site = "site=";
  if (colon != std::string::npos && text.compare(colon + 1, site.size(), site) == 0) {
    request.site = text.substr(colon + 1 + site.size());
    request.is_at = [pattern = request.site](const analyzer::CodePlace& place) {
      return reports::is_meant(place, pattern);
    };
    if (request.site.empty()) {
      throw std::invalid_argument("'" + text +
                                  "' names no call site. They are listed with the findings "
                                  "of lapscope analyze FILE -v; * matches any characters.");
    }
  } else if (colon != std::string::npos) {
    const auto value = number_in(text.substr(colon + 1), 1, 1e6);
    if (!value || *value != std::floor(*value) || !fix.takes_number) {
      throw std::invalid_argument("'" + text + "' has a value that " + code +
                                  (!fix.takes_number
                                       ? " does not take."
                                       : " cannot use: give a whole number from 1 to 1000000."));
    }
    request.value = *value;
  }
  return request;
}

std::vector<FixRequest> parse_fixes(const std::string& text) {
  std::vector<FixRequest> requests;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma < text.find(':'); comma = text.find(',', begin)) {
    requests.push_back(parse_fix(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  requests.push_back(parse_fix(text.substr(begin)));
  return requests;
}

std::string sentence_of(const analyzer::NothingAtSite& error) {
  return "'" + std::string(code_of(error.request.fix->cause)) +
         "' changes nothing at a call site that fits '" + error.request.site +
         "'. The call sites of a finding are listed by lapscope analyze FILE -v.";
}

}  // namespace lapscope::cli
