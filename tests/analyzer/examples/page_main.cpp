#include <iostream>

#include "tests/analyzer/examples/page.h"

// Writes docs/measures.md to standard output.
int main() { std::cout << lapscope::test::measures_page(); }
