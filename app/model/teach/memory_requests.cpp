// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/memory_requests.hpp"

#include "app/model/compute/settings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/simt/record/request_rules.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace lloyd {
namespace {

using simt::Asked;
using simt::TracedArray;

QString tr(const char* text) { return QCoreApplication::translate("MemoryRequests", text); }

template <class Act>
void forEachLane(std::uint32_t lanes, Act act) {
  for (; lanes != 0; lanes &= lanes - 1)
    act(static_cast<unsigned>(std::countr_zero(lanes)));
}

int arrayAt(const std::vector<TracedArray>& arrays, std::uint64_t address) {
  const auto found = std::ranges::find_if(
      arrays, [&](const TracedArray& array) { return address - array.first < array.bytes; });
  return found == arrays.end() ? -1 : static_cast<int>(found - arrays.begin());
}

int arrayAt(const std::vector<simt::SharedMemory::Named>& arrays, std::uint64_t offset) {
  const auto found = std::ranges::find_if(arrays, [&](const simt::SharedMemory::Named& array) {
    return offset >= array.offset && offset - array.offset < array.bytes;
  });
  return found == arrays.end() ? -1 : static_cast<int>(found - arrays.begin());
}

void findSectors(MemoryRequest& made, const simt::Request& request) {
  if (made.atomic()) made.turns = simt::globalAtomicTurns(request);
  const auto touched = simt::sectorsOf(request, made.bytes);
  for (std::size_t i = 0; i < touched.count(); ++i) {
    MemoryRequest::Sector sector{touched[i], 0, 0};
    const std::uint64_t begin = sector.number * simt::sectorBytes;
    forEachLane(made.lanes, [&](unsigned lane) {
      for (std::uint64_t byte = made.at[lane]; byte < made.at[lane] + made.bytes; ++byte) {
        if (byte - begin >= simt::sectorBytes) continue;
        sector.lanes |= 1u << lane;
        sector.used |= 1u << (byte - begin);
      }
    });
    made.sectors.push_back(sector);
  }
}

void findWords(MemoryRequest& made, const simt::Request& request) {
  made.parts = simt::partsOf(made.bytes);
  const unsigned lanes = 32 / made.parts;
  for (unsigned part = 0; part < made.parts; ++part) {
    const auto touched = simt::wordsOf(request, made.bytes, part * lanes, lanes);
    for (std::size_t i = 0; i < touched.count(); ++i) {
      MemoryRequest::Word word{touched[i], part, 0};
      for (unsigned lane = part * lanes; lane < (part + 1) * lanes; ++lane) {
        const bool within = made.at[lane] / simt::wordBytes <= word.number &&
                            word.number <= (made.at[lane] + made.bytes - 1) / simt::wordBytes;
        if ((made.lanes >> lane & 1) != 0 && within) word.lanes |= 1u << lane;
      }
      made.words.push_back(word);
    }
  }
  if (made.atomic()) {
    made.turns = simt::sharedAtomicTurns(request, made.bytes);
  } else {
    made.conflicts = simt::bankConflicts(request, made.bytes);
    made.turns = made.parts + made.conflicts;
  }
}

QString coordinateText(std::size_t coordinate, std::size_t dimensions) {
  if (dimensions == 1) return {};
  if (dimensions <= 3) return QStringLiteral(", ") + QLatin1Char("xyz"[coordinate]);
  return tr(", coordinate %1").arg(coordinate + 1);
}

/// "32 lanes", "lane 5".
QString lanesText(const MemoryRequest& request) {
  return request.laneCount() == 1 ? tr("Lane %1").arg(std::countr_zero(request.lanes))
                                  : tr("%1 lanes").arg(request.laneCount());
}
QString verbText(const MemoryRequest& request) {
  const bool one = request.laneCount() == 1;
  if (request.asked == Asked::globalStore || request.asked == Asked::sharedStore)
    return one ? tr("stores") : tr("store");
  return one ? tr("asks for") : tr("ask for");
}
QString turnsText(std::size_t turns) { return countedText(turns, tr("%1 turn"), tr("%1 turns")); }
QString bytesCount(std::uint64_t bytes) { return countedText(bytes, tr("%1 byte"), tr("%1 bytes")); }

QString atomicText(const MemoryRequest& request, const QString& where) {
  const unsigned most = request.mostAtOnePlace();
  const QString begin = request.laneCount() == 1
                            ? tr("%1 changes a value of %2 by an atomic: ").arg(lanesText(request), where)
                            : tr("%1 change values of %2 by atomics: ").arg(lanesText(request), where);
  if (most == request.laneCount() && most > 1)
    return begin + tr("all at one place, %1.").arg(turnsText(request.turns));
  if (most > 1) return begin + tr("up to %1 lanes at one place, %2.").arg(most).arg(turnsText(request.turns));
  return begin + tr("each at a place of its own, %1.").arg(turnsText(request.turns));
}

QString globalText(const MemoryRequest& request, const QString& where) {
  const bool stores = request.asked == Asked::globalStore;
  const std::uint64_t wasted = request.fetchedBytes() - request.usedBytes();
  QString text = tr("%1 %2 %3 in %4 of %5: ")
                     .arg(lanesText(request), verbText(request), bytesCount(request.askedBytes()),
                          countedText(request.sectors.size(), tr("%1 sector"), tr("%1 sectors")), where);
  if (request.laneCount() > 1 && request.mostAtOnePlace() == request.laneCount())
    return text + tr("all lanes the same place.");
  if (wasted == 0)
    return text + (stores ? tr("all of them are written whole.") : tr("all of them are used."));
  return text + (stores ? tr("%1 of their %2 are not written.") : tr("%1 of %2 fetched are wasted."))
                    .arg(countText(wasted), bytesCount(request.fetchedBytes()));
}

QString sharedText(const MemoryRequest& request, const QString& where) {
  QString text = tr("%1 %2 %3 in %4: ")
                     .arg(lanesText(request), verbText(request), bytesCount(request.askedBytes()), where);
  const MemoryRequest::Deepest deepest = request.deepest();
  if (request.parts > 1)
    text += tr("%1 bytes a lane are served in %2 parts. ").arg(request.bytes).arg(request.parts);
  if (request.conflicts > 0)
    return text + tr("bank %1 has to serve %2 words, %3.")
                      .arg(deepest.bank)
                      .arg(deepest.words)
                      .arg(turnsText(request.turns));
  if (request.laneCount() > 1 && request.words.size() == 1)
    return text + tr("all lanes read one word, a broadcast, one turn.");
  const bool broadcasts =
      std::ranges::any_of(request.words, [](const auto& word) { return std::popcount(word.lanes) > 1; });
  return text +
         (broadcasts ? tr("lanes share words, no bank has two, %1.") : tr("no bank has two words, %1."))
             .arg(turnsText(request.turns));
}

} // namespace

unsigned MemoryRequest::laneCount() const { return static_cast<unsigned>(std::popcount(lanes)); }

std::uint64_t MemoryRequest::usedBytes() const {
  std::uint64_t used = 0;
  for (const Sector& sector : sectors)
    used += static_cast<std::uint64_t>(std::popcount(sector.used));
  return used;
}

unsigned MemoryRequest::mostAtOnePlace() const {
  std::map<std::uint64_t, unsigned> places;
  unsigned most = 0;
  forEachLane(lanes, [&](unsigned lane) { most = std::max(most, ++places[at[lane]]); });
  return most;
}

MemoryRequest::Deepest MemoryRequest::deepest() const {
  std::map<std::pair<unsigned, unsigned>, unsigned> depth;
  Deepest deepest;
  for (const Word& word : words) {
    const unsigned here = ++depth[{word.part, word.bank()}];
    if (here > deepest.words) deepest = {word.bank(), here};
  }
  return deepest;
}

BlockRequests blockRequests(const CountInput& input, std::uint32_t block, const std::atomic<bool>* cancel) {
  BlockRequests made;
  made.subject = input.subject;
  made.problem = input.problem;
  made.block = block;
  const Variant& variant = *input.subject.variant;
  if (!isCounted(variant, input.subject.stage)) {
    made.why = tr("No warp makes requests here: it runs on processors");
    return made;
  }
  const std::vector<Label> oldLabels = labelsBefore(input);
  made.why = describeError([&] {
    simt::StageTrace traced = simt::traceStage({.variant = &variant,
                                                .stage = input.subject.stage,
                                                .problem = input.problem,
                                                .points = input.points,
                                                .centroids = input.centroids,
                                                .oldLabels = oldLabels,
                                                .tuning = tuningParametersFor(variant, input.subject.tuning),
                                                .schedule = input.schedule,
                                                .stepsOf = block,
                                                .touched = true,
                                                .cancel = cancel});
    made.blocks = traced.trace.blocks;
    made.steps = std::move(traced.trace.steps);
    made.cut = traced.trace.stepsCut;
    made.record = std::move(traced.trace.block);
    made.sharedArrays = std::move(traced.trace.sharedArrays);
    made.arrays = std::move(traced.arrays);
    made.touched = std::move(traced.touched);
    if (!traced.trace.faults.empty()) made.fault = qtext(traced.trace.faults.front());
    if (made.steps.empty()) made.why = made.fault;
  });
  return made;
}

MemoryRequest requestOf(const BlockRequests& block, const simt::WarpStep& step) {
  MemoryRequest made;
  made.asked = step.asked;
  made.lanes = step.lanes;
  made.bytes = step.bytes;
  made.at = step.at;
  if (step.lanes == 0) return made;
  const std::uint64_t first = step.at[static_cast<unsigned>(std::countr_zero(step.lanes))];
  if (made.shared()) {
    made.array = arrayAt(block.sharedArrays, first);
  } else {
    made.array = arrayAt(block.arrays, first);
    if (made.array >= 0)
      for (std::uint64_t& at : made.at)
        at -= block.arrays[static_cast<std::size_t>(made.array)].first;
  }
  const simt::Request request{made.lanes, made.at};
  if (made.shared())
    findWords(made, request);
  else
    findSectors(made, request);
  return made;
}

std::vector<MemoryRequest> requestsOf(const BlockRequests& block, std::size_t warp, std::string_view file,
                                      int line) {
  std::vector<MemoryRequest> all;
  if (warp >= block.steps.size()) return all;
  for (const simt::WarpStep& step : block.steps[warp])
    if (step.line == line && step.asked < Asked::barrier && step.file == file)
      all.push_back(requestOf(block, step));
  return all;
}

std::vector<MemoryRow> memoryRows(const MemoryRequest& request) {
  std::map<std::uint64_t, MemoryRow> rows;
  const auto wordAt = [&](std::uint64_t word) -> MemoryRow::Word& {
    MemoryRow& row = rows[word / 32];
    row.number = word / 32;
    return row.words[word % 32];
  };
  forEachLane(request.lanes, [&](unsigned lane) {
    for (std::uint64_t byte = request.at[lane]; byte < request.at[lane] + request.bytes; ++byte) {
      MemoryRow::Word& word = wordAt(byte / 4);
      word.lanes |= 1u << lane;
      word.used |= 1u << (byte % 4);
      word.fetched = true;
    }
  });
  for (const MemoryRequest::Sector& sector : request.sectors)
    for (std::uint64_t word = sector.number * 8; word < sector.number * 8 + 8; ++word)
      wordAt(word).fetched = true;
  std::map<std::pair<unsigned, unsigned>, unsigned> depth; // by part and bank
  for (const MemoryRequest::Word& word : request.words)
    ++depth[{word.part, word.bank()}];
  for (const MemoryRequest::Word& word : request.words)
    if (depth[{word.part, word.bank()}] > 1) wordAt(word.number).contended = true;
  std::vector<MemoryRow> all;
  for (auto& [number, row] : rows) {
    if (request.atomic())
      for (MemoryRow::Word& word : row.words)
        word.contended = word.contended || std::popcount(word.lanes) > 1;
    all.push_back(row);
  }
  return all;
}

QString arrayText(const BlockRequests& block, const MemoryRequest& request) {
  const auto at = static_cast<std::size_t>(request.array);
  if (request.shared())
    return request.array < 0 ? tr("shared memory") : tr("shared %1").arg(qtext(block.sharedArrays[at].name));
  return request.array < 0 ? tr("global memory") : qtext(block.arrays[at].name);
}

QString elementText(const BlockRequests& block, const TracedArray& array, std::uint64_t byte) {
  const std::uint64_t element = byte / array.elementBytes;
  const auto dimensions = static_cast<std::size_t>(block.problem.d);
  const std::size_t record = element / array.row, within = element % array.row;
  using Of = TracedArray::Of;
  switch (array.of) {
  case Of::points:
    return element < array.count ? tr("point %1").arg(countText(element)) : tr("padding");
  case Of::clusters:
    return element < array.count ? tr("cluster %1").arg(countText(element)) : tr("padding");
  case Of::pointRows:
    if (within >= array.count || record >= dimensions) return tr("padding");
    return tr("point %1").arg(countText(within)) + coordinateText(record, dimensions);
  case Of::pointRecords:
    if (record >= array.count) return tr("padding");
    return tr("point %1").arg(countText(record)) + coordinateText(within, dimensions);
  case Of::clusterRecords:
    if (record >= array.count) return tr("padding");
    return tr("cluster %1").arg(countText(record)) + coordinateText(within, dimensions);
  default:
    return {};
  }
}

QString laneText(const BlockRequests& block, const MemoryRequest& request, unsigned lane) {
  if ((request.lanes >> lane & 1) == 0) return tr("lane %1 takes no part").arg(lane);
  const std::uint64_t at = request.at[lane];
  if (request.shared()) {
    const int array = arrayAt(block.sharedArrays, at);
    QString text = tr("lane %1: byte %2 of shared memory, bank %3")
                       .arg(lane)
                       .arg(countText(at))
                       .arg(at / simt::wordBytes % simt::banks);
    if (array < 0) return text;
    const auto& named = block.sharedArrays[static_cast<std::size_t>(array)];
    return text + tr(", %1[%2]")
                      .arg(qtext(named.name))
                      .arg((at - named.offset) / std::max<std::size_t>(1, named.elementBytes));
  }
  QString text = tr("lane %1: byte %2 of %3").arg(lane).arg(countText(at), arrayText(block, request));
  if (request.array < 0) return text;
  const QString element = elementText(block, block.arrays[static_cast<std::size_t>(request.array)], at);
  return element.isEmpty() ? text : text + QStringLiteral(", ") + element;
}

QString requestText(const BlockRequests& block, const MemoryRequest& request) {
  const QString where = arrayText(block, request);
  if (request.atomic()) return atomicText(request, where);
  return request.shared() ? sharedText(request, where) : globalText(request, where);
}

QString touchText(const BlockRequests& block, std::size_t element) {
  if (block.arrays.empty() || element >= block.touched.size()) return {};
  const TracedArray& points = block.arrays.front();
  const std::uint64_t byte = std::uint64_t{element} * points.elementBytes;
  const simt::Owner& owner = block.touched[element];
  QString text = tr("byte %1: %2; ").arg(countText(byte), elementText(block, points, byte));
  if (owner.block == simt::Owner::nobody) return text + tr("no thread touches it");
  return text + tr("block %1, warp %2, lane %3")
                    .arg(countText(owner.block))
                    .arg(owner.thread / 32)
                    .arg(owner.thread % 32);
}

} // namespace lloyd
