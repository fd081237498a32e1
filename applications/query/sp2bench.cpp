#include "applications/query/sp2bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

#include "system/base/numbers.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::query {
namespace {

using relational::kind, relational::made_table;
using visitor = std::function<void(std::span<const std::string>)>;

constexpr int first_year = 1936, last_year = 2100;
constexpr std::uint64_t erdoes = 0;  // an author who writes until 1996, ten times a year
constexpr int last_year_of_erdoes = 1996;

constexpr std::string_view type = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
                           see_also = "<http://www.w3.org/2000/01/rdf-schema#seeAlso>",
                           subclass = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>",
                           person_class = "<http://xmlns.com/foaf/0.1/Person>",
                           document_class = "<http://xmlns.com/foaf/0.1/Document>",
                           name = "<http://xmlns.com/foaf/0.1/name>",
                           homepage = "<http://xmlns.com/foaf/0.1/homepage>",
                           title = "<http://purl.org/dc/elements/1.1/title>",
                           creator = "<http://purl.org/dc/elements/1.1/creator>",
                           issued = "<http://purl.org/dc/terms/issued>",
                           part_of = "<http://purl.org/dc/terms/partOf>",
                           references = "<http://purl.org/dc/terms/references>";
std::string bench(std::string_view what) {
  return fmt::format("<http://localhost/vocabulary/bench/{}>", what);
}
std::string swrc(std::string_view what) {
  return fmt::format("<http://swrc.ontoware.org/ontology#{}>", what);
}
std::string member(int k) { return fmt::format("<http://www.w3.org/1999/02/22-rdf-syntax-ns#_{}>", k); }
std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }
std::string integer(std::uint64_t number) {
  return fmt::format("\"{}\"^^<http://www.w3.org/2001/XMLSchema#integer>", number);
}

enum form : std::size_t { journal, proceedings, article, inproceedings, person, forms };
constexpr std::array class_names = {"Journal", "Proceedings", "Article", "Inproceedings"};
constexpr std::array folders = {"journals", "procs", "articles", "inprocs"};

// Number of one form in a year.
double logistic(double most, double begin, double pace, double years) {
  return most / (1 + begin * std::exp(-pace * years));
}
double authors_of_paper(int year) { return 1.1 + logistic(2.0, 18, 0.11, year - 1975); }

// The papers of a year.
struct year_of_papers {
  int year = first_year;
  std::uint64_t first = 0;  // of all things
  std::array<std::uint64_t, forms> number = {};
  std::uint64_t persons_before = 0;

  std::uint64_t things() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : number) sum += n;
    return sum;
  }
};

constexpr std::array given_names = {"Ada",   "Bruno", "Clara", "David",  "Elena", "Felix", "Greta",  "Hugo",
                                    "Irene", "Jonas", "Katja", "Lukas",  "Maria", "Niels", "Olga",   "Paul",
                                    "Quinn", "Rosa",  "Simon", "Teresa", "Ulf",   "Vera",  "Willem", "Yara"};
constexpr std::array family_names = {"Adler",  "Bauer",  "Castro", "Dubois", "Egger",  "Fischer", "Garcia",
                                     "Hansen", "Ivanov", "Jensen", "Kovacs", "Lopez",  "Meyer",   "Novak",
                                     "Olsen",  "Peters", "Quint",  "Ricci",  "Santos", "Tanaka",  "Urban",
                                     "Vargas", "Weber",  "Xu",     "Yilmaz", "Zimmer"};

class bibliography {
 public:
  explicit bibliography(std::uint64_t triples) {
    double left = static_cast<double>(triples);
    std::uint64_t things = 1, persons = 1;  // the classes; Erdoes
    for (int year = first_year; left > 0 && year <= last_year; ++year) {
      year_of_papers made = whole_year(year);
      made.first = things;
      made.persons_before = persons;
      const double size = triples_of(made);
      if (size > left) cut(made, left / size);
      left -= size;
      things += made.things();
      persons += made.number[person];
      years_.push_back(made);
    }
  }

  std::uint64_t things() const { return years_.back().first + years_.back().things(); }

  void rows(std::uint64_t k, const visitor& visit) const {
    if (k == 0) return beginning(visit);
    const auto behind = std::ranges::upper_bound(years_, k, {}, &year_of_papers::first);
    const year_of_papers& year = *(behind - 1);
    std::uint64_t number = k - year.first;
    std::size_t is = 0;
    while (number >= year.number[is]) number -= year.number[is++];
    const told about{visit,
                     is == person ? person_name(year.persons_before + number) : document(is, year, number)};
    random_stream random(mix64(k + 0x5b2b));
    if (is == person) return person_of(about, year.persons_before + number);
    about(type, bench(class_names[is]));
    about(title, quoted(fmt::format("{} {} ({})", class_names[is], number + 1, year.year)));
    about(issued, integer(static_cast<std::uint64_t>(year.year)));
    if (is == journal) return;
    if (is == proceedings) return proceedings_of(about, year, number, random);
    paper_of(about, is, year, number, random);
  }

 private:
  struct told {
    const visitor& visit;
    std::string subject;
    void operator()(std::string_view predicate, std::string_view object) const {
      visit(std::array<std::string, 3>{subject, std::string(predicate), std::string(object)});
    }
  };

  static year_of_papers whole_year(int year) {
    const auto rounded = [](double number) { return static_cast<std::uint64_t>(std::llround(number)); };
    year_of_papers made{.year = year};
    made.number[article] = rounded(logistic(58'500, 880, 0.12, year - 1950));
    made.number[journal] = std::max<std::uint64_t>(1, rounded(logistic(740, 430, 0.12, year - 1950)));
    made.number[proceedings] = rounded(logistic(5'500, 1'250, 0.14, year - 1965));
    if (made.number[proceedings] > 0)
      made.number[inproceedings] = rounded(logistic(337'000, 1'900, 0.15, year - 1965));
    made.number[person] = rounded(0.4 * authors_of_paper(year) *
                                  static_cast<double>(made.number[article] + made.number[inproceedings])) +
                          1;
    return made;
  }
  // Approximate number of triples.
  static double triples_of(const year_of_papers& of) {
    const auto number = [&](form is) { return static_cast<double>(of.number[is]); };
    const double authors = authors_of_paper(of.year);
    return number(article) * (7.1 + authors) + number(inproceedings) * (8.1 + authors) +
           8.4 * number(proceedings) + 3 * number(journal) + 2 * number(person);
  }
  static void cut(year_of_papers& of, double part) {
    for (std::size_t is = article; is < forms; ++is)
      of.number[is] =
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part * static_cast<double>(of.number[is])));
    if (of.number[proceedings] == 0) of.number[inproceedings] = 0;
  }

  static std::string document(std::size_t is, const year_of_papers& year, std::uint64_t number) {
    return fmt::format("<http://localhost/publications/{}/{}/{}{}>", folders[is], year.year, class_names[is],
                       number + 1);
  }
  static std::string words_of_name(std::uint64_t k) {
    constexpr std::uint64_t givens = given_names.size(), families = family_names.size();
    if (k == erdoes) return "Paul Erdoes";
    std::string made = fmt::format("{} {}", given_names[k % givens], family_names[k / givens % families]);
    return k < givens * families ? made : fmt::format("{} {}", made, k / (givens * families) + 1);
  }
  static std::string person_name(std::uint64_t k) {
    if (k == erdoes) return "<http://localhost/persons/Paul_Erdoes>";
    std::string made = words_of_name(k);
    std::ranges::replace(made, ' ', '_');
    return "_:" + made;
  }

  static void person_of(const told& about, std::uint64_t k) {
    about(type, person_class);
    about(name, quoted(words_of_name(k)));
  }
  static void beginning(const visitor& visit) {
    for (const char* of : class_names) told{visit, bench(of)}(subclass, document_class);
    person_of({visit, person_name(erdoes)}, erdoes);
  }

  // A person of that year: every second time a new one, otherwise more likely one of the first.
  static std::uint64_t any_person(const year_of_papers& year, random_stream& random) {
    if (random.below(2) == 0) return year.persons_before + random.below(year.number[person]);
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    return std::min(static_cast<std::uint64_t>(u * u * u * static_cast<double>(year.persons_before)),
                    year.persons_before - 1);
  }
  static void persons_as(const told& about, std::string_view role, std::uint64_t number,
                         const year_of_papers& year, random_stream& random,
                         std::vector<std::uint64_t> who = {}) {
    while (who.size() < number) who.push_back(any_person(year, random));
    std::ranges::sort(who);
    who.erase(std::unique(who.begin(), who.end()), who.end());
    for (const std::uint64_t k : who) about(role, person_name(k));
  }

  static void proceedings_of(const told& about, const year_of_papers& year, std::uint64_t number,
                             random_stream& random) {
    about(bench("booktitle"), quoted(fmt::format("Conference {} ({})", number + 1, year.year)));
    persons_as(about, swrc("editor"), 1 + random.below(3), year, random);
    if (random.below(100) < 80)
      about(swrc("isbn"), quoted(fmt::format("{}-{}-{}", 100 + random.below(900), year.year, number + 1)));
    if (random.below(100) < 60)
      about(see_also, quoted(fmt::format("http://localhost/proceedings/{}/{}", year.year, number + 1)));
    about(homepage, quoted(fmt::format("http://localhost/conferences/{}/{}", year.year, number + 1)));
  }

  void paper_of(const told& about, std::size_t is, const year_of_papers& year, std::uint64_t number,
                random_stream& random) const {
    std::vector<std::uint64_t> who;
    if (is == article && number < 10 && year.year <= last_year_of_erdoes) who.push_back(erdoes);
    // The mean, give or take one.
    const double authors = authors_of_paper(year.year) + static_cast<double>(random.below(2001)) / 1000 - 1;
    persons_as(about, creator, static_cast<std::uint64_t>(std::max(1LL, std::llround(authors))), year, random,
               std::move(who));
    const std::uint64_t holder = random.below(year.number[is == article ? journal : proceedings]);
    about(is == article ? swrc("journal") : std::string(part_of),
          document(is == article ? journal : proceedings, year, holder));
    if (is == inproceedings)
      about(bench("booktitle"), quoted(fmt::format("Conference {} ({})", holder + 1, year.year)));
    const auto of_ten_thousand = [&](std::uint64_t n) { return random.below(10'000) < n; };
    if (of_ten_thousand(is == article ? 9261 : 9489)) {
      const std::uint64_t page = 1 + random.below(300);
      about(swrc("pages"), quoted(fmt::format("{}-{}", page, page + random.below(30))));
    }
    if (is == article && of_ten_thousand(65)) about(swrc("month"), integer(1 + random.below(12)));
    const std::string at = fmt::format("http://localhost/{}/{}/{}", folders[is], year.year, number + 1);
    if (of_ten_thousand(6519)) about(see_also, quoted(at + "/entry"));
    if (of_ten_thousand(9900)) about(homepage, quoted(at));
    if (of_ten_thousand(100))
      about(bench("abstract"),
            quoted(fmt::format("On {} and {}, as of {}", random.below(1000), random.below(1000), year.year)));
    if (of_ten_thousand(600))
      cite(about, fmt::format("_:references_{}_{}_{}", folders[is], year.year, number + 1), random);
  }

  // Papers of any year until then, in a bag; more likely recent ones, which are more.
  void cite(const told& about, std::string bag, random_stream& random) const {
    const told about_bag{about.visit, std::move(bag)};
    about(references, about_bag.subject);
    about_bag(type, "<http://www.w3.org/1999/02/22-rdf-syntax-ns#Bag>");
    const int cited = 1 + static_cast<int>(random.below(12));
    for (int k = 1; k <= cited; ++k) {
      const year_of_papers& year = years_[std::max(random.below(years_.size()), random.below(years_.size()))];
      if (year.number[article] > 0)
        about_bag(member(k),
                  document(article, year,
                           std::min(random.below(year.number[article]), random.below(year.number[article]))));
    }
  }

  std::vector<year_of_papers> years_;
};

}  // namespace

result<std::vector<made_table>> sp2bench_tables(const std::string& specification) {
  constexpr std::string_view begin = "sp2bench:";
  const std::uint64_t triples =
      specification.starts_with(begin)
          ? base::number_of<std::uint64_t>(std::string_view(specification).substr(begin.size())).value_or(0)
          : 0;
  if (triples < 1000 || triples > 500'000'000)
    return status(exit_status::usage,
                  fmt::format("--generate={}: expected sp2bench:TRIPLES with a number from 1000 to 500000000",
                              specification));
  const auto made = std::make_shared<const bibliography>(triples);
  std::vector<relational::column_name> columns = {
      {"subject", kind::text}, {"predicate", kind::text}, {"object", kind::text}};
  return std::vector<made_table>{{"triples", std::move(columns), made->things(),
                                  [made](std::uint64_t k, const visitor& visit) { made->rows(k, visit); }}};
}

}  // namespace orujo::internal::query
