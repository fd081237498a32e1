#include "tests/model/memory.hpp"

#include <iterator>

namespace orujo::internal::model {

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

std::size_t memory::oldest(const place& p, int thread) const {
  const vector_clock& mine = clocks[thread];
  std::size_t found = 0;
  for (std::size_t k = p.stores.size(); k-- > 0 && found == 0;) {
    if (p.stores[k].time <= mine.time[p.stores[k].thread]) found = k;
  }
  for (int k = 0; k < most_threads; ++k) {  // what others have read before, too
    const std::vector<look>& looks = p.looks[k];
    const auto later = std::upper_bound(looks.begin(), looks.end(), mine.time[k],
                                        [](std::uint32_t time, const look& l) { return time < l.time; });
    if (later != looks.begin()) found = std::max(found, std::prev(later)->index);
  }
  return found;
}

std::size_t memory::readable(const place& p, int order, int thread) const {
  std::size_t from = oldest(p, thread);
  if (order == __ATOMIC_SEQ_CST) from = std::max(from, p.sequential);
  return p.stores.size() - from;
}

std::uint64_t memory::read(place& p, std::size_t age, int order, int thread) {
  const std::size_t index = p.stores.size() - 1 - age;
  std::vector<look>& mine = p.looks[thread];
  if (mine.empty() || mine.back().index < index) mine.push_back({clocks[thread].time[thread], index});
  if (order == __ATOMIC_SEQ_CST) p.sequential = std::max(p.sequential, index);
  (acquires(order) ? clocks : to_acquire_.data())[thread].join(p.stores[index].releases);
  return p.stores[index].value;
}

void memory::write(place& p, std::uint64_t value, int order, int thread, bool continues) {
  stored made{value, thread, clocks[thread].time[thread], {}};
  if (continues) made.releases = p.stores.back().releases;
  made.releases.join(releases(order) ? clocks[thread] : to_release_[thread]);
  p.stores.push_back(made);
  if (order == __ATOMIC_SEQ_CST) p.sequential = p.stores.size() - 1;
}

// The standard's [atomics.order], paragraph 4. Operations that happen before a sequentially consistent fence,
// or are such operations before it, are visible to threads after a later one.
void memory::fence(int order, int thread) {
  if (acquires(order)) clocks[thread].join(to_acquire_[thread]);
  if (order == __ATOMIC_SEQ_CST) {
    for (auto& [address, p] : places_) {
      p.sequential = std::max(p.sequential, oldest(p, thread));
      p.looks[thread].push_back({clocks[thread].time[thread], p.sequential});
    }
  }
  if (releases(order)) to_release_[thread] = clocks[thread];
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

std::string memory::race_with(const std::array<touch, most_threads>& touches, std::uint8_t mask, int thread,
                              const char* doing) const {
  for (int k = 0; k < most_threads; ++k) {
    if ((touches[k].bytes & mask) != 0 && k != thread && touches[k].time > clocks[thread].time[k])
      return doing + std::to_string(k);
  }
  return {};
}

std::string memory::race_with_writer(const cell& c, std::uint8_t mask, int thread, const char* doing) const {
  const bool races =
      (c.written.bytes & mask) != 0 && c.writer != thread && c.written.time > clocks[thread].time[c.writer];
  return races ? doing + std::to_string(c.writer) : std::string();
}

std::string memory::read_plain(std::uintptr_t at, std::size_t bytes, int thread) {
  return each_cell(at, bytes, [&](std::uintptr_t number, std::uint8_t mask) {
    cell& c = cells_[number];
    std::string race = race_with_writer(c, mask, thread, "reads what is written by thread ");
    if (race.empty())
      race = race_with(c.atomic_written, mask, thread, "reads an atomic that is written by thread ");
    touch& mine = c.read[thread];
    mine = {clocks[thread].time[thread], static_cast<std::uint8_t>(mine.bytes | mask)};
    return race;
  });
}

std::string memory::write_plain(std::uintptr_t at, std::size_t bytes, int thread) {
  return each_cell(at, bytes, [&](std::uintptr_t number, std::uint8_t mask) {
    cell& c = cells_[number];
    if (c.has_atomics) {  // which are made anew
      for (std::uintptr_t k = 0; k < 8; ++k) {
        if ((mask >> k & 1) != 0) places_.erase(number * 8 + k);
      }
    }
    std::string race = race_with_writer(c, mask, thread, "writes what is written by thread ");
    if (race.empty()) race = race_with(c.read, mask, thread, "writes what is read by thread ");
    if (race.empty())
      race = race_with(c.atomic_written, mask, thread, "writes an atomic that is written by thread ");
    if (race.empty())
      race = race_with(c.atomic_read, mask, thread, "writes an atomic that is read by thread ");
    c.written = {clocks[thread].time[thread],
                 static_cast<std::uint8_t>(c.writer == thread ? c.written.bytes | mask : mask)};
    c.writer = thread;
    return race;
  });
}

std::string memory::touch_atomic(std::uintptr_t at, std::size_t bytes, int thread, bool writes) {
  return each_cell(at, bytes, [&](std::uintptr_t number, std::uint8_t mask) {
    cell& c = cells_[number];
    std::string race = race_with_writer(c, mask, thread, "uses an atomic that is made by thread ");
    if (race.empty() && writes)
      race = race_with(c.read, mask, thread, "writes an atomic that is copied by thread ");
    touch& mine = (writes ? c.atomic_written : c.atomic_read)[thread];
    mine = {clocks[thread].time[thread], static_cast<std::uint8_t>(mine.bytes | mask)};
    return race;
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

}  // namespace orujo::internal::model
