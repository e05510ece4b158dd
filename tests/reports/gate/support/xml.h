#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::test {

// An element of an XML document. The parser knows only what test reports need.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  // references are resolved
  std::vector<XmlElement> children;
  std::string text;
};

// Returns the root of a document. Throws std::runtime_error on mismatched tags, repeated
// attributes, a bare & or <, and characters that XML does not allow.
XmlElement parse_xml(std::string_view document);

}  // namespace lapscope::test
