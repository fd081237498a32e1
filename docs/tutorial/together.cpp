// Three ways to look at data meet: the words of a text are counted, joined with a table, ranked in a graph
// that is made of the join, and joined with their ranks.
#include <orujo/algorithms.hpp>
#include <orujo/mapreduce.hpp>
#include <orujo/orujo.hpp>
#include <orujo/relational.hpp>

#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace orujo;

using counts_by_word = global_groups<std::string_view, std::uint64_t>;
using rank_program = algorithms::pagerank<double>;

// On every core: map and reduce.
status count_words_of(const std::string& path, counts_by_word counts) {
  const auto files = find_input_on_all(path);
  if (!files.ok()) return first_failure(files.status());
  status read;
  map_reduce(counts, [&](auto& emit) {
    read = read_words(files.value(), {.letters = true, .lower_case = true},
                      [&](std::string_view word) { emit(word, 1); });
  });
  return first_failure(read);
}

// A table of what every core has counted.
brought_table table_of(counts_by_word counts) {
  return {"counts", {{"word", column_kind::text}, {"n", column_kind::integer}}, [counts](const auto& take) {
            counts.local().visit([&](std::string_view word, std::uint64_t n) { take({word, n}); });
          }};
}

// A table of the ranks that every core has: of words, by the ids of vertices.
brought_table table_of(distributed_graph graph, property<double> ranks, database words) {
  return {"ranks", {{"word", column_kind::text}, {"rank", column_kind::real}}, [=](const auto& take) {
            const locale_graph& part = graph.here();
            std::vector<std::pair<std::int64_t, double>> mine;
            std::vector<std::int64_t> ids;
            for (auto v = part.my_part().first; v < part.my_part().last; ++v) {
              ids.push_back(static_cast<std::int64_t>(part.external_id(v)));
              mine.emplace_back(ids.back(), ranks.here()[v]);
            }
            const auto texts = words.texts_of(std::move(ids));
            for (const auto& [id, rank] : mine) take({texts[id], rank});
          }};
}

void show(const answer& found) {  // core 0 has the first rows
  const answer_part& part = found.local();
  const auto& columns = part.rows.columns;
  for (std::size_t k = 0; k < part.rows.rows; ++k) {
    const std::string_view word = part.text(columns[0][k]);
    std::printf("%.*s: rank %.4f, %" PRId64 " times\n", static_cast<int>(word.size()), word.data(),
                real_of(columns[1][k]), columns[2][k]);
  }
}

status rank_words() {
  const auto counts = counts_by_word::create();
  const status counted = on_all_cores([=] { return count_words_of("docs/tutorial/words.txt", counts); });
  if (!counted.ok()) return counted;

  // What the words of the text lead to.
  const auto data = database::made_by([=] {
    return load_tables({{"glossary", "docs/tutorial/glossary.csv"}}, {table_of(counts)});
  });
  if (!data.ok()) return data.status();
  const auto joined = data.value().select(
      "SELECT glossary.word, see FROM glossary JOIN counts ON counts.word = glossary.word");
  if (!joined.ok()) return joined.status();
  const auto edges = edges_of(joined.value());
  const auto built = build_graph<rank_program>({.edges = edges});
  if (!built.ok()) return built.status();
  const auto graph = built.value().graph;
  std::printf("a graph of %" PRIu64 " words and %" PRIu64 " edges\n", built.value().vertices,
              built.value().edges);

  const auto ranks = property<double>::create(graph);
  on_all_cores([=] {
    rank_program program(graph.here(), ranks.here(), {.tolerance = 1e-9});
    run(program, graph.here());
  });

  const auto ranked = database::made_by([=, words = data.value()] {
    return load_tables({}, {table_of(counts), table_of(graph, ranks, words)});
  });
  if (!ranked.ok()) return ranked.status();
  const auto best = ranked.value().select(
      "SELECT ranks.word, rank, coalesce(n, 0) FROM ranks LEFT JOIN counts ON counts.word = ranks.word "
      "ORDER BY rank DESC LIMIT 4");
  if (!best.ok()) return best.status();
  show(best.value());
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Ranks the words of a text.", &rank_words); }
