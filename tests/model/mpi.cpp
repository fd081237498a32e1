#include "tests/model/mpi.hpp"

#include <cstring>
#include <vector>

#include "system/transport/mpi_requests.hpp"
#include "tests/model/explorer.hpp"

namespace orujo::model {
namespace {

struct message {
  int from, tag;
  std::vector<std::byte> content;
  bool is_in;
};
struct all_messages {
  std::vector<message> sent;
  std::vector<void*> receives;  // receives[k] is of sent[k]
  std::vector<std::size_t> long_ones;
  int bytes = 0;  // of what was received last
};
all_messages now;

static_assert(sizeof(MPI_Request) >= sizeof(int));

}  // namespace

void begin_messages() { now = {}; }

void send_message(int from, int tag, std::span<const std::byte> content, bool is_long) {
  const explorer::pause paused;
  if (is_long) now.long_ones.push_back(now.sent.size());
  now.sent.push_back({from, tag, {content.begin(), content.end()}, !is_long});
}

bool let_in(std::size_t n) {
  const explorer::pause paused;
  if (n >= now.long_ones.size()) return false;
  now.sent[now.long_ones[n]].is_in = true;
  return true;
}

}  // namespace orujo::model

// Before the real ones.
extern "C" {

int MPI_Irecv(void* into, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  const orujo::model::explorer::pause paused;
  auto& receives = orujo::model::now.receives;
  const auto number = static_cast<int>(receives.size());
  receives.push_back(into);
  std::memcpy(request, &number, sizeof number);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const orujo::model::explorer::pause paused;
  int number = 0;
  std::memcpy(&number, request, sizeof number);
  const auto k = static_cast<std::size_t>(number);
  auto& all = orujo::model::now;
  *done = k < all.sent.size() && all.sent[k].is_in;
  if (!*done) return MPI_SUCCESS;
  const auto& m = all.sent[k];
  std::memcpy(all.receives[k], m.content.data(), m.content.size());
  status->MPI_SOURCE = m.from;
  status->MPI_TAG = m.tag;
  all.bytes = static_cast<int>(m.content.size());
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status*, MPI_Datatype, int* count) {
  *count = orujo::model::now.bytes;
  return MPI_SUCCESS;
}

}  // extern "C"
