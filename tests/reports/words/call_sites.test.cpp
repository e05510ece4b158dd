#include "reports/words/call_sites.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::CallSite;
using analyzer::CodeOwner;
using analyzer::StackFrame;

const StackFrame of_cuda = {"cudaDeviceSynchronize", "/opt/cuda/libcudart.so.13", "", 0, false,
                            CodeOwner::runtime};
const StackFrame of_libc = {"__libc_start_main", "/lib/libc.so.6", "", 0, false,
                            CodeOwner::runtime};

CallSite site_of(const std::vector<StackFrame>& stack) {
  CallSite site;
  site.what = {analyzer::Doing::Kind::call, "cudaDeviceSynchronize"};
  site.stack = stack;
  return site;
}

TEST_CASE("a call site is the innermost frame that is the user's own, and its callers") {
  CHECK(where_of(site_of({of_cuda,
                          {"tiles::process_tile(float*, int)", "app", "src/pipeline.cu", 120},
                          {"main", "app", "src/main.cu", 14},
                          of_libc})) == "pipeline.cu:120 in tiles::process_tile ← main");
  CHECK(where_of(site_of({of_cuda, {"main", "app", "/home/me/a.cu", 3}})) == "a.cu:3 in main");
  CHECK(where_of(site_of({})) == "");
  CHECK(where_of(site_of({of_cuda, of_libc})) == "");
}

TEST_CASE("of many callers the nearest and the outermost are told") {
  std::vector<StackFrame> stack = {of_cuda, {"a()", "app", "a.cu", 1}};
  for (const char* caller : {"b()", "c()", "d()", "main"}) stack.push_back({caller, "app", "", 0});
  CHECK(where_of(site_of(stack)) == "a.cu:1 in a ← b ← … ← main");
  stack[2] = {"b()", "app", "/home/me/b.cu", 2};
  CallSite one_of_two = site_of(stack);
  one_of_two.caller = "/home/me/b.cu:2";
  CHECK(where_of(one_of_two) == "a.cu:1 in a ← b.cu:2 in b ← … ← main");
  one_of_two.stack.insert(one_of_two.stack.begin() + 2, {"a()", "app", "a.cu", 1});
  CHECK(where_of(one_of_two) == "a.cu:1 in a ← a ← b.cu:2 in b ← … ← main");
}

TEST_CASE("without lines a call site is a function and its module") {
  CHECK(where_of(site_of(
            {of_cuda, {"process_tile", "/home/me/app", "", 0}, {"main", "/home/me/app", "", 0}})) ==
        "process_tile (app) ← main");
  CHECK(where_of(site_of({of_cuda, {"app+0x12ab", "/home/me/app", "", 0}})) == "app+0x12ab");
  CHECK(where_of(site_of({of_cuda, {"", "/home/me/app", "", 0}})) == "app");
}

TEST_CASE("a call site without a name says what to do, by why it has none") {
  using analyzer::CodeNames;
  analyzer::FindingResult finding;
  CHECK(nameless_sentence(finding).empty());
  analyzer::CallSite& site = finding.sites.emplace_back();
  CHECK(nameless_sentence(finding).empty());
  site.nameless = {"app", {"0123456789abcdef", CodeNames::none}};
  CHECK(nameless_sentence(finding) ==
        "app (build id 0123456789ab) has no names here: build it with -g, or lapscope symbolize "
        "TRACE --symbols FILE.");
  site.nameless->owner = analyzer::CodeOwner::library;
  site.nameless->code.build_id.clear();
  CHECK(nameless_sentence(finding) ==
        "app has no names here: lapscope symbolize TRACE --symbols FILE.");
  site.nameless->code.names = CodeNames::missing;
  CHECK(nameless_sentence(finding) ==
        "app was gone when names were looked for: lapscope symbolize TRACE --symbols FILE.");
  site.nameless->code.names = CodeNames::changed;
  CHECK(nameless_sentence(finding) == "app was built anew after the run: record again.");
}

TEST_CASE("Python frames are told as those of C++ are") {
  const StackFrame torch = {"backward", "[python]", "/v/site-packages/torch/_tensor.py",
                            521,        false,      CodeOwner::runtime};
  CHECK(where_of(site_of({of_cuda,
                          torch,
                          {"Trainer.<locals>.step", "[python]", "train.py", 30},
                          {"<module>", "[python]", "train.py", 44}})) ==
        "train.py:30 in Trainer.<locals>.step ← <module>");
}

TEST_CASE("an operator of PyTorch's, which is in no file, is told as one") {
  const auto operation = [](const char* name) {
    return StackFrame{name, "[operator]", "", 0, false, CodeOwner::library};
  };
  const auto site = site_of({operation("aten::copy_"), operation("aten::to")});
  CHECK(where_of(site) == "operator aten::copy_ ← aten::to");
  CHECK(label_of(site) == "cudaDeviceSynchronize at operator aten::copy_ ← aten::to");
  CHECK(frame_words(operation("aten::copy_")) == "operator aten::copy_");
}

TEST_CASE("a program that is a library has that library's frames") {
  const StackFrame library = {"Model.run", "[python]", "/v/site-packages/model/run.py",
                              7,           false,      CodeOwner::library};
  CHECK(where_of(site_of({of_cuda, library, of_libc})) == "run.py:7 in Model.run");
}

TEST_CASE("a name cannot move a terminal's cursor") {
  CHECK(where_of(site_of({{"f\x1b[2J", "app", "a\n.cu", 3}})) == "a?.cu:3 in f?");
}

}  // namespace
}  // namespace lapscope::reports
