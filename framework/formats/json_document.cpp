// Node-link JSON, of NetworkX and D3: {"directed": true, "nodes": [{"id": 1}], "links": [{"source": 1,
// "target": 2}]}.
#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/line_ends.hpp"
#include "framework/formats/text_cursor.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

using json = nlohmann::json;
constexpr std::size_t json_buffer_bytes = 64 << 10;
constexpr int deepest_json = 100;

// A source as a stream, which ends if it fails, and where no value has come for too long.
class source_stream final : public std::streambuf {
 public:
  explicit source_stream(byte_source& source) : stream_(source), buffer_(json_buffer_bytes) {}

  const status& failure() const { return failure_; }
  bool is_endless() const { return endless_; }
  void note_value() { at_value_ = before_ + taken(); }
  text_place place() {
    for (; counted_ != gptr(); ++counted_)
      at_ = *counted_ == '\n' ? text_place{at_.line + 1, 0} : text_place{at_.line, at_.column + 1};
    return {at_.line, std::max<std::uint64_t>(at_.column, 1)};
  }

 private:
  std::uint64_t taken() const { return static_cast<std::uint64_t>(gptr() - eback()); }

  int_type underflow() override {
    place();
    before_ += taken();
    setg(buffer_.data(), buffer_.data(), buffer_.data());
    counted_ = buffer_.data();
    endless_ = before_ - at_value_ > longest_text_bytes;
    if (endless_ || !failure_.ok()) return traits_type::eof();
    const auto got = stream_.read(buffer_);
    if (!got.ok()) failure_ = got.status();
    if (!got.ok() || got.value() == 0) return traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + got.value());
    return traits_type::to_int_type(buffer_[0]);
  }

  text_stream stream_;
  std::vector<char> buffer_;
  status failure_;
  bool endless_ = false;
  std::uint64_t before_ = 0, at_value_ = 0;  // bytes in earlier buffers, and up to the last value
  const char* counted_ = nullptr;            // up to where at_ is
  text_place at_{1, 0};
};

// The events of nlohmann's parser, value by value.
class json_reader {
 public:
  using number_integer_t = json::number_integer_t;
  using number_unsigned_t = json::number_unsigned_t;
  using number_float_t = json::number_float_t;
  using string_t = json::string_t;
  using binary_t = json::binary_t;

  json_reader(source_stream& stream, document_builder& builder) : stream_(stream), builder_(builder) {}

  const status& failure() const { return failure_; }
  status check_end() const {
    if (has_nodes_ && has_edges_) return {};
    return builder_.bad(
        {1, 1}, fmt::format("no \"{}\"; expected node-link JSON, with \"nodes\" and \"links\" or \"edges\"",
                            has_nodes_ ? "links" : "nodes"));
  }
  bool is_directed() const { return directed_; }

  bool null() { return take({}); }
  bool boolean(bool value) {
    if (depth_ == 1 && key_ == "directed") directed_ = value;
    return take({});
  }
  bool number_integer(number_integer_t value) { return take(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) { return take(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) { return take(text); }
  bool string(string_t& value) { return take(value); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) {
    if (!descend()) return false;
    if (depth_ == 3 && section_ != section::other) {
      at_ = stream_.place();
      id_.reset(), label_.reset(), source_.reset(), target_.reset(), weight_.reset();
    }
    return depth_ != 2 || key_ != "elements" ||
           fail("Cytoscape's JSON; expected node-link JSON, with \"nodes\" and \"links\" or \"edges\"");
  }
  bool end_object() {
    const bool done = depth_ != 3 || section_ == section::other || end_member();
    --depth_;
    return done;
  }
  bool start_array(std::size_t) {
    if (depth_ == 0) return fail("'['; expected an object, {\"nodes\": .., \"links\": ..}");
    if (!descend()) return false;
    if (depth_ == 3 && section_ != section::other)
      return fail("a list; expected an object for each node and edge");
    if (depth_ != 2) return true;
    const bool nodes = key_ == "nodes", edges = key_ == "links" || key_ == "edges";
    section_ = nodes ? section::nodes : edges ? section::edges : section::other;
    if ((nodes && has_nodes_) || (edges && has_edges_))
      return fail("a second list of nodes or of edges; expected one");
    has_nodes_ |= nodes;
    has_edges_ |= edges;
    return true;
  }
  bool end_array() {
    if (--depth_ == 1) section_ = section::other;
    return true;
  }
  bool key(string_t& name) {
    stream_.note_value();
    if (depth_ == 1 || depth_ == 3) key_ = name;
    return depth_ != 2 || name != "nodes" ||
           fail(
               "nodes inside of a graph, as JSON Graph Format has them; expected node-link JSON, with "
               "\"nodes\" and "
               "\"links\" or \"edges\"");
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return fail(stream_.is_endless() ? "a text of more than a MiB; expected shorter ones"
                                     : "not JSON; expected a whole document");
  }

 private:
  enum class section { other, nodes, edges };

  bool fail(std::string_view what) {
    if (failure_.ok()) failure_ = builder_.bad(stream_.place(), what);
    return false;
  }
  bool check(status wrong) {
    if (failure_.ok()) failure_ = std::move(wrong);
    return failure_.ok();
  }
  bool descend() {
    stream_.note_value();
    return ++depth_ <= deepest_json || fail(fmt::format("values in more than {} others", deepest_json));
  }

  // A value that is no list or object.
  bool take(const std::optional<std::string>& value) {
    stream_.note_value();
    if (depth_ == 0) return fail("one value; expected an object, {\"nodes\": .., \"links\": ..}");
    if (depth_ == 2 && section_ != section::other)
      return fail("a value; expected an object for each node and edge");
    if (depth_ != 3 || section_ == section::other || !value) return true;
    if (section_ == section::nodes) {
      if (key_ == "id") id_ = value;
      if (key_ == "name" || key_ == "label") label_ = value;
    } else {
      if (key_ == "source") source_ = value;
      if (key_ == "target") target_ = value;
      if (builder_.is_weight(key_)) weight_ = value;
    }
    return true;
  }

  bool end_member() {
    if (section_ == section::edges) {
      if (!source_ || !target_)
        return fail("an edge without its ends; expected texts or numbers as source and target");
      return check(builder_.add_edge(*source_, *target_, at_, false, weight_));
    }
    if (nodes_++ == 0) by_index_ = !id_;
    if (by_index_ != !id_)
      return fail("some nodes with \"id\" and some without; expected it at all, as a text or number");
    return check(by_index_ ? builder_.add_labelled_node(std::to_string(nodes_ - 1), label_, at_)
                           : builder_.add_node(*id_, at_));
  }

  source_stream& stream_;
  document_builder& builder_;
  status failure_;
  int depth_ = 0;
  section section_ = section::other;
  std::string key_;
  std::optional<std::string> id_, label_, source_, target_, weight_;
  text_place at_;
  std::uint64_t nodes_ = 0;
  bool by_index_ = false, directed_ = false, has_nodes_ = false, has_edges_ = false;
};

}  // namespace

result<document> read_json(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::declared, most_bytes);
  source_stream stream(source);
  std::istream input(&stream);
  json_reader reader(stream, builder);
  const bool done = json::sax_parse(input, &reader);
  if (!stream.failure().ok()) return stream.failure();
  if (!reader.failure().ok()) return reader.failure();
  if (!done) return builder.bad(stream.place(), "not JSON; expected a whole document");
  if (status wrong = reader.check_end(); !wrong.ok()) return wrong;
  if (!reader.is_directed()) builder.set_undirected();
  return builder.finish(file_format::json);
}

}  // namespace orujo::internal::formats
