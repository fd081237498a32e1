#include "system/delegates/bulk.hpp"

#include <glog/logging.h>

#include <array>
#include <cstring>

namespace orujo::delegates::detail {
namespace {

using memory::byte_range;
using memory::strip;

constexpr std::size_t max_piece = messenger::max_payload_bytes(64);  // beside any closure of this file
constexpr std::size_t pieces_under_way = 256;                        // of a core's gets

// What goes in one message: whole elements where they fit.
std::size_t piece_bytes(std::size_t unit) { return unit <= max_piece ? max_piece / unit * unit : max_piece; }

strip part_of(const strip& whole, std::uint64_t first, std::uint64_t bytes) {
  return {whole.core, whole.at + first, whole.offset + first, bytes};
}

// Calls f(part of a strip) piece by piece. The owners take turns, each core's calls beginning with another
// one, so that all of them have something to do.
template <class F>
void for_each_piece(const byte_range& range, std::size_t unit, const F& f) {
  const std::uint64_t owners = range.strips();
  const std::size_t step = piece_bytes(unit);
  bool more = owners > 0;
  for (std::uint64_t done = 0; more; done += step) {
    more = false;
    for (std::uint64_t k = 0; k < owners; ++k) {
      const strip s = range.strip_at((k + static_cast<std::uint64_t>(my_core())) % owners);
      if (s.bytes > done) f(part_of(s, done, std::min<std::uint64_t>(step, s.bytes - done)));
      more |= s.bytes > done + step;
    }
  }
}

// Between a piece and the positions in `memory` where its bytes belong.
void scatter_piece(const byte_range& range, const strip& piece, const std::byte* bytes, std::byte* memory) {
  range.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
    std::memcpy(memory + position, bytes, n);
    bytes += n;
  });
}
void gather_piece(const byte_range& range, const strip& piece, const std::byte* memory, std::byte* bytes) {
  range.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
    std::memcpy(bytes, memory + position, n);
    bytes += n;
  });
}

// A get under way; lies on the stack of its task.
struct get_state {
  const byte_range& from;
  std::byte* into;
  tasks::join_counter missing;
};

// Replies are sent by handlers, which do not wait: so requests do.
tasks::semaphore& requests() {
  static thread_local tasks::semaphore permits(pieces_under_way);
  return permits;
}

// Sends every piece of `from` with send(piece, payload); what this core owns it copies.
template <class Send>
void put_pieces(const byte_range& to, const std::byte* from, std::size_t unit, const Send& send) {
  std::array<std::byte, max_piece> gathered;
  for_each_piece(to, unit, [&](const strip& piece) {
    if (piece.core == my_core()) return gather_piece(to, piece, from, piece.at);
    if (to.is_consecutive(piece)) {
      to.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
        send(piece, std::span(from + position, n));
      });
    } else {
      gather_piece(to, piece, from, gathered.data());
      send(piece, std::span<const std::byte>(gathered.data(), piece.bytes));
    }
  });
}

void put_counted(tasks::join_counter& missing, const byte_range& to, const std::byte* from,
                 std::size_t unit) {
  const completion written(missing);
  put_pieces(to, from, unit, [&](const strip& piece, std::span<const std::byte> payload) {
    written.issue();
    messenger::here().send_with_payload(
        piece.core,
        [into = piece.at, written](std::span<const std::byte> bytes) {
          std::memcpy(into, bytes.data(), bytes.size());
          written.done();
        },
        payload);
  });
}

}  // namespace

void get(const byte_range& from, std::byte* into, std::size_t unit) {
  get_state state{from, into, tasks::join_counter()};
  const core_id me = my_core();
  for_each_piece(from, unit, [&](const strip& piece) {
    if (piece.core == me) return scatter_piece(from, piece, piece.at, into);
    requests().acquire();
    state.missing.add();
    messenger::here().send(piece.core, [piece, me, asked = &state] {
      messenger::here().send_with_payload(
          me,
          [piece, asked](std::span<const std::byte> bytes) {
            scatter_piece(asked->from, piece, bytes.data(), asked->into);
            requests().release();
            asked->missing.complete();
          },
          std::span<const std::byte>(piece.at, piece.bytes));
    });
  });
  state.missing.wait();
}

void put(const byte_range& to, const std::byte* from, std::size_t unit) {
  tasks::join_counter missing;
  put_counted(missing, to, from, unit);
  missing.wait();
}

void async_put(event_ref event, const byte_range& to, const std::byte* from, std::size_t unit) {
  put_pieces(to, from, unit, [&](const strip& piece, std::span<const std::byte> payload) {
    async_call(
        event, piece.core,
        [into = piece.at](std::span<const std::byte> bytes) {
          std::memcpy(into, bytes.data(), bytes.size());
        },
        payload);
  });
}

void copy(const byte_range& from, const byte_range& to, std::size_t unit, completion whole) {
  CHECK(!from.overlaps(to)) << "a copy between overlapping ranges of global memory";
  spawn_at_owners(from, whole, [from, to, unit](const strip& mine) {
    tasks::join_counter missing;
    std::uint64_t since_yield = 0;
    if (from.same_blocks(to)) {
      // The strip is all for one core, where it is consecutive too.
      put_counted(missing, to.facing(from, mine), mine.at, unit);
    } else {
      const std::byte* at = mine.at;
      from.for_each_block(mine, [&](std::uint64_t position, std::uint64_t n) {
        put_counted(missing, to.part(position, n), at, unit);
        at += n;
        if ((since_yield += n) >= (std::size_t{64} << 10)) {
          since_yield = 0;
          tasks::yield();
        }
      });
    }
    missing.wait();
  });
}

}  // namespace orujo::delegates::detail
