// Rows and groups as words in messages: many small ones share a message, and one may be as wide as it likes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "framework/tables/relational/columns.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::relational {

// Words that fit a message to one core, whose handler has a pointer and a number.
inline constexpr std::size_t words_of_message = delegates::messenger::max_payload_bytes(16) / sizeof(word);

// Words to collect for one core before they are sent, where a row has `width` of them: at least one row's.
constexpr std::size_t words_of_packet(std::size_t width) { return std::max(words_of_message, width); }

// [task or handler] Runs take(std::span<const word>) at `to` in a message handler, and completes `event`.
// From a task it may suspend while much is under way. The receiver fetches words that do not fit a message
// (delegates/packed.hpp), and later ones may overtake them.
template <class Take>
void send_words(delegates::event_ref event, core_id to, std::span<const word> words, const Take& take) {
  if (words.size() <= words_of_message) {
    delegates::async_call(
        event, to,
        [take](std::span<const std::byte> payload) {
          take(std::span(reinterpret_cast<const word*>(payload.data()), payload.size() / sizeof(word)));
        },
        std::as_bytes(words));
  } else {
    delegates::async_call(
        event, to, [take](const std::vector<word>& all) { take(std::span(all)); },
        std::vector<word>(words.begin(), words.end()));
  }
}

}  // namespace orujo::internal::relational
