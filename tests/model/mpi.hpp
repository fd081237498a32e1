// A stand-in for what MPI does with the receives of one process: messages from anybody, with any tag.
#pragma once

#include <cstddef>
#include <span>

namespace orujo::internal::model {

// Before each run.
void begin_messages();
// [in a thread] To who receives. Messages are matched with receives in the order of both; a long one comes in
// when let_in() says so, before or after others. Nothing is ordered by it: a real MPI's receiver knows what
// the sender knew.
void send_message(int from, int tag, std::span<const std::byte> content, bool is_long);
// [in a thread] The n-th of all long ones; false where it has not been sent.
bool let_in(std::size_t n);

}  // namespace orujo::internal::model
