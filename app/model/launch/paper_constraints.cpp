// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/launch/paper_constraints.hpp"

#include "app/text/numbers.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace lloyd {
namespace {

struct PaperText {
  Q_DECLARE_TR_FUNCTIONS(PaperText)
};

QString number(std::size_t value) { return countText(value); }
QString number(int value) { return countText(static_cast<std::uint64_t>(value)); }

} // namespace

std::vector<PaperConstraint> paperConstraints(const CardLimits& card, const LaunchNeeds& needs,
                                              std::size_t points, int items, int multiprocessors) {
  const Occupancy found = occupancy(card, needs);
  const auto bound = [&](Resource resource) { return found.roomOf(resource) == found.blocks; };
  const std::size_t perBlock = static_cast<std::size_t>(needs.threads) * static_cast<std::size_t>(items);
  const std::size_t blocks = (points + perBlock - 1) / perBlock;
  std::vector<PaperConstraint> all;
  all.push_back(
      {PaperText::tr("(1), in words: so many blocks that no multiprocessor idles"),
       multiprocessors > 0
           ? PaperText::tr("%1 blocks for %2 multiprocessors").arg(number(blocks), number(multiprocessors))
           : PaperText::tr("%1 blocks").arg(number(blocks)),
       multiprocessors > 0 && blocks < static_cast<std::size_t>(multiprocessors),
       {}});
  all.push_back({PaperText::tr("(3), in words: shared memory a block by the blocks of a multiprocessor"),
                 PaperText::tr("%1 blocks of %2 bytes in %3")
                     .arg(number(found.blocks), number(needs.sharedBytes + card.sharedReserved),
                          number(card.sharedBytes)),
                 bound(Resource::shared),
                 {}});
  const int registers = needs.registers * needs.threads;
  all.push_back(
      {PaperText::tr("(4) registers a block = registers a thread × threads a block"),
       PaperText::tr("%1 × %2 = %3 of %4")
           .arg(number(needs.registers), number(needs.threads), number(registers), number(card.registers)),
       bound(Resource::registers),
       PaperText::tr("Registers are given to warps in pieces of %1, so a block may take more.")
           .arg(card.registerUnit)});
  all.push_back(
      {PaperText::tr("(6) registers a thread ≤ 63"), PaperText::tr("%1").arg(number(needs.registers)),
       needs.registers > 63,
       card.registersPerThread == 63
           ? QString()
           : PaperText::tr("63 is the limit of compute capability 3.0, the paper's GTX 680; its GTX "
                           "970 and this card allow %1.")
                 .arg(card.registersPerThread)});
  all.push_back({PaperText::tr("(7) least threads a multiprocessor ≤ threads a block ≤ most threads a "
                               "multiprocessor"),
                 PaperText::tr("%1 of %2").arg(number(needs.threads), number(card.threads())),
                 needs.threads > card.threads(),
                 PaperText::tr("It holds a block against a multiprocessor; a block's own limit is %1.")
                     .arg(number(card.threadsPerBlock))});
  all.push_back({PaperText::tr("(8), in words: the same points in all when a thread takes more of them"),
                 PaperText::tr("%1 blocks × %2 threads × %3 ≥ %4")
                     .arg(number(blocks), number(needs.threads),
                          pointsText(static_cast<std::uint64_t>(items)), pointsText(points)),
                 false, PaperText::tr("It says how many blocks there are, and limits nothing.")});
  all.push_back({PaperText::tr("(10), cited in line 262"), PaperText::tr("–"), false,
                 PaperText::tr("The paper has no formula (10).")});
  return all;
}

} // namespace lloyd
