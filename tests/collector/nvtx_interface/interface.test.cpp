#include "collector/nvtx_interface/interface.h"

#include "tests/catch.h"

namespace lapscope::nvtx {
namespace {

TEST_CASE("wide texts become UTF-8", "[nvtx]") {
  CHECK(utf8(L"step 1") == "step 1");
  CHECK(utf8(L"\u00e9") == "\xc3\xa9");
  CHECK(utf8(L"\u20ac") == "\xe2\x82\xac");
  CHECK(utf8(L"\U0001F680") == "\xf0\x9f\x9a\x80");
  const wchar_t none[] = {static_cast<wchar_t>(0xD800), static_cast<wchar_t>(0x110000), L'x', 0};
  CHECK(utf8(none) == "??x");
}

TEST_CASE("no text is an empty one", "[nvtx]") {
  CHECK(utf8(static_cast<const char*>(nullptr)).empty());
  CHECK(utf8(static_cast<const wchar_t*>(nullptr)).empty());
}

}  // namespace
}  // namespace lapscope::nvtx
