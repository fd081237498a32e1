#include "tests/model/memory.hpp"

namespace orujo::model {

place& memory::at(const void* address, std::uint64_t now, int thread) {
  place& p = places_[reinterpret_cast<std::uintptr_t>(address)];
  if (p.stores.empty()) {
    p.stores.push_back({now, 0, 0, {}});
    cells_[reinterpret_cast<std::uintptr_t>(address) / 8].has_atomics = true;
  }
  if (p.stores.back().value != now) {  // by code that does not come here
    write(p, now, __ATOMIC_SEQ_CST, thread, false);
  }
  return p;
}

std::size_t memory::readable(const place& p, int order, int thread) const {
  std::size_t oldest = p.seen[thread];
  for (std::size_t k = p.stores.size(); k-- > oldest;) {
    if (p.stores[k].time <= clocks[thread].time[p.stores[k].thread]) {
      oldest = k;
      break;
    }
  }
  if (order == __ATOMIC_SEQ_CST) oldest = std::max(oldest, p.last_sequential);
  return p.stores.size() - oldest;
}

std::uint64_t memory::read(place& p, std::size_t age, int order, int thread) {
  const std::size_t index = p.stores.size() - 1 - age;
  p.seen[thread] = std::max(p.seen[thread], index);
  if (acquires(order)) clocks[thread].join(p.stores[index].releases);
  return p.stores[index].value;
}

void memory::write(place& p, std::uint64_t value, int order, int thread, bool continues) {
  stored made{value, thread, clocks[thread].time[thread], {}};
  if (continues) made.releases = p.stores.back().releases;
  if (releases(order)) made.releases.join(clocks[thread]);
  p.stores.push_back(made);
  p.seen[thread] = p.stores.size() - 1;
  if (order == __ATOMIC_SEQ_CST) p.last_sequential = p.stores.size() - 1;
}

template <class F>
std::string memory::each_cell(std::uintptr_t at, std::size_t bytes, F f) {
  std::string found;
  while (bytes > 0 && found.empty()) {
    const std::size_t offset = at % 8, some = std::min<std::size_t>(bytes, 8 - offset);
    found = f(at / 8, static_cast<std::uint8_t>(((1u << some) - 1) << offset));
    at += some;
    bytes -= some;
  }
  return found;
}

std::string memory::read_plain(std::uintptr_t at, std::size_t bytes, int thread) {
  return each_cell(at, bytes, [&](std::uintptr_t number, std::uint8_t mask) -> std::string {
    cell& c = cells_[number];
    const vector_clock& mine = clocks[thread];
    if ((c.written.bytes & mask) != 0 && c.writer != thread && c.written.time > mine.time[c.writer])
      return "reads what thread " + std::to_string(c.writer) + " writes";
    c.read[thread] = {mine.time[thread], static_cast<std::uint8_t>(c.read[thread].bytes | mask)};
    return {};
  });
}

std::string memory::write_plain(std::uintptr_t at, std::size_t bytes, int thread) {
  return each_cell(at, bytes, [&](std::uintptr_t number, std::uint8_t mask) -> std::string {
    cell& c = cells_[number];
    if (c.has_atomics) {  // which are made anew
      for (std::uintptr_t k = 0; k < 8; ++k) {
        if ((mask >> k & 1) != 0) places_.erase(number * 8 + k);
      }
    }
    const vector_clock& mine = clocks[thread];
    if ((c.written.bytes & mask) != 0 && c.writer != thread && c.written.time > mine.time[c.writer])
      return "writes what thread " + std::to_string(c.writer) + " writes";
    for (int k = 0; k < most_threads; ++k) {
      if ((c.read[k].bytes & mask) != 0 && k != thread && c.read[k].time > mine.time[k])
        return "writes what thread " + std::to_string(k) + " reads";
    }
    c.written = {mine.time[thread],
                 static_cast<std::uint8_t>(c.writer == thread ? c.written.bytes | mask : mask)};
    c.writer = thread;
    return {};
  });
}

void memory::forget(std::uintptr_t at, std::size_t bytes) {
  const auto within = [&](const auto& entry, std::uintptr_t unit) {
    return entry.first * unit + unit > at && entry.first * unit < at + bytes;
  };
  if (bytes / 8 > cells_.size() + places_.size()) {
    std::erase_if(cells_, [&](const auto& entry) { return within(entry, 8); });
    std::erase_if(places_, [&](const auto& entry) { return within(entry, 1); });
    return;
  }
  for (std::uintptr_t k = at; k < at + bytes; ++k) {
    if (k % 8 == 0 || k == at) cells_.erase(k / 8);
    places_.erase(k);
  }
}

}  // namespace orujo::model
