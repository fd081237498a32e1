#include "framework/formats/document_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "framework/formats/header_reader.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/text_tokens.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t no_label = ~std::uint64_t{0};
constexpr std::uint64_t added_between_looks = 4096;  // at the memory that is used
constexpr std::string_view with_ids = "remove --names to use the ids";

// One that is written in one way only, so that two of them are the same as texts if they are as numbers.
std::optional<std::uint64_t> plain_number(std::string_view id) {
  if (id.size() > 1 && id[0] == '0') return {};
  return base::number_of<std::uint64_t>(id);
}

}  // namespace

document_builder::document_builder(std::string_view path, const document_request& wanted, nodes how,
                                   std::uint64_t most_bytes)
    : path_(path), wanted_(wanted), how_(how), most_bytes_(most_bytes) {}

status document_builder::bad(text_place at, std::string_view what) const {
  return {exit_status::bad_data, fmt::format("{}:{}:{}: {}", path_, at.line, at.column, what)};
}

bool document_builder::is_weight(std::string_view attribute) const {
  return !wanted_.weight.empty() ? attribute == wanted_.weight : attribute == "weight";
}

status document_builder::check_name(std::string_view name, text_place at) const {
  return is_name(name) ? status() : bad(at, why_no_name(name));
}

// Tables grow by being copied.
status document_builder::check_room_for_more() const {
  const std::uint64_t needed =
      2 * (list_.edges.size() * sizeof(edge) + list_.weights.size() * sizeof(float) + ids_.bytes_used() +
           labels_.bytes_used() + first_uses_.size() * sizeof(text_place) +
           label_of_.size() * sizeof(std::uint64_t));
  return check_room(needed, most_bytes_, path_);
}

std::uint64_t document_builder::number_of(std::string_view id, text_place at) {
  const std::uint64_t number = ids_.number_of(id);
  if (number == first_uses_.size()) {
    first_uses_.push_back(at);
    all_numbers_ = all_numbers_ && plain_number(id);
  }
  return number;
}

status document_builder::add_node(std::string_view id, text_place at) {
  if (status wrong = check_name(id, at); !wrong.ok()) return wrong;
  const std::size_t before = first_uses_.size();
  const std::uint64_t number = number_of(id, at);
  text_place& first_use = first_uses_[number];
  if (how_ == nodes::declared && number < before && first_use.line == 0)
    return bad(at, fmt::format("{} is also the id of an earlier node; expected each id once", shown(id)));
  first_use.line = 0;
  return before % added_between_looks == 0 ? check_room_for_more() : status();
}

status document_builder::add_labelled_node(std::string_view id, const std::optional<std::string>& label,
                                           text_place at) {
  if (status wrong = add_node(id, at); !wrong.ok() || !wanted_.named) return wrong;
  if (!label) return bad(at, fmt::format("node {} has no label; {}", shown(id), with_ids));
  return add_label(number_of(id, at), *label, at);
}

status document_builder::add_label(std::uint64_t vertex, std::string_view label, text_place at) {
  if (!wanted_.named) return {};
  if (status wrong = check_name(label, at); !wrong.ok()) return wrong;
  const std::size_t before = labels_.names().size();
  const std::uint64_t number = labels_.number_of(label);
  if (label_of_.size() <= vertex) label_of_.resize(vertex + 1, no_label);
  if (number < before && label_of_[vertex] != number)
    return bad(at, fmt::format("{} is also the label of an earlier node; {}", shown(label), with_ids));
  label_of_[vertex] = number;
  return {};
}

void document_builder::set_numbers(std::uint64_t vertices, std::uint64_t first) {
  numbered_ = vertices;
  first_number_ = first;
}

status document_builder::add_edge(std::string_view source, std::string_view target, text_place at, bool both,
                                  const std::optional<std::string>& weight) {
  for (const std::string_view end : {source, target}) {
    if (status wrong = check_name(end, at); !wrong.ok()) return wrong;
  }
  const std::uint64_t from = number_of(source, at);
  return push({from, number_of(target, at)}, at, both, weight);
}

status document_builder::add_numbered_edge(edge e, text_place at, bool both,
                                           const std::optional<std::string>& weight) {
  return push(e, at, both, weight);
}

status document_builder::push_weight(text_place at, const std::optional<std::string>& weight, float& read) {
  if (!weight && !weighted_) return {};
  if (weight) {
    const std::errc error = parse_weight(*weight, read);
    if (error != std::errc() || !std::isfinite(read)) return bad(at, why_no_weight(*weight, error));
    note_weight_of_text(list_, *weight, read);
    if (wanted_.non_negative_weights && read < 0) return bad(at, why_wrong_weight(*weight, read));
  } else if (missing_weight_) {
    read = *missing_weight_;
  } else {
    return bad(at,
               "no weight, but the first edge has one; expected a weight at all edges or at none, or "
               "--ignore_weights");
  }
  if (!weighted_ && !list_.edges.empty() && !missing_weight_)
    return bad(at,
               "a weight, but the first edge has none; expected a weight at all edges or at none, or "
               "--ignore_weights");
  if (!weighted_) list_.weights.assign(list_.edges.size(), missing_weight_.value_or(0));
  weighted_ = true;
  return {};
}

status document_builder::push(edge e, text_place at, bool both, const std::optional<std::string>& weight) {
  float read = 0;
  if (wanted_.ignores_weights) {
    ignored_weights_ |= weight.has_value();
  } else if (status wrong = push_weight(at, weight, read); !wrong.ok()) {
    return wrong;
  }
  for (int k = 0; k < (both && e.source != e.target ? 2 : 1); ++k) {
    list_.edges.push_back(e);
    if (weighted_) list_.weights.push_back(read);
    std::swap(e.source, e.target);
  }
  return list_.edges.size() % added_between_looks < 2 ? check_room_for_more() : status();
}

status document_builder::check_declared() const {
  if (how_ == nodes::implied) return {};
  const auto undeclared = std::ranges::find_if(first_uses_, [](text_place at) { return at.line != 0; });
  if (undeclared == first_uses_.end()) return {};
  const auto number = static_cast<std::size_t>(undeclared - first_uses_.begin());
  return bad(*undeclared,
             fmt::format("{} is not a node of the file; expected the edge to lead from a node to one",
                         shown(ids_.names()[number])));
}

// The ids are all numbers.
void document_builder::make_ids(document& made) const {
  const name_table& names = ids_.names();
  std::vector<std::uint64_t> of_numbers(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) of_numbers[k] = *plain_number(names[k]);
  std::vector<std::uint64_t> sorted = of_numbers;
  std::ranges::sort(sorted);
  made.vertices = sorted.size();
  made.first_id = sorted.empty() ? 0 : sorted.front();
  for (edge& e : made.list.edges) {
    for (std::uint64_t* end : {&e.source, &e.target})
      *end = static_cast<std::uint64_t>(std::ranges::lower_bound(sorted, of_numbers[*end]) - sorted.begin());
  }
  if (sorted.empty() || sorted.back() - sorted.front() == sorted.size() - 1) return;
  made.first_id = 0;
  made.ids = std::move(sorted);
}

status document_builder::name_by_labels(document& made) {
  if (numbered_ && label_of_.size() < *numbered_)
    return {exit_status::bad_data,
            fmt::format("{}: vertex {} has no label; {}", path_, label_of_.size() + first_number_, with_ids)};
  for (edge& e : made.list.edges) e = {label_of_[e.source], label_of_[e.target]};
  made.names = std::move(labels_).table();
  made.named = true;
  return {};
}

result<document> document_builder::finish(file_format format) {
  if (status wrong = check_declared(); !wrong.ok()) return wrong;
  if (status failed = check_room_for_more(); !failed.ok()) return failed;
  document made;
  made.format = format;
  made.ignores_its_weights = ignored_weights_;
  const std::size_t edges = list_.edges.size();
  for (std::size_t k = 0; undirected_ && k < edges; ++k) {
    const edge e = list_.edges[k];
    if (e.source == e.target) continue;
    list_.edges.push_back({e.target, e.source});
    if (weighted_) list_.weights.push_back(float{list_.weights[k]});
  }
  made.list = std::move(list_);
  const bool by_labels = wanted_.named && (labels_.names().size() > 0 || numbered_);
  if (by_labels) {
    if (status wrong = name_by_labels(made); !wrong.ok()) return wrong;
  } else if (numbered_) {
    made.vertices = *numbered_;
    made.first_id = first_number_;
  } else if (all_numbers_ && !wanted_.named) {
    make_ids(made);
  } else {
    made.names = std::move(ids_).table();
    made.named = true;
  }
  return made;
}

}  // namespace orujo::internal::formats
