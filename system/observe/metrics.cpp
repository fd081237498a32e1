#include "system/observe/metrics.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <atomic>
#include <cstring>

#include "system/base/check.hpp"
#include "system/base/json.hpp"

namespace orujo::internal::observe {
namespace {

struct description {
  std::string name, meaning;
  metric_kind kind;
  std::size_t place;
};

struct registry {
  std::vector<description> metrics;
  std::size_t bytes = 0;
  std::atomic<bool> sealed{false};  // a job has started with it
};

registry& all() {
  static registry made;
  return made;
}

template <class Values>
Values load(const std::byte* from) {
  static_assert(std::is_trivially_copyable_v<Values> && sizeof(Values) % sizeof(std::uint64_t) == 0);
  Values values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}

template <class Values>
void merge_into(std::byte* into, const std::byte* from) {
  Values values = load<Values>(into);
  if constexpr (std::is_integral_v<Values>) {
    values += load<Values>(from);
  } else {
    values.merge(load<Values>(from));
  }
  std::memcpy(into, &values, sizeof(values));
}

std::vector<const description*> by_name() {
  std::vector<const description*> sorted;
  for (const description& d : all().metrics) sorted.push_back(&d);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return sorted;
}

}  // namespace

metric::metric(metric_kind kind, std::size_t bytes, const char* name, const char* meaning)
    : place_(all().bytes) {
  registry& known = all();
  for (const description& d : known.metrics) {
    if (d.name == name) base::misuse(fmt::format("a second metric of the name {}", name));
  }
  if (known.sealed)
    base::misuse(
        fmt::format("metric {} must be a namespace-scope object: the job has started already", name));
  if (place_ + bytes > detail::most_bytes)
    base::misuse(fmt::format("no room for metric {}: use fewer", name));
  known.metrics.push_back({name, meaning, kind, place_});
  known.bytes += bytes;
}

void summary_values::record(double x) {
  smallest = count ? std::min(smallest, x) : x;
  largest = count ? std::max(largest, x) : x;
  ++count;
  const double distance = x - mean;
  mean += distance / static_cast<double>(count);
  squares += distance * (x - mean);
}

void summary_values::merge(const summary_values& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double mine = static_cast<double>(count), theirs = static_cast<double>(other.count);
  const double distance = other.mean - mean;
  mean += distance * theirs / (mine + theirs);
  squares += other.squares + distance * distance * mine * theirs / (mine + theirs);
  count += other.count;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
}

double summary_values::standard_deviation() const {
  return count ? std::sqrt(squares / static_cast<double>(count)) : 0;
}

void histogram_values::merge(const histogram_values& other) {
  sum += other.sum;
  largest = std::max(largest, other.largest);
  for (std::size_t b = 0; b < buckets; ++b) counts[b] += other.counts[b];
}

std::uint64_t histogram_values::count() const {
  std::uint64_t total = 0;
  for (std::uint64_t n : counts) total += n;
  return total;
}

std::uint64_t histogram_values::quantile(double q) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count())));
  std::uint64_t seen = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    seen += counts[b];
    if (counts[b] == 0 || seen < wanted) continue;
    return first_of(b) + (std::min(last_of(b), largest) - first_of(b)) / 2;
  }
  return 0;
}

std::span<std::byte> all_values_here() {
  all().sealed.store(true, std::memory_order_relaxed);
  return std::span(base::made_part<detail::metrics_block>().values).first(all().bytes);
}

void reset_metrics_here() {
  const auto values = all_values_here();
  std::fill(values.begin(), values.end(), std::byte{0});
}

metric_values::metric_values() : values_(all().bytes) {}

void metric_values::merge(std::span<const std::byte> of_core) {
  CHECK_EQ(of_core.size(), values_.size());
  for (const description& d : all().metrics) {
    std::byte* mine = values_.data() + d.place;
    const std::byte* theirs = of_core.data() + d.place;
    switch (d.kind) {
      case metric_kind::counter:
        merge_into<std::uint64_t>(mine, theirs);
        break;
      case metric_kind::summary:
        merge_into<summary_values>(mine, theirs);
        break;
      case metric_kind::histogram:
        merge_into<histogram_values>(mine, theirs);
        break;
    }
  }
}

const std::byte* metric_values::find(const std::string& name, metric_kind kind) const {
  for (const description& d : all().metrics) {
    if (d.name == name && d.kind == kind) return values_.data() + d.place;
  }
  LOG(FATAL) << "there is no metric " << name << " of this kind";
}

std::uint64_t metric_values::count_of(const std::string& name) const {
  return load<std::uint64_t>(find(name, metric_kind::counter));
}
summary_values metric_values::summary_of(const std::string& name) const {
  return load<summary_values>(find(name, metric_kind::summary));
}
histogram_values metric_values::histogram_of(const std::string& name) const {
  return load<histogram_values>(find(name, metric_kind::histogram));
}

std::string metric_values::text() const {
  std::string lines, nothing;
  for (const description* d : by_name()) {
    if (d->kind == metric_kind::counter) {
      if (const std::uint64_t count = count_of(d->name); count > 0) {
        lines += fmt::format("  {} {} ({})\n", count, d->meaning, d->name);
      } else {
        nothing += (nothing.empty() ? "" : ", ") + d->name;
      }
    } else if (d->kind == metric_kind::summary) {
      const summary_values s = summary_of(d->name);
      if (s.count == 0) continue;
      lines +=
          fmt::format("  {}: count {}, sum {:.6g}, mean {:.6g}, deviation {:.6g}, from {:.6g} to {:.6g}\n",
                      d->name, s.count, s.sum(), s.mean, s.standard_deviation(), s.smallest, s.largest);
    } else {
      const histogram_values h = histogram_of(d->name);
      if (h.count() == 0) continue;
      lines += fmt::format("  {}: count {}, sum {}, median {}, 90% {}, 99% {}, largest {}\n", d->name,
                           h.count(), h.sum, h.quantile(0.5), h.quantile(0.9), h.quantile(0.99), h.largest);
    }
  }
  return nothing.empty() ? lines : lines + "  none: " + nothing + '\n';
}

std::string metric_values::json() const {
  base::json metrics = base::json::object();
  for (const description* d : by_name()) {
    base::json& m = metrics[d->name];
    if (d->kind == metric_kind::counter) {
      m = base::json{{"kind", "counter"}, {"value", count_of(d->name)}};
    } else if (d->kind == metric_kind::summary) {
      const summary_values s = summary_of(d->name);
      m = base::json{{"kind", "summary"},
                     {"count", s.count},
                     {"sum", s.sum()},
                     {"mean", s.mean},
                     {"standard_deviation", s.standard_deviation()},
                     {"smallest", s.smallest},
                     {"largest", s.largest}};
    } else {
      const histogram_values h = histogram_of(d->name);
      m = base::json{{"kind", "histogram"}, {"count", h.count()}, {"sum", h.sum}, {"largest", h.largest}};
      m["quantiles"] =
          base::json{{"0.5", h.quantile(0.5)}, {"0.9", h.quantile(0.9)}, {"0.99", h.quantile(0.99)}};
      auto& counts = m["buckets"] = base::json::array();
      for (std::size_t b = 0; b < histogram_values::buckets; ++b) {
        if (h.counts[b])
          counts.push_back(base::json{{"from", histogram_values::first_of(b)}, {"count", h.counts[b]}});
      }
    }
    m["meaning"] = d->meaning;
  }
  return metrics.dump(2);
}

}  // namespace orujo::internal::observe
