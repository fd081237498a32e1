#include "applications/uts/tree.hpp"

#include <nettle/sha1.h>

#include <cmath>
#include <cstddef>
#include <cstring>

namespace orujo::internal::uts {
namespace {

constexpr std::uint32_t most_children = 100;  // but of a binomial root

void put_big_endian(std::uint8_t* to, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) to[k] = static_cast<std::uint8_t>(value >> (24 - 8 * k));
}

// SHA-1 of so few bytes that they fit one of its blocks.
template <std::size_t Bytes>
std::array<std::uint8_t, 20> digest_of(const std::array<std::uint8_t, Bytes>& bytes) {
  static_assert(Bytes <= 55);
  std::array<std::uint8_t, 64> block{};
  std::memcpy(block.data(), bytes.data(), Bytes);
  block[Bytes] = 0x80;
  put_big_endian(block.data() + 60, 8 * Bytes);
  std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  nettle_sha1_compress(state.data(), block.data());
  std::array<std::uint8_t, 20> digest;
  for (std::size_t k = 0; k < 5; ++k) put_big_endian(digest.data() + 4 * k, state[k]);
  return digest;
}

// From 0 to 1, uniformly: the last 31 bits.
double random_of(const node& n) {
  std::uint32_t word = 0;
  for (std::size_t k = 16; k < 20; ++k) word = word << 8 | n.digest[k];
  return static_cast<double>(word & 0x7fff'ffff) / 2147483648.0;
}

std::uint32_t geometric(double mean, double random) {
  if (mean <= 0) return 0;
  const double p = 1 / (1 + mean);
  return static_cast<std::uint32_t>(std::floor(std::log(1 - random) / std::log(1 - p)));
}

}  // namespace

node tree::root() const {
  std::array<std::uint8_t, 20> first{};
  put_big_endian(first.data() + 16, seed);
  return {digest_of(first), 0};
}

node tree::child(const node& parent, std::uint32_t number) {
  std::array<std::uint8_t, 24> bytes;
  std::memcpy(bytes.data(), parent.digest.data(), parent.digest.size());
  put_big_endian(bytes.data() + 20, number);
  return {digest_of(bytes), parent.depth + 1};
}

std::uint32_t tree::children_of(const node& parent) const {
  if (family == family::binomial) {
    if (parent.depth == 0) return static_cast<std::uint32_t>(root_children);
    return std::min(random_of(parent) < probability ? children : 0, most_children);
  }
  double mean = root_children;
  if (parent.depth > 0) {
    mean = family == family::geometric_linear
               ? root_children * (1 - static_cast<double>(parent.depth) / static_cast<double>(max_depth))
           : parent.depth < max_depth ? root_children
                                      : 0;
  }
  return std::min(geometric(mean, random_of(parent)), most_children);
}

void expand(const tree& t, std::vector<node>& open, sums& counted) {
  const node parent = open.back();
  open.pop_back();
  const std::uint32_t children = t.children_of(parent);
  ++counted.nodes;
  counted.leaves += children == 0;
  counted.depth = std::max(counted.depth, parent.depth);
  for (std::uint32_t k = 0; k < children; ++k) open.push_back(tree::child(parent, k));
}

sums search_serially(const tree& t) {
  sums counted;
  for (std::vector<node> open{t.root()}; !open.empty();) expand(t, open, counted);
  return counted;
}

std::span<const sample_tree> sample_trees() {
  using enum family;
  static const std::array<sample_tree, 5> all{{
      {"T1",
       {.family = geometric_fixed, .root_children = 4, .max_depth = 10, .seed = 19},
       {4'130'071, 3'305'118, 10}},
      {"T5",
       {.family = geometric_linear, .root_children = 4, .max_depth = 20, .seed = 34},
       {4'147'582, 2'181'318, 20}},
      {"T3",
       {.family = binomial, .root_children = 2000, .children = 8, .probability = 0.124875, .seed = 42},
       {4'112'897, 3'599'034, 1572}},
      {"T1L",
       {.family = geometric_fixed, .root_children = 4, .max_depth = 13, .seed = 29},
       {102'181'082, 81'746'377, 13}},
      {"T3L",
       {.family = binomial, .root_children = 2000, .children = 5, .probability = 0.200014, .seed = 7},
       {111'345'631, 89'076'904, 17'844}},
  }};
  return all;
}

}  // namespace orujo::internal::uts
