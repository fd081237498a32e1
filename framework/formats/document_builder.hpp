// Makes a document of the nodes and edges that a reader finds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/document.hpp"
#include "framework/formats/names.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// A position in a file. Lines and columns count from 1, columns in bytes.
struct text_place {
  std::uint64_t line = 0, column = 0;
};

class document_builder {
 public:
  enum class nodes { declared, implied };  // whether edges may lead to what is no node otherwise

  document_builder(std::string_view path, const document_request& wanted, nodes how,
                   std::uint64_t most_bytes);

  status bad(text_place at, std::string_view what) const;

  // Sets the weight of edges without one in a document with weights. Without this call, all edges have a
  // weight or none has.
  void set_missing_weight(float weight) { missing_weight_ = weight; }
  bool is_weight(std::string_view attribute) const;
  // All edges lead both ways.
  void set_undirected() { undirected_ = true; }
  bool wants_labels() const { return wanted_.named; }

  // label: of formats that have labels beside ids, if the node has one.
  status add_node(std::string_view id, text_place at);
  status add_labelled_node(std::string_view id, const std::optional<std::string>& label, text_place at);
  // both: in both directions. weight: its text.
  status add_edge(std::string_view source, std::string_view target, text_place at, bool both,
                  const std::optional<std::string>& weight = {});

  // For documents whose vertices are numbers from `first` on, maybe with labels, given one after the other.
  // `vertex` counts from 0.
  void set_numbers(std::uint64_t vertices, std::uint64_t first);
  status add_label(std::uint64_t vertex, std::string_view label, text_place at);
  status add_numbered_edge(edge e, text_place at, bool both, const std::optional<std::string>& weight = {});

  // Once; leaves nothing.
  result<document> finish(file_format format);

 private:
  std::uint64_t number_of(std::string_view id, text_place at);
  status check_name(std::string_view name, text_place at) const;
  status check_room_for_more() const;
  status push(edge e, text_place at, bool both, const std::optional<std::string>& weight);
  status push_weight(text_place at, const std::optional<std::string>& weight, float& read);
  status check_declared() const;
  status name_by_labels(document& made);
  void make_ids(document& made) const;

  const std::string path_;
  const document_request wanted_;
  const nodes how_;
  const std::uint64_t most_bytes_;
  std::optional<float> missing_weight_;
  bool undirected_ = false, weighted_ = false, ignored_weights_ = false, all_numbers_ = true;
  std::optional<std::uint64_t> numbered_;  // set_numbers()
  std::uint64_t first_number_ = 0;
  edge_list list_;
  name_set ids_, labels_;
  std::vector<std::uint64_t> label_of_;  // by number, if labels are wanted; no_label
  std::vector<text_place> first_uses_;   // of ids, by number; line 0 where it is declared
};

}  // namespace orujo::internal::formats
