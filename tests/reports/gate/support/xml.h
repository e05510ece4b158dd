#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::test {

// An element of a document: what of XML 1.0 a report of tests is made of.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  // references resolved
  std::vector<XmlElement> children;
  std::string text;
};

// The root of a well-formed document. Throws std::runtime_error with what is wrong: a tag that does
// not match, an attribute given twice, a bare & or <, a character that XML does not have.
XmlElement parse_xml(std::string_view document);

}  // namespace lapscope::test
