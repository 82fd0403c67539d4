// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/stages.hpp"

#include <QCoreApplication>

namespace lloyd {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("Stages", text); }

} // namespace

QString stageMeaning(Stage stage) {
  switch (stage) {
  case Stage::load:
    return translated("Reading the file, or generating the points");
  case Stage::upload:
    return translated("Copying from host memory to the device or to OpenGL");
  case Stage::layout:
    return translated("Records, point after point, become rows, coordinate after coordinate");
  case Stage::order:
    return translated("Points that lie near one another are put together and cut into tiles");
  case Stage::map:
    return translated("Lending OpenGL's buffers to CUDA, the wait for the last drawing included");
  case Stage::seed:
    return translated("Choosing the initial centroids");
  case Stage::advance:
    return translated("Drifting points take their next step");
  case Stage::classify:
    return translated("Each point gets the label of its nearest centroid");
  case Stage::reduce:
    return translated("Coordinates and counts are summed by cluster");
  case Stage::fused:
    return translated("Classify and reduce in one pass over the points");
  case Stage::labels:
    return translated("The labels of tiles are written as those of points");
  case Stage::update:
    return translated("Sums and counts become centroids");
  case Stage::iterate:
    return translated("Whole iterations, which the device repeats by itself");
  case Stage::inertia:
    return translated("Sum of squared distances to the assigned centroids, outside the variants' times");
  case Stage::unmap:
    return translated("Giving the buffers back; when copying, the way back to host memory");
  case Stage::draw:
    return translated("OpenGL draws the points");
  case Stage::wait:
    return translated("The window waits for the screen");
  case Stage::unaccounted:
    return translated("What no other row explains");
  }
  return {};
}

} // namespace lloyd
