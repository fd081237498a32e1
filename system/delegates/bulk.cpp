#include "system/delegates/bulk.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "system/delegates/bulk_transfers.hpp"
#include "system/delegates/core_limits.hpp"

namespace orujo::internal::delegates::detail {
namespace {

using memory::byte_range;
using memory::strip;

constexpr std::size_t max_piece = messenger::max_payload_bytes(64);  // beside any closure of this file

// How a piece travels to or from its owner.
enum class way {
  own,      // copied in place
  near,     // the owner, a core of this locale, copies
  message,  // in messages of up to 4 KiB
  transfer  // by the transport
};

// Sizes from which a core that may wait lets the owner copy, or the transport carry, a piece.
struct thresholds {
  std::size_t near, transfer;
};
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr thresholds of_waiting{0, min_transfer_bytes};

way way_of(const strip& s, const thresholds& from) {
  if (s.core >= cores()) messages::refuse_core(s.core);
  if (s.core == my_core()) return way::own;
  if (shape().locale_of(s.core) == my_locale()) return s.bytes >= from.near ? way::near : way::message;
  return s.bytes >= from.transfer ? way::transfer : way::message;
}

// Rounds a size down to whole elements, if one fits.
std::size_t whole(std::size_t bytes, std::size_t unit) { return unit <= bytes ? bytes / unit * unit : bytes; }

std::size_t step_of(way w, const byte_range& range, const strip& s, std::size_t unit) {
  switch (w) {
    case way::message:
      return whole(max_piece, unit);
    case way::transfer:
      return transfer_step(range, s);
    default:
      return whole(near_piece_bytes, unit);
  }
}

strip part_of(const strip& whole, std::uint64_t first, std::uint64_t bytes) {
  return {whole.core, whole.at + first, whole.offset + first, bytes};
}

// Calls f(part of a strip, its way) piece by piece. The owners take turns, and each core's calls begin with
// another owner, so that all of them are busy.
template <class F>
void for_each_piece(const byte_range& range, std::size_t unit, const thresholds& from, const F& f) {
  const std::uint64_t owners = range.strips();
  bool more = owners > 0;
  for (std::uint64_t round = 0; more; ++round) {
    more = false;
    for (std::uint64_t k = 0; k < owners; ++k) {
      const strip s = range.strip_at((k + static_cast<std::uint64_t>(my_core())) % owners);
      const way w = way_of(s, from);
      const std::uint64_t step = step_of(w, range, s, unit), done = round * step;
      if (s.bytes > done) f(part_of(s, done, std::min(step, s.bytes - done)), w);
      more |= s.bytes > done + step;
    }
  }
}

// The state of a get under way; it lies on the stack of its task.
struct get_state {
  const byte_range& from;
  std::byte* into;
  tasks::join_counter missing;
};

// Flushes after a large piece, which gains nothing by aggregation.
void flush_if_large(core_id to, std::size_t bytes) {
  if (bytes >= min_transfer_bytes) messenger::here().flush(to);
}

// [task] Runs f() at the piece's owner, a core of this locale: one copy between the memory of both.
template <class F>
void ask_mate(const strip& piece, tasks::join_counter& missing, const F& f) {
  core_limits::here().near_pieces.acquire();
  missing.add();
  messenger::here().send(piece.core, [f, me = my_core(), bytes = piece.bytes, asked = &missing] {
    f();
    messenger::here().send(me, [asked] {
      core_limits::here().near_pieces.release();
      asked->complete();
    });
    flush_if_large(me, bytes);
  });
  flush_if_large(piece.core, piece.bytes);
}

void yield_if_allowed() {
  if (tasks::scheduler::here()->may_suspend()) tasks::yield();
}

// Sends every piece of `to`. Pieces that go by messages are sent by send(piece, payload). The others are
// complete when `missing` is.
template <class Send>
void put_pieces(tasks::join_counter& missing, const byte_range& to, const std::byte* from, std::size_t unit,
                const thresholds& limits, const Send& send) {
  std::array<std::byte, max_piece> gathered;
  for_each_piece(to, unit, limits, [&](const strip& piece, way w) {
    if (w == way::own) {
      gather_piece(to, piece, from, piece.at);
      if (piece.bytes >= min_transfer_bytes) yield_if_allowed();
    } else if (w == way::near) {
      ask_mate(piece, missing, [to, piece, from] { gather_piece(to, piece, from, piece.at); });
    } else if (w == way::transfer) {
      put_by_transfer(missing, to, piece, from);
    } else if (to.is_consecutive(piece)) {
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
  put_pieces(missing, to, from, unit, of_waiting,
             [&](const strip& piece, std::span<const std::byte> payload) {
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

// Asks the owner for a message with the piece.
void get_by_message(get_state& state, const strip& piece) {
  core_limits::here().gets.acquire();
  state.missing.add();
  messenger::here().send(piece.core, [piece, me = my_core(), asked = &state] {
    messenger::here().send_with_payload(
        me,
        [piece, asked](std::span<const std::byte> bytes) {
          scatter_piece(asked->from, piece, bytes.data(), asked->into);
          core_limits::here().gets.release();
          asked->missing.complete();
        },
        std::span<const std::byte>(piece.at, piece.bytes));
  });
}

}  // namespace

void get(const byte_range& from, std::byte* into, std::size_t unit) {
  catch_up();
  get_state state{from, into, tasks::join_counter(0, "a get from global memory")};
  for_each_piece(from, unit, of_waiting, [&](const strip& piece, way w) {
    if (w == way::own) {
      scatter_piece(from, piece, piece.at, into);
      if (piece.bytes >= min_transfer_bytes) yield_if_allowed();
    } else if (w == way::near) {
      ask_mate(piece, state.missing, [from, piece, into] { scatter_piece(from, piece, piece.at, into); });
    } else if (w == way::transfer) {
      get_by_transfer(state.missing, from, piece, into);
    } else {
      get_by_message(state, piece);
    }
  });
  state.missing.wait();
}

void put(const byte_range& to, const std::byte* from, std::size_t unit) {
  catch_up();
  tasks::join_counter missing(0, "a put to global memory");
  put_counted(missing, to, from, unit);
  missing.wait();
}

void async_put(event_ref event, const byte_range& to, const std::byte* from, std::size_t unit) {
  catch_up();
  const bool may_wait = tasks::scheduler::here()->may_suspend();
  const thresholds limits =
      may_wait ? thresholds{min_transfer_bytes, min_transfer_bytes} : thresholds{never, never};
  tasks::join_counter large(0, "a put of large pieces to global memory");
  put_pieces(large, to, from, unit, limits, [&](const strip& piece, std::span<const std::byte> payload) {
    detail::async_call(
        event, piece.core,
        [into = piece.at](std::span<const std::byte> bytes) {
          std::memcpy(into, bytes.data(), bytes.size());
        },
        payload);
  });
  large.wait();
}

void copy(const byte_range& from, const byte_range& to, std::size_t unit, completion whole_copy) {
  require(!from.overlaps(to), "a copy between overlapping ranges of global memory: copy by way of a third");
  spawn_at_owners(from, whole_copy, [from, to, unit](const strip& mine) {
    tasks::join_counter missing(0, "a copy of global memory");
    std::uint64_t since_yield = 0;
    if (from.same_blocks(to)) {
      // The strip is consecutive in `to`, and all of it at one core.
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

}  // namespace orujo::internal::delegates::detail
