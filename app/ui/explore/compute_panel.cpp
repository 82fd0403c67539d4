// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/compute_panel.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/tuning/default_origin_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/explore/allowed_values.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <tuple>

namespace lloyd {

namespace {

QString stageTip(Stage stage) {
  return stage == Stage::fused ? ComputePanel::tr("One pass that classifies and reduces, in place of the two")
                               : ComputePanel::tr("Which way of writing the stage runs");
}

void setItem(QComboBox& box, int index, bool enabled, const QString& tip) {
  box.setItemData(index, tip, Qt::ToolTipRole);
  if (auto* model = qobject_cast<QStandardItemModel*>(box.model())) model->item(index)->setEnabled(enabled);
}

} // namespace

ComputePanel::ComputePanel(Session& session, const VariantListModel& ladder, QWidget* parent)
    : CollapsibleSection(tr("Compute"), parent), session_(session), ladder_(ladder),
      backend_(new QComboBox(this)), interop_(new QComboBox(this)) {
  const auto narrow = [](QComboBox* box) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
  };
  backend_->setObjectName(QStringLiteral("backend"));
  backend_->addItem(tr("automatic"), static_cast<int>(BackendRequest::automatic));
  backend_->addItem(tr("CUDA"), static_cast<int>(BackendRequest::cuda));
  backend_->addItem(tr("CPU"), static_cast<int>(BackendRequest::cpu));
  backend_->addItem(tr("SIMT simulator"), static_cast<int>(BackendRequest::simt));
  backend_->setToolTip(tr("What computes: automatic takes a CUDA device when there is one"));
  setItem(*backend_, 3, true,
          tr("Runs the CUDA variants' own source thread by thread: exact results, a simulator's times"));
  addRow(tr("Backend"), backend_);
  interop_->setObjectName(QStringLiteral("interop"));
  interop_->addItem(tr("automatic"), static_cast<int>(InteropRequest::automatic));
  interop_->addItem(tr("shared buffer"), static_cast<int>(InteropRequest::shared));
  interop_->addItem(tr("staged copy"), static_cast<int>(InteropRequest::staged));
  interop_->setToolTip(
      tr("How points reach the window: CUDA works in OpenGL's own buffers, or results are copied"));
  addRow(tr("Sharing"), interop_);
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused}) {
    auto* box = new QComboBox(this);
    box->setObjectName(qtext(name(stage)));
    narrow(box);
    variants_[stage] = box;
    QString caption = qtext(name(stage));
    caption[0] = caption[0].toUpper();
    box->setToolTip(stageTip(stage));
    addRow(caption, box);
    connect(box, &QComboBox::activated, this, [this, stage, box] { chooseVariant(stage, *box); });
  }
  const std::tuple<const char*, QString, QString> parameters[] = {
      {"block", tr("Block"), tr("Threads in a block")},
      {"items", tr("Items"), tr("Points a thread handles")},
      {"vector", tr("Vector"), tr("Floats a load fetches")},
      {"unroll", tr("Unroll"), tr("Clusters that one turn of the loop takes")},
      {"arithmetic", tr("Arithmetic"),
       tr("How a difference is squared: as a product, by pow(x, 2) in double precision, or by powf(x, 2)")}};
  for (const auto& [name, caption, toolTip] : parameters) {
    auto* box = new QComboBox(this);
    box->setObjectName(QString::fromLatin1(name));
    box->setToolTip(toolTip);
    narrow(box);
    tuningBoxes_[name] = box;
    addRow(caption, box);
    connect(box, &QComboBox::activated, this,
            [this, parameter = std::string(name), box] { chooseParameter(parameter, *box); });
  }
  narrow(backend_);
  narrow(interop_);

  connect(backend_, &QComboBox::activated, this, [this] {
    Settings settings = session_.settings();
    settings.backend = static_cast<BackendRequest>(backend_->currentData().toInt());
    settings.selection = {}; // variants of one backend mean nothing to another
    session_.setSettings(settings);
  });
  connect(interop_, &QComboBox::activated, this, [this] {
    Settings settings = session_.settings();
    settings.interop = static_cast<InteropRequest>(interop_->currentData().toInt());
    session_.setSettings(settings);
  });
  connect(&session_, &Session::settingsChanged, this, &ComputePanel::showSettings);
  connect(&session_, &Session::pathChanged, this, &ComputePanel::showSettings);
  connect(&ladder_, &QAbstractItemModel::modelReset, this, &ComputePanel::showSettings);
  showSettings();
}

void ComputePanel::showSettings() {
  const QSignalBlocker blockBackend(backend_);
  const QSignalBlocker blockInterop(interop_);
  const Settings& settings = session_.settings();
  backend_->setCurrentIndex(backend_->findData(static_cast<int>(settings.backend)));
  interop_->setCurrentIndex(interop_->findData(static_cast<int>(settings.interop)));
  const bool cuda = session_.device().backend == Backend::cuda;
  const QString& whyNot = session_.whyNoCuda();
  setItem(*backend_, 1, whyNot.isEmpty(), whyNot.isEmpty() ? tr("The first usable NVIDIA GPU") : whyNot);
  interop_->setEnabled(cuda);
  interop_->setToolTip(
      cuda ? tr("How points reach the window: CUDA works in OpenGL's own buffers, or results are copied")
           : tr("Only a CUDA device can share OpenGL's buffers; here results are copied"));
  showVariants();
  showParameters();
}

void ComputePanel::showVariants() {
  const Selection& selection = session_.settings().selection;
  const Plan& plan = session_.plan();
  for (const auto& [stage, box] : variants_) {
    const QSignalBlocker blocker(box);
    box->clear();
    const Variant* used = plan.of(stage);
    box->addItem(used ? tr("automatic (%1)").arg(QString::fromStdString(used->id())) : tr("not used"),
                 QString());
    const QString why = used ? defaultSourceText(plan.source) : QString();
    const QString tip = why.isEmpty() ? QString() : tr("The default: %1").arg(why);
    setItem(*box, 0, true, tip);
    for (const LadderRow& row : ladder_.rows()) {
      if (row.stage != stage) continue;
      const QString id = QString::fromStdString(row.variant->id());
      box->addItem(QStringLiteral("%1  %2").arg(id, qtext(row.variant->info.name)), id);
      const bool can = row.whyNot.isEmpty();
      setItem(*box, box->count() - 1, can, can ? qtext(row.variant->info.idea) : row.whyNot);
    }
    const std::string& chosen = stage == Stage::classify ? selection.classify
                                : stage == Stage::reduce ? selection.reduce
                                                         : selection.fused;
    box->setCurrentIndex(chosen.empty() ? 0 : std::max(0, box->findData(QString::fromStdString(chosen))));
    box->setToolTip(stageTip(stage) +
                    (chosen.empty() && !tip.isEmpty() ? QLatin1Char('\n') + tip : QString()));
    box->view()->setMinimumWidth(320);
  }
}

void ComputePanel::showParameters() {
  const Plan& plan = session_.plan();
  const Tuning& asked = session_.settings().selection.tuning;
  for (const auto& [parameterName, box] : tuningBoxes_) {
    const QSignalBlocker blocker(box);
    box->clear();
    std::vector<const Parameter*> having; // of the variants in use; a value must suit all of them
    std::vector<int> values;              // and what each takes when nobody asks for another
    for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update}) {
      const Parameter* parameter = plan.of(stage) ? plan.of(stage)->parameter(parameterName) : nullptr;
      if (!parameter) continue;
      const int measured = plan.measured[static_cast<std::size_t>(stage)].value(parameterName);
      having.push_back(parameter);
      values.push_back(measured != 0 ? measured : parameter->fallback);
    }
    setRowVisible(box, !having.empty());
    if (having.empty()) continue;
    const bool arithmetic = parameterName == "arithmetic";
    const auto word = [arithmetic](int value) {
      return arithmetic ? qtext(name(static_cast<Arithmetic>(value))) : QString::number(value);
    };
    QStringList own;
    for (const int value : values)
      own << word(value);
    own.removeDuplicates();
    if (!arithmetic) box->addItem(tr("own (%1)").arg(own.join(QStringLiteral(", "))), 0);
    for (const int value : having.front()->values) {
      if (std::all_of(having.begin(), having.end(),
                      [value](const Parameter* one) { return one->allows(value); }))
        box->addItem(word(value), value);
    }
    box->setCurrentIndex(std::max(0, box->findData(asked.value(parameterName))));
  }
}

void ComputePanel::chooseVariant(Stage stage, QComboBox& box) {
  Settings settings = session_.settings();
  const std::string id = box.currentData().toString().toStdString();
  if (id.empty()) {
    settings.selection = {};
  } else {
    const auto& rows = ladder_.rows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const LadderRow& one) {
      return one.stage == stage && one.variant->id() == id;
    });
    if (row == rows.end()) return;
    settings.selection = withVariant(settings.selection, session_.plan(), stage, *row->variant);
  }
  session_.setSettings(settings);
}

void ComputePanel::chooseParameter(const std::string& parameterName, const QComboBox& box) {
  Settings settings = session_.settings();
  settings.selection.tuning.set(parameterName, box.currentData().toInt());
  session_.setSettings(settings);
}

} // namespace lloyd
