// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"
#include "gpu/simt/record/counters.hpp"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lloyd {

/// What a card did when it ran one variant, as a profiler counted it.
struct CardCounters {
  QString card; ///< "NVIDIA H200"
  QString variant;
  Problem problem;
  int block = 0;                           ///< 0 where the variant has no such tuning parameter
  std::map<QString, std::uint64_t> values; ///< by the counter's name in reports: "global_load_sectors"
};

/// Rows of a file "variant,n,d,k,block,counter,...", whose name is the card's: "nvidia-h200.csv". Rows that
/// do not fit the header, or whose numbers are none, are left out.
[[nodiscard]] std::vector<CardCounters> readCardCounters(const QString& fileName, const QString& text);
/// The first card of those in the program that was measured with the variant.
[[nodiscard]] std::optional<CardCounters> cardCountersOf(const QString& variant);

/// What can be counted, in human words, one row each. GUI thread.
class CounterModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    nameColumn,
    beforeColumn,     ///< asked by the source of the version before
    nowColumn,        ///< asked by this source
    differenceColumn, ///< with its sign; in words in tooltips and for screen readers
    askedColumn,      ///< asked by this source at the problem that a card was measured with
    doneColumn,       ///< done by the card there
    columnCount_
  };
  enum Role {
    numberRole = Qt::UserRole, ///< the value as a double; invalid when it is not known
    differsRole,               ///< whether the versions' numbers, as they are shown, are not the same
    onCardRole                 ///< whether a card has a number for this row
  };

  /// One column's counters. Empty counters: not known.
  struct Asked {
    QString name; ///< "V3"
    std::optional<simt::Counters> counters;
    bool cut = false; ///< by a fault: they are of a part of the launch, and differ from no whole one
  };

  explicit CounterModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// before without a name: there is no version before, and its column says so with en dashes.
  void setAsked(const Asked& before, const Asked& now) {
    beginResetModel();
    before_ = before;
    now_ = now;
    endResetModel();
  }
  /// Nothing: no card was measured with this variant.
  void setCard(const std::optional<CardCounters>& card, const std::optional<simt::Counters>& asked) {
    beginResetModel();
    card_ = card;
    askedThere_ = asked;
    endResetModel();
  }
  [[nodiscard]] const std::optional<CardCounters>& card() const { return card_; }
  /// Every number that is known reads "?", and nothing tells which of them differ.
  [[nodiscard]] bool hidden() const { return hidden_; }
  void setHidden(bool hidden) {
    if (hidden_ == hidden) return;
    beginResetModel();
    hidden_ = hidden;
    endResetModel();
  }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columnCount_;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;
  /// "26,880 more", where other tables say so.
  [[nodiscard]] QString differenceInWords(int row) const { return text(row, differenceColumn, true); }

private:
  [[nodiscard]] bool isCut() const { return before_.cut || now_.cut; }
  [[nodiscard]] std::optional<double> value(int row, int column) const;
  [[nodiscard]] QString text(int row, int column, bool words = false) const;

  Asked before_;
  Asked now_;
  std::optional<CardCounters> card_;
  std::optional<simt::Counters> askedThere_;
  bool hidden_ = false;
};

/// A number of the table as it stands there, by the untranslated name of its row: "sectors a load".
struct NamedCount {
  std::optional<double> value; ///< nothing where there is nothing to divide by
  QString text;
  bool whole = true; ///< a count, not a ratio
};
/// Nothing where the table has no such row.
[[nodiscard]] std::optional<NamedCount> namedCount(const QString& name, const simt::Counters& counters);

/// What stands where a number is hidden.
[[nodiscard]] QString hiddenText();

/// What one line of a source asked, in a few words for its margin: "512 req · 2,048 sectors"; shortened, only
/// the last of them: "2,048 sectors".
[[nodiscard]] QString marginText(const simt::Counters& counters, bool shortened = false);
/// Everything that it asked, a line each; empty when it asked nothing.
[[nodiscard]] QString everythingText(const simt::Counters& counters);

} // namespace lloyd
