#include "tests/reports/gate/support/xml.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lapscope::test {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view rest) : rest_(rest) {}

  XmlElement document() {
    take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    skip_spaces();
    XmlElement root = element();
    skip_spaces();
    require(rest_.empty(), "something follows the root");
    return root;
  }

 private:
  static void require(bool holds, const std::string& complaint) {
    if (!holds) throw std::runtime_error(complaint);
  }
  bool next_is(std::string_view text) const { return rest_.starts_with(text); }
  void take(std::string_view text) {
    require(next_is(text), "missing " + std::string(text));
    rest_.remove_prefix(text.size());
  }
  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
  }
  std::string name() {
    const auto length = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
    require(length > 0 && length != std::string_view::npos, "missing name");
    const std::string taken(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return taken;
  }
  char character() {
    require(!rest_.empty(), "cut short");
    const char c = rest_.front();
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "control character");
    require(c != '<', "bare <");
    require(!next_is("\xEF\xBF\xBE") && !next_is("\xEF\xBF\xBF"), "no character of XML");
    if (c == '&') {
      for (const auto& [reference, stands_for] : {std::pair<std::string_view, char>{"&amp;", '&'},
                                                  {"&lt;", '<'},
                                                  {"&gt;", '>'},
                                                  {"&quot;", '"'}}) {
        if (!next_is(reference)) continue;
        rest_.remove_prefix(reference.size());
        return stands_for;
      }
      require(false, "bare &");
    }
    rest_.remove_prefix(1);
    return c;
  }
  XmlElement element() {
    take("<");
    XmlElement element;
    element.name = name();
    for (skip_spaces(); !next_is(">") && !next_is("/>"); skip_spaces()) {
      const std::string attribute = name();
      take("=\"");
      std::string value;
      while (!next_is("\"")) value += character();
      take("\"");
      require(element.attributes.emplace(attribute, value).second, attribute + " twice");
    }
    if (next_is("/>")) {
      take("/>");
      return element;
    }
    take(">");
    while (!next_is("</")) {
      if (next_is("<")) {
        element.children.push_back(this->element());
      } else {
        element.text += character();
      }
    }
    take("</" + element.name + ">");
    return element;
  }

  std::string_view rest_;
};

}  // namespace

XmlElement parse_xml(std::string_view document) { return Parser(document).document(); }

}  // namespace lapscope::test
