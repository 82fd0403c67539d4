// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generators.hpp"

#include <QObject>

#include <string_view>
#include <vector>

class QComboBox;
class QDoubleSpinBox;

namespace lloyd {

class CollapsibleSection;

/// What a generator can be told, as rows of a section: numbers and the order of its points. Only the rows
/// that the generator has are seen.
class GeneratorRows : public QObject {
  Q_OBJECT
public:
  explicit GeneratorRows(CollapsibleSection& section);

  /// Null: no row is seen.
  void show(const GeneratorSpec* spec);

Q_SIGNALS:
  /// A person set a value. text: the whole generator, "blobs:n=1000,d=2,...".
  void changed(const QString& text);

private:
  struct Row {
    std::string_view key;
    QDoubleSpinBox* number = nullptr; ///< null for the order
  };
  void addNumber(std::string_view key, const QString& caption, int decimals);
  void change(std::string_view key, const std::string& value);
  [[nodiscard]] const GeneratorKey* keyOf(std::string_view name) const;

  CollapsibleSection& section_;
  GeneratorSpec spec_; ///< what is seen, with what was set last
  std::vector<Row> rows_;
  QComboBox* order_;
};

} // namespace lloyd
