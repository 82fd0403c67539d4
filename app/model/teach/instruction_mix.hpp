// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/version_model.hpp"

#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace lloyd {

/// What an instruction is for, in the order of the shipped table.
inline constexpr std::size_t instructionClasses = 8;

/// The instructions of a variant's inner loop, as scripts/instruction-mix.py counted them in machine code.
struct InstructionMix {
  QString kernel; ///< with the values it was compiled for: "classify_v3<D=2 How=0>"
  int depth = 0;  ///< loops around an instruction of it; 0: the kernel has no loop and is counted whole
  QString lines;  ///< of the source that they come from: "48-51+53 tiles.hpp:30"
  int instructions = 0;
  std::array<int, instructionClasses> counts{};
  std::array<QString, instructionClasses> places; ///< lines by class
};

/// A table "variant,kernel,...", below a line that names compiler and architecture.
struct InstructionTable {
  QString compiler;                        ///< "nvcc 13.0.88"
  QString architecture;                    ///< "sm_90"
  std::map<QString, InstructionMix> mixes; ///< by variant
};

/// Rows whose numbers are none, or do not add up, are left out.
[[nodiscard]] InstructionTable readInstructions(const QString& text);
/// That in the program. Read once, then immutable.
[[nodiscard]] const InstructionTable& shippedInstructions();

/// The names of classes in the table, and the words for them.
[[nodiscard]] QStringList instructionClassKeys();
[[nodiscard]] QString instructionClassName(std::size_t of);
[[nodiscard]] QString instructionClassMeaning(std::size_t of);
/// "lines 48–51, 53; tiles.hpp 30" of "48-51+53 tiles.hpp:30"; "line 51" of "51".
[[nodiscard]] QString linesText(const QString& lines);

/// The mixes of a version and the one before, a row for each class that one of them has, and one for all.
/// GUI thread.
class InstructionModel : public VersionModel {
  Q_OBJECT
public:
  struct Version {
    QString name;                        ///< "V3"; empty: there is none
    const InstructionMix* mix = nullptr; ///< outlives the model; null: not counted
  };

  explicit InstructionModel(QObject* parent = nullptr) : VersionModel(parent) {}
  void setVersions(const Version& before, const Version& now);
  [[nodiscard]] const Version& before() const { return before_; }
  [[nodiscard]] const Version& now() const { return now_; }
  /// "V3: 9 instructions, 1 multiply-adds, 2 shared memory", for who does not see bars.
  [[nodiscard]] static QString spoken(const Version& version);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString meaning(int row) const override;
  [[nodiscard]] std::optional<std::size_t> partOf(int row) const override;
  [[nodiscard]] QString versionName(Column column) const override {
    return column == beforeColumn ? before_.name : now_.name;
  }

private:
  Version before_;
  Version now_;
  std::vector<std::size_t> shown_; ///< classes
};

} // namespace lloyd
