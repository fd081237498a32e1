#include "system/delegates/bulk_transfers.hpp"
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/global_heap.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::delegates {
namespace {

using bytes_of_core = global_address<std::byte>;

// Sizes around everything that decides how a piece travels: messages, the owner's pieces, transfers' own and
// the buffers of those that are not consecutive.
std::vector<std::size_t> transfer_sizes() {
  std::vector<std::size_t> all{0, 1, 2, 3, 7, 8, 9, 100};
  for (const std::size_t limit :
       {messenger::max_payload_bytes(64), std::size_t{4096}, detail::min_transfer_bytes,
        detail::near_piece_bytes, messages::transfers::staging_bytes, messages::transfers::most_bytes}) {
    for (const std::size_t size : {limit - 1, limit, limit + 1, 2 * limit + 5}) all.push_back(size);
  }
  all.push_back((std::size_t{5} << 20) + 13);
  return all;
}
constexpr std::size_t most = (std::size_t{5} << 20) + 13;
constexpr std::size_t margin = 64;  // before and after, not to be touched

// A prime number of random bytes, repeated from a place that the seed chooses. One call copies or compares a
// whole piece, which the sanitizers do not slow down.
std::span<const std::byte> pattern_from(std::uint64_t place) {
  static const std::vector<std::byte> all = [] {
    std::vector<std::byte> bytes(65'537);
    random_stream random(3);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.below(256));
    return bytes;
  }();
  return std::span(all).subspan(place % all.size());
}
// Calls visit(piece of `bytes`, what it should be) for all of them, while it returns true; whether it has
// always.
template <class Bytes, class Visit>
bool visit_pattern(Bytes bytes, std::uint64_t seed, Visit visit) {
  std::uint64_t place = seed * 40'503;
  while (!bytes.empty()) {
    auto piece = pattern_from(place);
    piece = piece.first(std::min(piece.size(), bytes.size()));
    if (!visit(bytes.first(piece.size()), piece)) return false;
    bytes = bytes.subspan(piece.size());
    place += piece.size();
  }
  return true;
}
void fill_pattern(std::span<std::byte> bytes, std::uint64_t seed) {
  visit_pattern(bytes, seed,
                [](auto to, auto from) { return std::memcpy(to.data(), from.data(), from.size()); });
}
bool has_pattern(std::span<const std::byte> bytes, std::uint64_t seed) {
  return visit_pattern(bytes, seed, [](auto found, auto expected) {
    return std::memcmp(found.data(), expected.data(), expected.size()) == 0;
  });
}
bool all_are(std::span<const std::byte> bytes, std::byte value) {
  // Compared with itself a byte further on: one call, also for the sanitizers.
  return bytes.empty() ||
         (bytes[0] == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// Memory of one core, made and looked at there by delegates.
class memory_at {
 public:
  memory_at(core_id core, std::size_t bytes)
      : bytes_(bytes), first_(call(core, [bytes] {
          auto* const all = new std::byte[bytes];
          std::fill_n(all, bytes, std::byte{0x5a});
          return bytes_of_core(my_core(), all);
        })) {}
  ~memory_at() {
    call(first_.core(), [at = first_.local()] { delete[] at; });
  }
  memory_at(const memory_at&) = delete;

  bytes_of_core operator+(std::size_t k) const { return first_ + static_cast<std::ptrdiff_t>(k); }
  void store_pattern(std::size_t first, std::size_t n, std::uint64_t seed) const {
    call(first_.core(), [at = first_.local() + first, n, seed] { fill_pattern({at, n}, seed); });
  }
  // The pattern in the middle and nothing changed around it.
  bool holds_only(std::size_t first, std::size_t n, std::uint64_t seed) const {
    return call(first_.core(), [at = first_.local(), all = bytes_, first, n, seed] {
      return all_are({at, first}, std::byte{0x5a}) && has_pattern({at + first, n}, seed) &&
             all_are({at + first + n, all - first - n}, std::byte{0x5a});
    });
  }
  void clear() const {
    call(first_.core(), [at = first_.local(), n = bytes_] { std::fill_n(at, n, std::byte{0x5a}); });
  }

 private:
  std::size_t bytes_;
  bytes_of_core first_;
};

TEST(bulk_transfers, put_and_get_bytes_of_any_number_and_place) {
  std::vector<std::byte> out(most + 2 * margin), in(most + 2 * margin);
  for (core_id c = 0; c < cores(); ++c) {
    const memory_at there(c, most + 2 * margin);
    std::uint64_t seed = 100 * static_cast<std::uint64_t>(c);
    for (const std::size_t n : transfer_sizes()) {
      const std::size_t shift = ++seed % margin, own_shift = seed * 7 % margin;
      SCOPED_TRACE(testing::Message() << n << " bytes at core " << c << ", shifted by " << shift);
      fill_pattern(std::span(out).subspan(own_shift, n), seed);
      there.clear();
      put(there + shift, std::span<const std::byte>(out).subspan(own_shift, n));
      ASSERT_TRUE(there.holds_only(shift, n, seed));
      std::fill(in.begin(), in.end(), std::byte{1});
      get(there + shift, std::span(in).subspan(own_shift, n));
      ASSERT_TRUE(has_pattern(std::span(in).subspan(own_shift, n), seed));
      ASSERT_TRUE(all_are(std::span(in).first(own_shift), std::byte{1}));
      ASSERT_TRUE(all_are(std::span(in).subspan(own_shift + n), std::byte{1}));
    }
  }
}

TEST(bulk_transfers, async_put_leaves_its_source_free_and_is_there_when_the_event_is) {
  std::vector<std::byte> out(most);
  for (core_id c = 0; c < cores(); ++c) {
    const memory_at there(c, most + 2 * margin);
    for (const std::size_t n : transfer_sizes()) {
      SCOPED_TRACE(testing::Message() << n << " bytes at core " << c);
      fill_pattern(std::span(out).first(n), n);
      there.clear();
      completion_event done;
      async_put(done, there + 3, std::span<const std::byte>(out).first(n));
      std::fill_n(out.begin(), n, std::byte{0});
      done.wait();
      ASSERT_TRUE(there.holds_only(3, n, n));
    }
  }
}

TEST(bulk_transfers, handlers_put_large_pieces_by_messages) {
  constexpr std::size_t n = 100'000;
  const core_id last = cores() - 1;
  const memory_at from(last, n), to(0, n);
  from.store_pattern(0, n, 4);
  completion_event done;
  call(last, [source = (from + 0).local(), to = to + 0, event = done.ref()] {
    async_put(event, to, std::span<const std::byte>(source, n));
  });
  done.wait();
  EXPECT_TRUE(to.holds_only(0, n, 4));
}

// Elements of 3 and 24 bytes do not divide any piece.
template <std::size_t Size>
void move_elements() {
  using element = std::array<std::byte, Size>;
  constexpr std::size_t per_core = 200'000 / Size + 1;
  auto array = containers::global_array<element>::create(per_core * static_cast<std::size_t>(cores()));
  std::vector<element> out(per_core), in(per_core);
  for (core_id c = 0; c < cores(); ++c) {
    fill_pattern(std::as_writable_bytes(std::span(out)), Size + static_cast<std::uint64_t>(c));
    const memory::global_address<element> first = array[per_core * static_cast<std::size_t>(c)];
    put(first, std::span<const element>(out));
    get(first, std::span(in));
    EXPECT_TRUE(in == out) << "at core " << c;
    const memory::global_address<element> next =
        array[per_core * static_cast<std::size_t>((c + 1) % cores())];
    if (cores() > 1) {
      delegates::copy(first, next, per_core);
      std::fill(in.begin(), in.end(), element{});
      get(next, std::span(in));
      EXPECT_TRUE(in == out) << "copied from core " << c;
    }
  }
  array.destroy();
}
TEST(bulk_transfers, move_elements_of_odd_sizes) {
  move_elements<3>();
  move_elements<24>();
}

// Blocks smaller and larger than what a transfer needs, and ranges that begin and end within one.
TEST(bulk_transfers, put_get_and_copy_linear_ranges_of_any_blocks) {
  using address = memory::linear_address<std::byte>;
  constexpr std::size_t n = 3'000'000;
  std::vector<std::byte> out(n), in(n);
  random_stream random(20);
  for (const std::size_t block : {64, 4096, 16 << 10, 64 << 10, 2 << 20}) {
    const address first = global_alloc<std::byte>(n, block), other = global_alloc<std::byte>(n, block);
    for (int round = 0; round < 5; ++round) {
      const std::size_t begin = round == 0 ? 0 : random.below(n / 2), count = n - begin - random.below(n / 2);
      SCOPED_TRACE(testing::Message() << "blocks of " << block << ", " << count << " bytes from " << begin);
      const auto part = std::span(out).first(count);
      const auto at = static_cast<std::ptrdiff_t>(begin);
      fill_pattern(part, begin);
      fill(first, n, std::byte{0x11});
      put(first + at, std::span<const std::byte>(part));
      get(first, std::span(in));
      ASSERT_TRUE(has_pattern(std::span(in).subspan(begin, count), begin));
      ASSERT_TRUE(all_are(std::span(in).first(begin), std::byte{0x11}));
      ASSERT_TRUE(all_are(std::span(in).subspan(begin + count), std::byte{0x11}));
      fill(other, n, std::byte{0x22});
      delegates::copy(first + at, other + at, count);
      get(other + at, std::span(in).first(count));
      ASSERT_TRUE(has_pattern(std::span(in).first(count), begin));
    }
    global_free(first);
    global_free(other);
  }
}

// More tasks at every core than may have transfers under way, from and to every core, also in opposite
// directions at once.
TEST(bulk_transfers, of_many_tasks_of_all_cores_at_once) {
  constexpr std::size_t tasks_per_core = 24, most_each = 300'000;
  std::uint64_t wrong = 0;
  const at_home count(wrong);
  completion_event all;
  loops::on_all_cores([count, event = all.ref()] {
    for (std::size_t t = 0; t < tasks_per_core; ++t) {
      event.issue();
      tasks::spawn([count, event, t] {
        const auto seed = static_cast<std::uint64_t>(my_core()) * 1000 + t;
        random_stream random(seed);
        const auto owner = static_cast<core_id>(random.below(static_cast<std::uint64_t>(cores())));
        const std::size_t n = random.below(most_each);
        const memory_at there(owner, n + 2);
        std::vector<std::byte> out(n), in(n);
        fill_pattern(out, seed);
        put(there + 1, std::span<const std::byte>(out));
        bool right = there.holds_only(1, n, seed);
        get(there + 1, std::span(in));
        right = right && in == out;
        call(0, [count, right] { *count += !right; });
        event.done();
      });
    }
  });
  all.wait();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace orujo::internal::delegates
