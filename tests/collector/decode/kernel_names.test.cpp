#include "collector/decode/kernel_names.h"

#include "tests/catch.h"
#include "tests/collector/support/rows.h"

namespace lapscope::decode {
namespace {

TEST_CASE("mangled symbols are demangled", "[decode]") {
  CHECK(demangle("_Z6kernelPi") == "kernel(int*)");
  CHECK(demangle("_ZN12_GLOBAL__N_14stepEPfi") == "(anonymous namespace)::step(float*, int)");
}

TEST_CASE("symbols that are not mangled stay as they are", "[decode]") {
  CHECK(demangle("triton_add_kernel_0d1d2d") == "triton_add_kernel_0d1d2d");
  CHECK(demangle("_Znonsense") == "_Znonsense");
  CHECK(demangle("") == "");
}

// In mangled names, these letters would be types: f is float, and St is std.
TEST_CASE("short C names are not taken for types", "[decode]") {
  for (const char* name : {"f", "i", "v", "x", "St", "Pi", "a1_f"}) CHECK(demangle(name) == name);
}

TEST_CASE("a kernel's three names are stored once", "[decode]") {
  trace::TraceWriter trace(schema::Database::in_memory());
  KernelNames names(trace);
  const auto first = names.ids("_ZN2ns4scanIiEEvPiS1_i");
  CHECK(first.mangled != first.demangled);
  CHECK(first.brief != first.demangled);
  const std::string copy = "_ZN2ns4scanIiEEvPiS1_i";
  const auto second = names.ids(copy.c_str());
  CHECK(second.mangled == first.mangled);
  CHECK(second.demangled == first.demangled);
  CHECK(second.brief == first.brief);
  const auto other_instance = names.ids("_ZN2ns4scanIfEEvPfS1_i");
  CHECK(other_instance.demangled != first.demangled);
  CHECK(other_instance.brief == first.brief);
  CHECK(test::all_rows<schema::StringRow>(trace.database()).size() == 5);
}

// After a module is unloaded, CUPTI may reuse the memory of its names.
TEST_CASE("a new name at an old address is a new name", "[decode]") {
  trace::TraceWriter trace(schema::Database::in_memory());
  KernelNames names(trace);
  std::string text = "first";
  const auto first = names.ids(text.c_str());
  text = "other";
  CHECK(names.ids(text.c_str()).mangled != first.mangled);
}

TEST_CASE("a kernel without a name gets one", "[decode]") {
  trace::TraceWriter trace(schema::Database::in_memory());
  KernelNames names(trace);
  const auto ids = names.ids(nullptr);
  CHECK(ids.mangled == ids.brief);
  CHECK(test::all_rows<schema::StringRow>(trace.database()).at(0).value == "(unnamed kernel)");
}

}  // namespace
}  // namespace lapscope::decode
