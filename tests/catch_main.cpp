#define CATCH_CONFIG_RUNNER  // for Catch2 2; version 3 ignores it
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <iostream>

#include "tests/catch.h"

namespace {

int skipped = 0;
int ended = 0;

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

struct CountCases : Listener {
  using Listener::Listener;
  void testCaseEnded(const Catch::TestCaseStats&) override { ++ended; }
};
CATCH_REGISTER_LISTENER(CountCases)

}  // namespace

void lapscope::test::skip_because(const std::string& reason) {
  ++skipped;
  std::cerr << "lapscope-skip: " << Catch::getResultCapture().getCurrentTestName() << ": " << reason
            << '\n';
  throw Catch::TestFailureException();  // ends the test case without counting as a failure
}

// Status 77 tells CTest that no test could run.
int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  return status == 0 && skipped > 0 && skipped == ended ? 77 : status;
}
