// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/model/report/listings.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

namespace lloyd {
namespace {

struct Listing {
  std::string_view what;
  ListReport (*make)();
};

constexpr Listing listings[] = {{"variants", listVariants},
                                {"devices", listDevicesReport},
                                {"generators", listGenerators},
                                {"formats", listFormats}};

} // namespace

int listCommand(const Arguments& arguments) {
  const Messages messages(arguments);
  const std::string what = arguments.text("WHAT");
  if (what == "options") { // for docs/manual.md, which a test holds to this
    printOutput(QByteArray::fromStdString(optionsMarkdown()));
    return exitDone;
  }
  for (const Listing& listing : listings) {
    if (listing.what != what) continue;
    Outputs outputs(arguments);
    const ListReport report = listing.make();
    outputs.addReport("--json", [&] { return report.json.toJson(); });
    if (!arguments.given("--json")) outputs.addText([&] { return report.text.toUtf8(); });
    outputs.write();
    if (what == "variants")
      for (const std::string& problem : Registry::instance().problems())
        messages.warning(qtext(problem));
    return exitDone;
  }
  throw RequestError(what.empty() ? "list needs a word: variants, devices, generators or formats"
                                  : "there is no list of '" + what +
                                        "', but of variants, devices, generators and formats");
}

} // namespace lloyd
