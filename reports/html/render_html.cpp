#include "reports/html/render_html.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <string>
#include <vector>

#include "reports/html/encode_timeline.h"
#include "reports/html/escape.h"
#include "reports/html/page_assets.h"
#include "reports/html/payload.h"
#include "reports/html/sections.h"

namespace lapscope::reports {
namespace {

using analyzer::Report;

// FNV-1a of all that is in the page. The content security policy lets scripts and styles with this
// nonce run and no others; a name in a trace cannot hold it, as it would change it.
std::string nonce_of(const std::vector<std::string>& parts) {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::string& part : parts) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

// What a script makes of this is up to page/timeline.js; without scripts there is the note.
std::string timeline_section(const std::string& data, std::size_t number) {
  return fmt::format(
      "<section class=\"timeline\" data-report=\"{}\" aria-label=\"timeline\">\n"
      "<noscript><p>The timeline needs JavaScript; all figures are in the tables of this "
      "page.</p></noscript>\n"
      "<script type=\"application/octet-stream\" class=\"data\">{}</script>\n</section>\n",
      number, data);
}

std::string body_of(const Report& report, std::size_t number, const std::string& data) {
  std::string text = "<article>" + header_section(report);
  const std::int64_t origin = report.timeline ? report.timeline->extent.start : 0;
  const bool draws = report.timeline && report.timeline->ops() > 0;
  std::size_t finding = 0;
  for (const auto& device : report.devices) {
    text += device_section(device, number, finding);
    if (device.scope.causes) finding += device.scope.causes->findings.size();
  }
  if (draws) text += timeline_section(data, number);
  for (const auto& device : report.devices) text += tables_section(device, number, origin);
  return text + trust_section(report) + "</article>\n";
}

}  // namespace

void render_html(std::span<const Report> reports, std::ostream& out) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string data =
        reports[i].timeline ? base64(deflated(encode_timeline(reports[i]))) : "";
    parts.push_back(body_of(reports[i], i, data));
  }
  const std::string nonce = nonce_of(parts);
  const std::string title = reports.empty() ? "" : html_text(reports.front().trace.file);
  fmt::print(out,
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "script-src 'nonce-{0}'; style-src 'nonce-{0}'; base-uri 'none'; "
             "form-action 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<title>{1} · lapscope</title>\n<style nonce=\"{0}\">{2}</style>\n</head>\n<body>\n",
             nonce, title, page_style);
  for (const std::string& part : parts) out << part;
  fmt::print(out, "<footer><p class=\"faint\">lapscope {}</p></footer>\n",
             reports.empty() ? "" : reports.front().tool_version);
  fmt::print(out, "<script nonce=\"{}\">{}</script>\n</body>\n</html>\n", nonce, page_script);
}

}  // namespace lapscope::reports
