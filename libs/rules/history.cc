#include "libs/rules/history.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

constexpr std::uint8_t kMagic = 0xA5;
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kCheckBit = 1u << 4;
constexpr unsigned kSquareBits = 7;
constexpr unsigned kSquareMask = (1u << kSquareBits) - 1;
constexpr unsigned kPromotesBit = 1u << 14;
constexpr unsigned kDropBit = 1u << 15;
constexpr int kMaxQuietPlies = 0xFFFF;

unsigned PackMove(Variant variant, Move move) {
  const auto to = static_cast<unsigned>(SquareIndex(variant, move.to));
  if (move.is_drop()) {
    return to | static_cast<unsigned>(move.dropped) << kSquareBits | kDropBit;
  }
  const auto from = static_cast<unsigned>(SquareIndex(variant, move.from));
  return to | from << kSquareBits | (move.promotes ? kPromotesBit : 0u);
}

Move UnpackMove(Variant variant, unsigned bits) {
  const Square to = SquareAt(variant, static_cast<int>(bits & kSquareMask));
  const unsigned second = bits >> kSquareBits & kSquareMask;
  if ((bits & kDropBit) != 0) return Move::Drop(static_cast<Kind>(second), to);
  return Move::Board(SquareAt(variant, static_cast<int>(second)), to, (bits & kPromotesBit) != 0);
}

std::uint8_t PackVerdict(const Verdict& verdict) {
  const unsigned winner = verdict.winner ? 1u + static_cast<unsigned>(*verdict.winner) : 0u;
  return static_cast<std::uint8_t>(static_cast<unsigned>(verdict.ending) | winner << 6);
}

Verdict UnpackVerdict(std::uint8_t bits) {
  Verdict verdict;
  verdict.ending = static_cast<Ending>(bits & 63u);
  if (const unsigned winner = bits >> 6; winner != 0) {
    verdict.winner = static_cast<Side>(winner - 1);
  }
  return verdict;
}

bool IsVerdict(std::uint8_t bits) { return (bits & 63) < kEndingCount && bits >> 6 <= 2; }

void Append(std::string& bytes, std::uint32_t value, std::size_t count) {
  std::array<char, 4> digits{};
  for (std::size_t i = 0; i < count; ++i) digits[i] = static_cast<char>(value >> (8 * i) & 255);
  bytes.append(digits.data(), count);
}

}  // namespace

std::string EncodeHeader(const HistoryHeader& header) {
  std::string bytes;
  Append(bytes, kMagic, 1);
  Append(bytes, kVersion, 1);
  Append(bytes, static_cast<std::uint32_t>(header.variant), 1);
  Append(bytes, static_cast<std::uint32_t>(header.side_to_move), 1);
  Append(bytes, header.key, 4);
  Append(bytes, static_cast<std::uint32_t>(header.plies_before), 2);
  Append(bytes, static_cast<std::uint32_t>(std::min(header.quiet_plies, kMaxQuietPlies)), 2);
  Append(bytes, static_cast<std::uint32_t>(header.credit[0]), 1);
  Append(bytes, static_cast<std::uint32_t>(header.credit[1]), 1);
  Append(bytes, PackVerdict(header.verdict), 1);
  Append(bytes, 0, 1);
  return bytes;
}

void AppendEntry(std::string& history, Variant variant, const HistoryEntry& entry) {
  Append(history, entry.key, 4);
  Append(history, PackMove(variant, entry.move), 2);
  Append(history, static_cast<std::uint32_t>(entry.captured) | (entry.check ? kCheckBit : 0u), 1);
  Append(history, PackVerdict(entry.verdict), 1);
}

void SetLastVerdict(std::string& history, const Verdict& verdict) {
  history.back() = static_cast<char>(PackVerdict(verdict));
}

bool HistoryView::Valid() const {
  if (bytes_.size() < kHeaderBytes || (bytes_.size() - kHeaderBytes) % kEntryBytes != 0) {
    return false;
  }
  if (Byte(0) != kMagic || Byte(1) != kVersion || Byte(15) != 0) return false;
  if (Byte(2) >= std::size(kVariants) || Byte(3) > 1) return false;
  return IsVerdict(Byte(14)) && IsVerdict(Byte(plies() == 0 ? 14 : bytes_.size() - 1));
}

HistoryHeader HistoryView::header() const {
  HistoryHeader header;
  header.variant = static_cast<Variant>(Byte(2));
  header.side_to_move = static_cast<Side>(Byte(3));
  header.key = Word(4);
  header.plies_before = Byte(8) | Byte(9) << 8;
  header.quiet_plies = Byte(10) | Byte(11) << 8;
  header.credit = {Byte(12), Byte(13)};
  header.verdict = UnpackVerdict(Byte(14));
  return header;
}

HistoryEntry HistoryView::entry(int ply) const {
  const std::size_t at = EntryAt(ply);
  HistoryEntry entry;
  entry.key = Word(at);
  entry.move = UnpackMove(static_cast<Variant>(Byte(2)),
                          static_cast<unsigned>(Byte(at + 4) | Byte(at + 5) << 8));
  entry.captured = CapturedAt(ply);
  entry.check = CheckedAt(ply);
  entry.verdict = UnpackVerdict(Byte(at + 7));
  return entry;
}

std::uint32_t HistoryView::KeyAfter(int plies) const {
  return Word(plies == 0 ? 4 : EntryAt(plies - 1));
}

int HistoryView::FirstPlyWithLastKey() const {
  const int last = plies();
  // In the machine's byte order, which does not matter for comparing.
  const auto word_at = [this](std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + at, sizeof(word));
    return word;
  };
  if (last == 0) return 0;
  const std::uint32_t wanted = word_at(EntryAt(last - 1));
  const bool start_fits = last % 2 == 0;  // the same side is to move only every second ply
  if (start_fits && word_at(4) == wanted) return 0;
  int ply = start_fits ? 2 : 1;
  for (std::size_t at = EntryAt(ply - 1); ply < last; ply += 2, at += 2 * kEntryBytes) {
    if (word_at(at) == wanted) return ply;
  }
  return last;
}

bool HistoryView::CheckedAt(int ply) const { return (Byte(EntryAt(ply) + 6) & kCheckBit) != 0; }
Kind HistoryView::CapturedAt(int ply) const {
  return static_cast<Kind>(Byte(EntryAt(ply) + 6) & 15);
}

int HistoryView::QuietPliesAfter(int plies) const {
  for (int ply = plies - 1; ply >= 0; --ply) {
    if (CapturedAt(ply) != Kind::kNone) return plies - 1 - ply;
  }
  return header().quiet_plies + plies;
}

Verdict HistoryView::last_verdict() const {
  return UnpackVerdict(Byte(plies() == 0 ? 14 : bytes_.size() - 1));
}

std::uint32_t HistoryView::Word(std::size_t at) const {
  return static_cast<std::uint32_t>(Byte(at)) | static_cast<std::uint32_t>(Byte(at + 1)) << 8 |
         static_cast<std::uint32_t>(Byte(at + 2)) << 16 |
         static_cast<std::uint32_t>(Byte(at + 3)) << 24;
}

}  // namespace komadai::rules
