// Packs and unpacks segments of a mask on a card (pack.hpp, unpack.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/failure.hpp"
#include "framework/device/pack.hpp"
#include "framework/device/unpack.hpp"
#include "framework/exchange/codecs/selection.hpp"

namespace orujo::device {

// Which lists a card encodes as --codec and --codec_min_bytes have it. Automatic is bp128 where the CPU
// chooses among bp128, pfor and bitmap: whoever reads a list sees by which codec it comes. Nothing for codecs
// that the card does not have, and for `none`, with which nothing travels as words.
inline std::optional<pack_rule> pack_rule_of(const exchange::codec_options& options, bool same_node) {
  const auto place = [](const char* name) { return exchange::place_of(exchange::find_codec(name)); };
  const int bp128 = place("bp128");
  if (options.wanted >= 0 && options.wanted != bp128) return std::nullopt;
  return pack_rule{static_cast<std::uint32_t>(place("none")), static_cast<std::uint32_t>(bp128),
                   options.wanted == bp128 || !same_node,
                   static_cast<std::uint32_t>(std::min<std::size_t>(options.min_bytes, UINT32_MAX)),
                   static_cast<std::uint32_t>(exchange::bitmap_density_inverse)};
}

// Of the same segments each time. Used by one task at a time; its functions suspend while the card works, and
// throw failure where it is lost. On is serial or cuda and outlives it.
//
// Takes, for every bit of the segments, 1.5 bytes.
template <class On>
class mask_packer {
 public:
  mask_packer(On& on, std::span<const mask_segment> segments, const pack_rule& rule)
      : on_(on),
        segments_here_(segments.begin(), segments.end()),
        segments_(on, segments),
        packed_(on, segments.size()),
        all_bytes_(on, 1) {
    std::uint32_t most = 0;
    std::size_t room = 0;
    for (const mask_segment& s : segments) {
      most = std::max(most, s.words);
      room += packing::round_up(s.words * 4 + packing::alignment, packing::alignment);
    }
    const std::uint32_t members = most * 32 / rule.density_inverse + 1;
    view_.size = static_cast<std::uint32_t>(segments.size());
    view_.chunks_each = (most + packing::words_of_chunk - 1) / packing::words_of_chunk;
    view_.blocks_each = std::max(packing::blocks_of(members), 1u);
    view_.members_each = members;
    view_.rule = rule;
    chunks_ = {on, segments.size() * view_.chunks_each};
    widths_ = {on, segments.size() * view_.blocks_each};
    blocks_ = {on, segments.size() * view_.blocks_each};
    sums_ = {on, segments.size() * view_.blocks_each};
    members_ = {on, segments.size() * members};
    bytes_ = {on, room + packing::slack};
    view_.segments = segments_.data();
    view_.packed = packed_.data();
    view_.chunks = chunks_.data();
    view_.widths = widths_.data();
    view_.blocks = blocks_.data();
    view_.sums = sums_.data();
    view_.members = members_.data();
    view_.bytes = bytes_.data();
    packed_here_.resize(segments.size());
    on.wait();
  }

  std::span<const mask_segment> segments() const { return segments_here_; }

  // Leaves every segment's message in message().
  void pack(const std::uint32_t* mask) {
    const std::uint32_t chunks = view_.size * view_.chunks_each, blocks = view_.size * view_.blocks_each;
    launch(chunks, count_chunks{view_, mask});
    launch(view_.size, count_segments{view_});
    launch(chunks, list_in_order{view_, mask});
    if (view_.rule.encodes) launch(blocks, measure_blocks{view_});
    launch(view_.size, choose_forms{view_});
    launch(1, place_messages{view_, all_bytes_.data()});
    launch(chunks, write_plain{view_, mask});
    if (view_.rule.encodes) launch(blocks, write_blocks{view_});
    std::uint32_t bytes = 0;
    packed_.copy_out(packed_here_);
    all_bytes_.copy_out({&bytes, 1});
    on_.wait();
    bytes_here_.resize(bytes);
    bytes_.copy_out(bytes_here_);
    on_.wait();
  }
  // Of a segment, until the next pack() or unpack().
  const packed_segment& packed(std::size_t segment) const { return packed_here_[segment]; }
  std::span<const std::uint8_t> message(std::size_t segment) const {
    return std::span(bytes_here_).subspan(packed_here_[segment].offset, packed_here_[segment].bytes);
  }

  // The opposite: `mask` gets the members of messages that pack(), or a CPU's bit_packer, has made of the
  // segments, beside what it has. packed: by segment, with places of their messages in `bytes`. False where a
  // message cannot be of its segment.
  bool unpack(std::span<const packed_segment> packed, std::span<const std::uint8_t> bytes,
              std::uint32_t* mask) {
    for (std::size_t s = 0; s < packed.size(); ++s) {
      if (!is_right(packed[s], segments_here_[s], bytes.size())) return false;
    }
    packed_.copy_in(packed);
    bytes_.copy_in(bytes);
    all_bytes_.fill(0);
    const std::uint32_t blocks = view_.size * view_.blocks_each;
    launch(view_.size, find_blocks{view_, all_bytes_.data()});
    launch(blocks, unpack_blocks{view_});
    launch(view_.size, add_blocks{view_});
    launch(blocks, merge_messages{view_, mask, all_bytes_.data()});
    std::uint32_t wrong = 0;
    all_bytes_.copy_out({&wrong, 1});
    on_.wait();
    return wrong == 0;
  }

 private:
  template <class Kernel>
  void launch(std::uint32_t items, const Kernel& kernel) {
    on_.launch(std::min(items, on_.resident_warps()), kernel);
  }

  bool is_right(const packed_segment& p, const mask_segment& of, std::size_t bytes) const {
    if (p.offset > bytes || p.bytes > bytes - p.offset || bytes + packing::slack > bytes_.size())
      return false;
    if (p.codec == packed_segment::as_words) return p.bytes == of.words * 4;
    if (p.codec != view_.rule.none && p.codec != view_.rule.bp128) return false;
    if (p.count > view_.members_each) return false;
    return p.codec == view_.rule.none ? p.bytes == packing::list_head + 4 * p.count
                                      : p.count > 0 && p.bytes >= packing::bytes_before(p, view_.rule.none);
  }

  On& on_;
  std::vector<mask_segment> segments_here_;
  std::vector<packed_segment> packed_here_;
  std::vector<std::uint8_t> bytes_here_;
  packing_view view_{};
  array<mask_segment, On> segments_;
  array<packed_segment, On> packed_;
  array<std::uint32_t, On> chunks_, blocks_, sums_, members_;
  array<std::uint8_t, On> widths_, bytes_;
  array<std::uint32_t, On> all_bytes_;
};

}  // namespace orujo::device
