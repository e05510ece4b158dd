#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> table_topics() {
  return {
      {"States",
       "The scope split by the engines that are active. The rows fill the scope.",
       {{"Idle for 1 before F, and for 1 after C.",
         "H AAAA......\n"
         "K ..BBBB..E.\n"
         "D ....CC...F",
         {{"states", "idle 2, compute 1, h2d 2, compute+h2d 2, d2h 1, compute+d2h 2"}}}}},
      {"Engines",
       "The union of the ops on each.",
       {{"Three streams on two engines.",
         "H AABB....\n"
         "K ..CCCC..\n"
         "K ...DDDDD",
         {{"engine compute", "busy 6, ops 2"}, {"engine h2d", "busy 4, ops 2"}}}}},
      {"Streams",
       "|∪a ∩ ∪b| of each pair of the 16 busiest streams, and of each stream how long it "
       "overlapped "
       "with itself.",
       {{"Three streams.",
         "K AAAA....\n"
         "K ..BBBB..\n"
         "K ...CCCCC",
         {{"streams 1 x 2", "2"}, {"streams 1 x 3", "1"}, {"streams 2 x 3", "3"}}}}},
      {"Classes",
       "The same for engines, of which communication is one.",
       {{"A copy beside compute, and communication beside both.",
         "H AAAA..\n"
         "K ..BBBB\n"
         "N .....C",
         {{"classes compute x h2d", "2"},
          {"classes compute x comm", "1"},
          {"classes h2d x comm", "none"}}}}},
  };
}

}  // namespace lapscope::test
