// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/table_rows.hpp"

#include "app/data/input/input_file.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/input/unpack.hpp"
#include "app/data/read_control.hpp"
#include "app/data/table/table.hpp"

#include <utility>

namespace lloyd {

void eachTableRow(const PointSet& points, const std::function<bool(const TableRow& row)>& take) {
  const TableLayout& layout = points.table->layout;
  InputFile file = openInput(points.source, {}).file;
  if (file.size() != layout.bytes || file.changed() != layout.changed)
    refuse(
        "the file has changed since it was read, so its rows cannot be told by their number; open it again");
  TextRecords records(std::move(file), layout.comments);
  TableRow now{.record = {}, .header = layout.header};
  while (records.next(now.record)) {
    now.endedWithReturn = records.endedWithReturn();
    if (!take(now)) return;
    now.row += now.header ? 0 : 1;
    now.header = false;
  }
  if (now.row != points.table->rows) refuse("the file became shorter while it was read");
}

} // namespace lloyd
