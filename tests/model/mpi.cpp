#include "tests/model/mpi.hpp"

#include <cstring>
#include <vector>

#include "system/transport/mpi_requests.hpp"
#include "tests/model/explorer.hpp"

namespace orujo::internal::model {
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
};
all_messages now;

// Requests are numbers of receives; this is of a send to nobody, which is complete.
constexpr int to_nobody = -1;
static_assert(sizeof(MPI_Request) >= sizeof(int));

int number_of(const MPI_Request& request) {
  int number = 0;
  std::memcpy(&number, &request, sizeof number);
  return number;
}
MPI_Request request_of(int number) {
  MPI_Request request{};
  std::memcpy(&request, &number, sizeof number);
  return request;
}

bool receive(int number, MPI_Status& status) {
  const auto k = static_cast<std::size_t>(number);
  if (k >= now.sent.size() || !now.sent[k].is_in) return false;
  const message& m = now.sent[k];
  std::memcpy(now.receives[k], m.content.data(), m.content.size());
  status.MPI_SOURCE = m.from;
  status.MPI_TAG = m.tag;
  return true;
}

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

}  // namespace orujo::internal::model

// Before the real ones.
extern "C" {

int MPI_Irecv(void* into, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  const orujo::internal::model::explorer::pause paused;
  auto& receives = orujo::internal::model::now.receives;
  *request = orujo::internal::model::request_of(static_cast<int>(receives.size()));
  receives.push_back(into);
  return MPI_SUCCESS;
}

int MPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  const orujo::internal::model::explorer::pause paused;
  *request = orujo::internal::model::request_of(orujo::internal::model::to_nobody);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const orujo::internal::model::explorer::pause paused;
  *done = orujo::internal::model::receive(orujo::internal::model::number_of(*request), *status);
  if (*done) *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int MPI_Testsome(int requests, MPI_Request* all, int* done, int* places, MPI_Status* statuses) {
  const orujo::internal::model::explorer::pause paused;
  *done = 0;
  for (int k = 0; k < requests; ++k) {
    const int number = orujo::internal::model::number_of(all[k]);
    if (number != orujo::internal::model::to_nobody &&
        !orujo::internal::model::receive(number, statuses[*done]))
      continue;
    places[(*done)++] = k;
    all[k] = MPI_REQUEST_NULL;
  }
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype, int* count) {
  const orujo::internal::model::explorer::pause paused;
  for (const auto& m : orujo::internal::model::now.sent)
    if (m.from == status->MPI_SOURCE && m.tag == status->MPI_TAG) *count = static_cast<int>(m.content.size());
  return MPI_SUCCESS;
}

}  // extern "C"
