#include <iostream>

#include "collector/schema/reference_page.h"

int main() { std::cout << lapscope::schema::reference_page(); }
