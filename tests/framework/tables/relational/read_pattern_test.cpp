// Patterns of vertices and edges, and the joins that they are.
#include "framework/tables/relational/read_pattern.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orujo::internal::relational {
namespace {

// "table AS alias (columns) USING (columns)", with / between the joins; or the mistake.
std::string joins_of(std::string_view pattern) {
  const auto listed = [](const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return "(" + all + ")";
  };
  std::string told;
  try {
    for (const source& edge : read_pattern(pattern, 7)) {
      EXPECT_EQ(edge.at, 7u);
      EXPECT_EQ(edge.join, join_kind::inner);
      told += (told.empty() ? "" : " / ") + edge.table + " AS " + edge.alias + " " + listed(edge.columns);
      if (!edge.using_columns.empty()) told += " USING " + listed(edge.using_columns);
    }
  } catch (const query_error& wrong) {
    EXPECT_EQ(wrong.at, 7u);
    return wrong.what;
  }
  return told;
}

TEST(patterns, are_joins_on_their_vertices) {
  EXPECT_EQ(joins_of("(a)-[e:t]->(b)"), "t AS e (a, b)");
  EXPECT_EQ(joins_of("(a)<-[e:t]-(b)"), "t AS e (b, a)");
  EXPECT_EQ(joins_of("(a)-[x:t]->(b)-[y:u]->(c)-[z:t]->(a)"),
            "t AS x (a, b) / u AS y (b, c) USING (b) / t AS z (c, a) USING (c, a)");
  EXPECT_EQ(joins_of("(a)-[x:t]->(b), (c)<-[y:t]-(b)"), "t AS x (a, b) / t AS y (b, c) USING (b)");
  EXPECT_EQ(joins_of(" ( Ä_1 )\n- [] ->(b)"),
            "the pattern has '- [] ->(b)' where an edge, -[table]-> or <-[table]- is expected; an example is "
            "match('(a)-[follows]->(b)<-[follows]-(c)')");
  EXPECT_EQ(joins_of(" ( ä_1 )\n-[ ]->( B )"), "edges AS edge 1 of the pattern (ä_1, b)");
  EXPECT_EQ(joins_of("()-[]->(b)<-[t]-()"),
            "edges AS edge 1 of the pattern (vertex 1 of the pattern, b) / t AS edge 2 of the pattern "
            "(vertex 2 of the pattern, b) USING (b)");
}

TEST(patterns, have_mistakes_that_are_named) {
  for (const auto& [pattern, says] :
       {std::pair{"", "its end where a vertex, (name) or () is expected"},
        {"a->b", "'a->b' where a vertex"},
        {"(a b)-[]->(c)", "'b)-[]->(c)' where ')' is expected"},
        {"(a)", "its end where an edge, -[table]-> or <-[table]- is expected"},
        {"(a),(b)", "',(b)' where an edge"},
        {"(a)-[]->", "its end where a vertex"},
        {"(a)-[]->(b),", "its end where a vertex"},
        {"(a)-[]->(b) c", "'c' where an edge"},
        {"(a)-[t u]->(b)", "'u]->(b)' where ]-> is expected"},
        {"(a)<-[]->(b)", "'>(b)' where a vertex"},
        {"(a)<-[] (b)", "'] (b)' where ]- is expected"},
        {"(a)-[]-(b)", "']-(b)' where ]-> is expected"},
        {"(a)-[:t]->(b)", "where a name and a table, as in [name:table] is expected"},
        {"(a)-[x:]->(b)", "where a name and a table"},
        {"(a)-[]->(a)", "an edge from 'a' to itself in a pattern; write edges AS t"},
        {"(a)-[]->(b),(c)-[]->(d)", "the pattern falls into two at 'c'"}}) {
    EXPECT_NE(joins_of(pattern).find(says), std::string::npos) << pattern << ": " << joins_of(pattern);
  }
}

}  // namespace
}  // namespace orujo::internal::relational
