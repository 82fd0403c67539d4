// SPDX-License-Identifier: GPL-3.0-or-later
// Columns as the window lists them, the requests that change their roles, and the groups of points by column.
#include "app/data/read/read_points.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/model/table/column_groups.hpp"
#include "app/model/table/column_request.hpp"
#include "app/model/table/column_table_model.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>

using namespace lloyd;

class TestColumnModels : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  DataRequest request_;
  SharedPointSet points_;

  [[nodiscard]] SharedPointSet loaded(const DataRequest& request) const {
    const auto points = loadPoints(request, {}, nullptr);
    return points ? *points : nullptr;
  }
  static QString cell(const ColumnTableModel& model, int row, int column) {
    return model.index(row, column).data().toString();
  }

private slots:
  void initTestCase() {
    QFile file(folder_.filePath(QStringLiteral("table.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("a,b,\"a, b\",kind,who\n1.50,7,0,x,Ann\n2.25,,1,y,Bo\n-3.00,9,2,x,Cy\n4.00,1000000,5,y,Di\n");
    file.close();
    request_.path = file.fileName().toStdString();
    points_ = loaded(request_);
    QVERIFY(points_);
    QCOMPARE(points_->d, 3);
  }

  void theListHasEveryColumn() {
    ColumnTableModel model;
    model.setPoints(points_);
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(cell(model, 0, ColumnTableModel::rangeColumn), QStringLiteral("-3.00 to 4.00"));
    QCOMPARE(cell(model, 1, ColumnTableModel::rangeColumn), QStringLiteral("7 to 1,000,000"));
    QCOMPARE(cell(model, 1, ColumnTableModel::missingColumn), QStringLiteral("1"));
    QCOMPARE(cell(model, 3, ColumnTableModel::rangeColumn), QStringLiteral("2 values"));
    QStringList roles;
    for (int row = 0; row < 5; ++row)
      roles << cell(model, row, ColumnTableModel::roleColumn);
    QCOMPARE(roles, (QStringList{"feature", "feature", "feature", "class", "name"}));
    QCOMPARE(model.index(0, 0).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("a: number, -3.00 to 4.00, 0 missing, feature"));
  }

  void firstRowsAreThoseOfTheFile() {
    const FirstRowsModel model(points_);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.columnCount(), 5);
    QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("-3.00"));
    QCOMPARE(model.index(1, 4).data().toString(), QStringLiteral("Cy"));
    QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QStringLiteral("3"));
    QCOMPARE(model.headerData(2, Qt::Horizontal).toString(), QStringLiteral("a, b"));
  }

  /// What the changed request reads has the roles that were asked for, and nothing else has changed.
  void rolesAreChangedOneByOne() {
    const std::array<std::size_t, 1> second{1};
    const DataRequest without = withRole(request_, *points_->table, second, ColumnRole::ignored);
    const SharedPointSet two = loaded(without);
    QVERIFY(two);
    QCOMPARE(two->columns, (std::vector<std::string>{"a", "a, b"}));
    QCOMPARE(two->n, 4U); // its missing value drops no row any more
    QVERIFY(hasClass(*two));
    // It comes back as the last axis.
    const SharedPointSet back = loaded(withRole(without, *two->table, second, ColumnRole::feature));
    QVERIFY(back);
    QCOMPARE(back->columns, (std::vector<std::string>{"a", "a, b", "b"}));
    const std::array<std::size_t, 1> third{2};
    const DataRequest classes = withRole(request_, *points_->table, third, ColumnRole::classes);
    const SharedPointSet other = loaded(classes);
    QVERIFY(other);
    QCOMPARE(classNames(*other), (std::vector<std::string>{"0", "1", "2", "5"}));
    QCOMPARE(other->table->columns[3].role, ColumnRole::ignored);
    QVERIFY(commandText(classes, {}).contains(QStringLiteral("--columns a,b --class 2 --name who")));
  }

  void whatCannotBeStaysAsItIs() {
    const std::array<std::size_t, 1> text{3};
    QVERIFY(loaded(withRole(request_, *points_->table, text, ColumnRole::feature))->columns ==
            points_->columns);
    const std::array<std::size_t, 3> all{0, 1, 2};
    QVERIFY(withRole(request_, *points_->table, all, ColumnRole::ignored) == request_);
  }

  void pointsAreGroupedByColumn() {
    const ColumnGroups kinds = groupsByColumn(*points_, 3);
    QCOMPARE(*kinds.groups, (std::vector<std::int32_t>{0, 0, 1}));
    QCOMPARE(kinds.names, (QStringList{"x", "y"}));
    QVERIFY(!kinds.ordered);
    const ColumnGroups numbers = groupsByColumn(*points_, 0);
    QVERIFY(numbers.ordered);
    QCOMPARE(numbers.names, (QStringList{"-3.00", "4.00"}));
    QCOMPARE(numbers.groups->at(1), 0);
    QCOMPARE(numbers.groups->at(2), 63);
    QCOMPARE(numbers.groups->at(0), static_cast<std::int32_t>(4.5 / 7 * 64));
  }

  void aColumnThatDecidesAloneIsSaid_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<int>("dominant");
    QTest::newRow("100 times as wide") << QByteArray("x,y\n0,0\n1,100\n0.5,30\n") << 1;
    QTest::newRow("income beside age") << QByteArray("age,income\n18,20000\n79,198000\n44,51375\n") << 1;
    QTest::newRow("less") << QByteArray("x,y\n0,0\n1,99\n0.5,30\n") << -1;
    QTest::newRow("beside a constant") << QByteArray("x,y\n1,0\n1,20000\n1,100\n") << -1;
    QTest::newRow("alone") << QByteArray("y\n0\n20000\n") << -1;
    QTest::newRow("two of three") << QByteArray("x,y,z\n0,0,0\n1,20000,15000\n0.5,100,1\n") << -1;
    QTest::newRow("easting and northing")
        << QByteArray("easting,northing,height\n412300,5312800,450\n455900,5398700,2962\n") << -1;
    for (const char* sample : {"iris", "faithful", "quakes"}) {
      QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/%1.csv").arg(QLatin1String(sample)));
      QTest::newRow(sample) << (file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray()) << -1;
    }
  }
  void aColumnThatDecidesAloneIsSaid() {
    QFETCH(QByteArray, table);
    QFETCH(int, dominant);
    QFile file(folder_.filePath(QStringLiteral("spread.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(table);
    file.close();
    DataRequest request;
    request.path = file.fileName().toStdString();
    const SharedPointSet points = loaded(request);
    QVERIFY(points);
    QCOMPARE(points->dominant ? static_cast<int>(*points->dominant) : -1, dominant);
    const auto said = [](const PointSet& of) {
      return std::ranges::count_if(of.remarks, [](const std::string& remark) {
        return remark.find("decides alone: it spreads at least 100 times") != std::string::npos;
      });
    };
    QCOMPARE(said(*points), 0); // the panel says it
    request.scaleControl = scaleOption;
    QCOMPARE(said(*loaded(request)), dominant < 0 ? 0 : 1);
    request.scaling = Scale::standard;
    QVERIFY(!loaded(request)->dominant);
  }
};

QTEST_GUILESS_MAIN(TestColumnModels)
#include "tst_column_models.moc"
