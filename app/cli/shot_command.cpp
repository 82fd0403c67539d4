// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/read_window_options.hpp"
#include "app/cli/run_outputs.hpp"
#include "app/data/input/parse_number.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>

namespace lloyd {
namespace {

QSize sizeFrom(const Arguments& arguments) {
  const std::string text = arguments.text("--size", "1440x900");
  constexpr std::uint64_t most = 16384; // what OpenGL implementations can draw
  const auto cross = text.find('x');
  const auto width = parseCount(text.substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : parseCount(std::string_view(text).substr(cross + 1));
  if (!width || !height || *width < 1 || *height < 1 || *width > most || *height > most)
    arguments.refuse("--size", "a width and a height up to 16384, as in 1440x900");
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

} // namespace

int shotCommand(const Arguments& arguments) {
  Messages messages(arguments);
  ScreenshotOptions options;
  options.frames = arguments.smallCount("--frames", 120, 1, 1'000'000);
  options.size = sizeFrom(arguments);
  const std::string out = arguments.text("--out", options.out.toStdString());
  options.out = QString::fromStdString(out);
  if (!options.out.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
    throw RequestError("--out is '" + out + "', but the picture is a PNG and its name must end in .png");
  options.viewOnly = arguments.given("--view");
  options.printTimings = arguments.given("--timings");
  options.quiet = arguments.given("--quiet");
  options.window = windowOptions(arguments, messages);
  const std::string input = options.window.request ? options.window.request->path : std::string();
  Outputs outputs(arguments, input);
  outputs.promise(out, input);
  constexpr std::string_view results[] = {"--json", "--csv", "--markdown", "--labels-out", "--centroids-out"};
  if (std::ranges::any_of(results, [&](std::string_view option) { return arguments.given(option); }))
    options.report = [&](const RunReport& report, const std::vector<Label>& labels) {
      addOutputs(outputs, report, labels);
      outputs.write();
    };
  return runShot(options);
}

} // namespace lloyd
