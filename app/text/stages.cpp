// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/stages.hpp"

#include <QCoreApplication>

#include <utility>

namespace lloyd {
namespace {

constexpr std::pair<Stage, const char*> meanings[] = {
    {Stage::load, "Reading the file, or generating the points"},
    {Stage::upload, "Copying from host memory to the device or to OpenGL"},
    {Stage::layout, "Records, point after point, become rows, coordinate after coordinate"},
    {Stage::order, "Points that lie near one another are put together and cut into tiles"},
    {Stage::map, "Lending OpenGL's buffers to CUDA, the wait for the last drawing included"},
    {Stage::seed, "Choosing the initial centroids"},
    {Stage::advance, "Drifting points take their next step"},
    {Stage::classify, "Each point gets the label of its nearest centroid"},
    {Stage::reduce, "Coordinates and counts are summed by cluster"},
    {Stage::fused, "Classify and reduce in one pass over the points"},
    {Stage::labels, "The labels of tiles are written as those of points"},
    {Stage::update, "Sums and counts become centroids"},
    {Stage::iterate, "Whole iterations, which the device repeats by itself"},
    {Stage::sets, "Whole runs of several sets, from host memory to host memory"},
    {Stage::inertia, "Sum of squared distances to the assigned centroids, outside the variants' times"},
    {Stage::unmap, "Giving the buffers back; when copying, the way back to host memory"},
    {Stage::draw, "OpenGL draws the points"},
    {Stage::wait, "The window waits for the screen"},
    {Stage::unaccounted, "What no other row explains"}};

} // namespace

QString stageMeaning(Stage stage) {
  for (const auto& [known, meaning] : meanings)
    if (known == stage) return QCoreApplication::translate("Stages", meaning);
  return {};
}

} // namespace lloyd
