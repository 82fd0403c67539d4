// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/block/block_texts.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/simt/record/recorder.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lloyd {
namespace {

using simt::Asked;
using simt::SharedScalar;
using Named = simt::SharedMemory::Named;

QString tr(const char* text) { return QCoreApplication::translate("BlockReplay", text); }

const Named* arrayOf(const BlockReplay& replay, std::size_t word) {
  const auto& arrays = replay.block()->sharedArrays;
  const auto found = std::ranges::find_if(arrays, [&](const Named& array) {
    return word * 4 + 3 >= array.offset && word * 4 < array.offset + array.bytes;
  });
  return found == arrays.end() ? nullptr : &*found;
}

QString lanesText(std::uint32_t lanes) {
  return countedText(static_cast<std::uint64_t>(std::popcount(lanes)), tr("%1 lane"), tr("%1 lanes"));
}

QString bytesOfLane(unsigned bytes) { return countedText(bytes, tr("%1 byte"), tr("%1 bytes")); }

QString deedText(const BlockReplay& replay, const simt::WarpStep& step) {
  if (step.asked == Asked::collective) return tr("a warp exchange");
  const QString where = arrayText(*replay.block(), requestOf(*replay.block(), step));
  switch (step.asked) {
  case Asked::globalLoad:
  case Asked::sharedLoad:
    return tr("a load of %1 from %2").arg(bytesOfLane(step.bytes), where);
  case Asked::globalStore:
  case Asked::sharedStore:
    return tr("a store of %1 to %2").arg(bytesOfLane(step.bytes), where);
  default:
    return tr("an atomic on %1 of %2").arg(bytesOfLane(step.bytes), where);
  }
}

QString verbText(Asked asked) {
  switch (asked) {
  case Asked::globalLoad:
  case Asked::sharedLoad:
    return tr("loads it");
  case Asked::globalStore:
  case Asked::sharedStore:
    return tr("stores to it");
  default:
    return tr("changes it by an atomic");
  }
}

/// What a lane does to the word of a race.
QString touchText(const BlockReplay& replay, std::size_t number, std::uint32_t lane) {
  const simt::WarpStep& step = replay.step(number);
  return tr("warp %1, lane %2 %3 at %4 (step %5)")
      .arg(replay.warpOf(number).value_or(0))
      .arg(lane)
      .arg(verbText(step.asked), placeText(replay, step), countText(number));
}

/// The word of a race with another block: "byte 12 of sums, cluster 1, x".
QString globalWordText(const BlockReplay& replay, const BlockReplay::Race& race) {
  const MemoryRequest request = requestOf(*replay.block(), replay.step(race.second));
  if (request.array < 0) return tr("a word of global memory");
  const simt::TracedArray& array = replay.block()->arrays[static_cast<std::size_t>(request.array)];
  const std::uint64_t byte = race.other->word - array.first;
  const QString element = elementText(*replay.block(), array, byte);
  return tr("byte %1 of %2").arg(countText(byte), qtext(array.name)) +
         (element.isEmpty() ? QString() : QStringLiteral(", ") + element);
}

QString sharedWordText(const BlockReplay& replay, std::size_t word) {
  const Named* array = arrayOf(replay, word);
  return array ? tr("word %1 of %2").arg(countText(word - array->offset / 4), qtext(array->name))
               : tr("word %1 of shared memory").arg(countText(word));
}

template <class T>
T read(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

QString scalarText(const SharedScalar& scalar, const std::byte* bytes) {
  using Kind = SharedScalar::Kind;
  constexpr int digits = 7;
  if (scalar.kind == Kind::real && scalar.bytes == sizeof(float))
    return QString::number(static_cast<double>(read<float>(bytes)), 'g', digits);
  if (scalar.kind == Kind::real && scalar.bytes == sizeof(double))
    return QString::number(read<double>(bytes), 'g', digits);
  if (scalar.kind == Kind::whole || scalar.kind == Kind::natural) {
    const bool whole = scalar.kind == Kind::whole;
    switch (scalar.bytes) {
    case 1:
      return whole ? QString::number(read<std::int8_t>(bytes)) : QString::number(read<std::uint8_t>(bytes));
    case 2:
      return whole ? QString::number(read<std::int16_t>(bytes)) : QString::number(read<std::uint16_t>(bytes));
    case 4:
      return whole ? QString::number(read<std::int32_t>(bytes)) : QString::number(read<std::uint32_t>(bytes));
    case 8:
      return whole ? QString::number(read<std::int64_t>(bytes)) : QString::number(read<std::uint64_t>(bytes));
    default:
      break;
    }
  }
  return QStringLiteral("0x%1").arg(read<std::uint32_t>(bytes), 8, 16, QLatin1Char('0'));
}

} // namespace

QString placeText(const BlockReplay& replay, std::string_view file, int line) {
  if (file == replay.block()->subject.variant->info.source) return tr("line %1").arg(line);
  return QStringLiteral("%1:%2").arg(qtext(file).section(QLatin1Char('/'), -1)).arg(line);
}

QString stepText(const BlockReplay& replay, std::size_t number) {
  if (number == 0) return tr("Before the first step: nothing stands in shared memory.");
  const simt::WarpStep& step = replay.step(number);
  if (const auto warp = replay.warpOf(number))
    return tr("Warp %1, %2: %3 at %4.")
        .arg(*warp)
        .arg(lanesText(step.lanes), deedText(replay, step), placeText(replay, step));
  std::uint64_t waiting = 0;
  for (const BlockReplay::WarpState& state : replay.warpsAfter(number - 1))
    waiting += state.doing == BlockReplay::WarpState::Doing::waiting ? 1 : 0;
  return tr("The barrier at %1: ").arg(placeText(replay, step)) +
         countedText(waiting, tr("%1 warp is here and goes on."), tr("all %1 warps are here and go on."));
}

QString endText(const BlockReplay& replay, std::size_t number) {
  if (number < replay.size()) return {};
  switch (replay.end()) {
  case BlockReplay::End::fault:
    return tr("The launch ends here: %1.").arg(replay.block()->fault);
  case BlockReplay::End::cut:
    return tr("The record ends here: of a block %1 steps are kept, shared out among its warps.")
        .arg(countText(simt::Recorder::mostSteps));
  default:
    return tr("The block is done.");
  }
}

QString sizeText(const BlockReplay& replay) {
  return tr("of %1; %2 kept").arg(countText(replay.size()), bytesText(replay.bytes()));
}

/// The place comes first: where there is little room, the end is what is cut.
QString warpText(const BlockReplay& replay, const BlockReplay::WarpState& state) {
  using Doing = BlockReplay::WarpState::Doing;
  const auto there = [&](const QString& what) {
    return state.step ? tr("%1: %2").arg(placeText(replay, *state.step), what) : what;
  };
  switch (state.doing) {
  case Doing::waiting:
    return there(tr("waits at the barrier"));
  case Doing::done:
    return tr("done");
  case Doing::stopped:
    return there(state.lanes == 0
                     ? tr("stopped by the fault")
                     : countedText(static_cast<std::uint64_t>(std::popcount(state.lanes)),
                                   tr("%1 lane waits at the barrier"), tr("%1 lanes wait at the barrier")));
  default:
    return there(state.step ? tr("runs, %1").arg(lanesText(state.lanes)) : tr("runs"));
  }
}

QString briefWarpText(const BlockReplay& replay, const BlockReplay::WarpState& state) {
  using Doing = BlockReplay::WarpState::Doing;
  const QString what = state.doing == Doing::waiting   ? tr("waits")
                       : state.doing == Doing::done    ? tr("done")
                       : state.doing == Doing::stopped ? state.lanes == 0 ? tr("stopped") : tr("waits")
                                                       : tr("runs");
  return state.step && state.doing != Doing::done ? tr("%1: %2").arg(placeText(replay, *state.step), what)
                                                  : what;
}

QString valueText(const BlockReplay& replay, std::size_t number, std::size_t word) {
  const Named* array = arrayOf(replay, word);
  const SharedScalar scalar = array ? array->scalar : SharedScalar();
  const std::size_t bytes = scalar.kind == SharedScalar::Kind::other ? 4 : scalar.bytes;
  // The numbers that have a byte in this word; words beside it may belong to them.
  const std::size_t start = array ? array->offset : 0;
  const std::size_t from = word * 4 < start ? start : word * 4 - (word * 4 - start) % bytes;
  QStringList values;
  for (std::size_t at = from; at < word * 4 + 4; at += bytes) {
    if (array && at >= array->offset + array->bytes) break;
    std::byte content[16]{};
    for (std::size_t part = at / 4; part * 4 < at + bytes; ++part) {
      const BlockReplay::Word known = replay.wordAfter(number, part);
      if (known.step == 0) return tr("not all of it stored yet");
      std::memcpy(content + (part - at / 4) * 4, &known.bits, 4);
    }
    values << scalarText(scalar, content + at % 4);
  }
  return values.join(QStringLiteral(", "));
}

QString wordText(const BlockReplay& replay, std::size_t number, std::size_t word) {
  const Named* array = arrayOf(replay, word);
  const QString name = array ? tr("word %1 of %2, bank %3")
                                   .arg(countText(word - array->offset / 4), qtext(array->name))
                                   .arg(word % 32)
                             : tr("word %1 of shared memory, bank %2").arg(countText(word)).arg(word % 32);
  const BlockReplay::Word known = replay.wordAfter(number, word);
  if (known.step == 0) return tr("%1: nothing is stored there yet").arg(name);
  const simt::WarpStep& step = replay.step(known.step);
  const bool atomic = step.asked == Asked::sharedAtomic;
  const QString who = tr("warp %1, lane %2 at %3, step %4")
                          .arg(replay.warpOf(known.step).value_or(0))
                          .arg(known.lane)
                          .arg(placeText(replay, step), countText(known.step));
  const QString value = valueText(replay, number, word);
  return atomic ? tr("%1: %2 at the next barrier, last changed by an atomic of %3").arg(name, value, who)
                : tr("%1: %2, stored by %3").arg(name, value, who);
}

QString raceText(const BlockReplay& replay, const BlockReplay::Race& race) {
  QString text = race.sameValue ? tr("A race that stores one value") : tr("A race");
  if (race.other) text += tr(" with block %1").arg(race.other->there.block);
  text += tr(" on %1").arg(race.other ? globalWordText(replay, race) : sharedWordText(replay, race.word));
  if (race.words > 1) text += countedText(race.words - 1, tr(" and %1 more word"), tr(" and %1 more words"));
  const QString here = touchText(replay, race.second, race.secondLane);
  if (!race.other)
    return text + tr(": %1 and %2, and nothing orders the two.")
                      .arg(touchText(replay, race.first, race.firstLane), here);
  const auto& there = race.other->there;
  return text + tr(": %1 and thread %2 there %3 at %4, and nothing orders the two.")
                    .arg(here)
                    .arg(there.thread)
                    .arg(verbText(there.asked), placeText(replay, there.file, there.line));
}

} // namespace lloyd
