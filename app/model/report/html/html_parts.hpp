// SPDX-License-Identifier: GPL-3.0-or-later
// What several parts of the page that benchHtml() puts together share.
#pragma once
#include "app/model/report/html/markup.hpp"
#include "gpu/core/contract/stage.hpp"

#include <QString>
#include <QStringList>

#include <span>

namespace lloyd {

/// A picture with its title and a caption that says how to read it.
void writeFigure(Markup& page, const QString& title, const QString& caption, const QStringList& pictures);

/// A heading with a list below; nothing for an empty list.
void writeList(Markup& page, const QString& heading, const QStringList& items);

/// The class of a stage's colour, the same in every plot of a race.
[[nodiscard]] QString stageSeries(Stage stage);
/// The p-quantile, 0 to 1, of the finite values, between its neighbours; NaN without any.
[[nodiscard]] double quantileOf(std::span<const double> values, double p);

} // namespace lloyd
