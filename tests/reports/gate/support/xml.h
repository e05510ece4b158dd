#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::test {

// An element of a document. The parser supports only features of XML 1.0 that test reports need.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  // references are resolved
  std::vector<XmlElement> children;
  std::string text;
};

// Returns the root of a document. If the document is not well-formed, throws std::runtime_error
// with the reason: a mismatched tag, a repeated attribute, a bare & or <, or a character that XML
// does not have.
XmlElement parse_xml(std::string_view document);

}  // namespace lapscope::test
