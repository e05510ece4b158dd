#include "reports/html/page_shell.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "reports/html/html_markup.h"

namespace lapscope::reports {
namespace {

// Returns the FNV-1a hash of the page's content as a nonce. The content security policy permits
// only scripts and styles with this nonce. A name in a trace cannot contain the right nonce: any
// change of the name changes the hash.
std::string nonce_of(const std::vector<std::string>& parts) {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::string& part : parts) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

void write_page(std::string_view title, const std::vector<std::string>& parts,
                std::string_view tool_version, std::ostream& out) {
  const std::string nonce = nonce_of(parts);
  fmt::print(out,
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "script-src 'nonce-{0}'; style-src 'nonce-{0}'; base-uri 'none'; "
             "form-action 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<title>{1} · lapscope</title>\n<style nonce=\"{0}\">{2}</style>\n</head>\n<body>\n",
             nonce, html_text(title), page_style);
  for (const std::string& part : parts) out << part;
  fmt::print(out, "<footer><p class=\"faint\">lapscope {}</p></footer>\n", html_text(tool_version));
  fmt::print(out, "<script nonce=\"{}\">{}</script>\n</body>\n</html>\n", nonce, page_script);
}

}  // namespace lapscope::reports
