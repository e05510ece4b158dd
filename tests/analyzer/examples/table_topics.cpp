#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> table_topics() {
  return {
      {"States",
       "Each row has a set of engines, and the time in which exactly these engines are active. The "
       "times of all rows sum to the wall time.",
       {{"The device is idle for 2 ns, before E.",
         "H AAAA......\n"
         "K ..BBBB..E.\n"
         "D ....CC...F",
         {{"states", "idle 2, compute 1, h2d 2, compute+h2d 2, d2h 1, compute+d2h 2"}}}}},
      {"Engines",
       "Each row shows the time in which an engine runs at least one op, and the number of its "
       "ops.",
       {{"Three streams use two engines.",
         "H AABB....\n"
         "K ..CCCC..\n"
         "K ...DDDDD",
         {{"engine compute", "busy 6, ops 2"}, {"engine h2d", "busy 4, ops 2"}}}}},
      {"Streams",
       "For each pair of streams a and b, the table shows the time in which both run ops: |∪a ∩ "
       "∪b|. Only pairs of the 16 busiest streams are shown. For each stream, the table also shows "
       "the time in which ops of this stream overlap with each other.",
       {{"Each pair of the three streams overlaps.",
         "K AAAA....\n"
         "K ..BBBB..\n"
         "K ...CCCCC",
         {{"streams 1 x 2", "2"}, {"streams 1 x 3", "1"}, {"streams 2 x 3", "3"}}}}},
      {"Classes",
       "For each pair of engines, the table shows the time in which both are active. Communication "
       "counts as an engine of its own.",
       {{"The copy A overlaps with B for 2 ns. The communication kernel C overlaps with B for 1 "
         "ns, and does not overlap with A.",
         "H AAAA..\n"
         "K ..BBBB\n"
         "N .....C",
         {{"classes compute x h2d", "2"},
          {"classes compute x comm", "1"},
          {"classes h2d x comm", "none"}}}}},
  };
}

}  // namespace lapscope::test
