// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/image_reader.hpp"

#include "app/data/input/reader_steps.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read_control.hpp"

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QLoggingCategory>
#include <QtEndian>

#include <dlfcn.h>
#include <zlib.h>

#include <algorithm>
#include <cstdarg>

namespace lloyd {
namespace {

unsigned byteAt(const QByteArray& bytes, qsizetype i) { return static_cast<unsigned char>(bytes[i]); }

/// Whether the end marker follows the first scan. Segments before it are skipped by their length, since a
/// preview in one has an end marker of its own.
bool jpegEnds(const QByteArray& bytes) {
  qsizetype i = 2;
  while (i + 4 <= bytes.size()) {
    if (byteAt(bytes, i) != 0xFF) return false;
    if (byteAt(bytes, i + 1) == 0xFF) {
      ++i; // fill bytes may precede a marker
      continue;
    }
    const bool scan = byteAt(bytes, i + 1) == 0xDA;
    i += 2 + static_cast<qsizetype>(byteAt(bytes, i + 2) << 8 | byteAt(bytes, i + 3));
    if (scan) return bytes.indexOf(QByteArrayView("\xFF\xD9"), i) >= 0;
  }
  return false;
}

/// What is wrong with the chunks, of which each has a length, a name and a check sum around its data, or an
/// empty text. The first is the header, and they lead to the closing one.
std::string whyNoPng(const QByteArray& bytes) {
  for (qsizetype i = 8; i + 12 <= bytes.size();) {
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + i));
    const QByteArrayView name = QByteArrayView(bytes).sliced(i + 4, 4);
    if (i == 8 && name != "IHDR") return "the PNG file is damaged: it does not begin with its header";
    if (length > bytes.size() - i - 12) break;
    const auto sum =
        crc32_z(0, reinterpret_cast<const Bytef*>(name.data()), static_cast<z_size_t>(length) + 4);
    if (sum != qFromBigEndian<quint32>(bytes.constData() + i + 8 + length))
      return "the PNG file is damaged: the part at byte " + std::to_string(i) +
             " does not have its check sum";
    if (name == "IEND") return {};
    i += 12 + length;
  }
  return "the PNG file is cut short: its last chunk is missing";
}

/// What is wrong with an image file as a whole, or an empty text. Decoders fill what is missing with grey,
/// or write to standard error; so the end of the file is looked for before one is called. PPM decoders do
/// notice by themselves.
std::string whyDamaged(const QByteArray& bytes, std::string_view format) {
  if (format == "jpeg" && !jpegEnds(bytes)) return "the JPEG file is cut short: its end marker is missing";
  if (format == "png") return whyNoPng(bytes);
  if (format == "webp" && bytes.size() >= 8) {
    const quint64 promised = quint64{8} + qFromLittleEndian<quint32>(bytes.constData() + 4);
    if (promised > static_cast<quint64>(bytes.size()))
      return "the WebP file is cut short: its header promises " + std::to_string(promised) +
             " bytes, and it has " + std::to_string(bytes.size());
  }
  if (format == "bmp" && bytes.size() >= 6) {
    const auto promised = qFromLittleEndian<quint32>(bytes.constData() + 2);
    if (promised > static_cast<quint64>(bytes.size())) {
      return "the BMP file is cut short: its header promises " + std::to_string(promised) +
             " bytes, and it has " + std::to_string(bytes.size());
    }
  }
  return {};
}

/// The file as Qt's decoders read it: each read is a chance to report progress, and fails once the person
/// cancels.
class WatchedFile : public QFile {
public:
  explicit WatchedFile(const ReadControl& control) : control_(control) {}

protected:
  qint64 readData(char* data, qint64 size) override {
    if (control_.cancelled()) return -1;
    // Decoding fills half of the bar; the other half is the copy into points.
    if (this->size() > 0)
      control_.report(0, 0.5 * static_cast<double>(pos()) / static_cast<double>(this->size()));
    return QFile::readData(data, size);
  }

private:
  const ReadControl& control_;
};

/// What decoders would say beside the one sentence, also of a picture that is no longer wanted.
void quietDecoders() {
  [[maybe_unused]] static const bool once = [] {
    QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio*=false"));
    return true;
  }();
}

/// Qt's plugin for TIFF brings a library that writes what is wrong to standard error, unless it is told not
/// to.
void quietTiff() {
  [[maybe_unused]] static const bool once = [] {
    void* const library = ::dlopen("libtiff.so.6", RTLD_LAZY); // the one that the plugin will use
    if (library == nullptr) return false;
    using Handler = void (*)(const char*, const char*, va_list);
    using SetHandler = Handler (*)(Handler);
    for (const char* setter : {"TIFFSetErrorHandler", "TIFFSetWarningHandler"})
      if (auto* const set = reinterpret_cast<SetHandler>(::dlsym(library, setter)); set != nullptr)
        set(nullptr);
    return true;
  }();
}

struct Decoded {
  QImage image;
  int pictures = 1; ///< in the file
};

Decoded decode(const InputFile& input, std::string_view format, const ReadControl& control) {
  quietDecoders();
  WatchedFile file(control);
  if (!file.open(input.descriptor(), QIODevice::ReadOnly))
    refuse("it cannot be read: " + file.errorString().toStdString());
  const std::string damaged = whyDamaged(file.readAll(), format);
  throwIfCancelled(control);
  if (!damaged.empty()) refuse(damaged);
  file.seek(0);
  if (format == "tiff") quietTiff();
  QImageReader reader(&file, QByteArray(format.data(), static_cast<qsizetype>(format.size())));
  // Asked later, the plugin for TIFF looks for them at the wrong place.
  const int pictures = format == "tiff" || format == "webp" ? reader.imageCount() : 1;
  if (!QImageReader::supportedImageFormats().contains(
          QByteArray(format.data(), static_cast<qsizetype>(format.size()))))
    refuse("this Qt has no plugin for " + std::string(format) +
           " images: install qt6-image-formats-plugins, or save it as PNG");
  if (!reader.canRead())
    refuse("it looks like a " + std::string(format) + " image, but cannot be read as one");
  // No compression of these formats packs more than this into a byte, so a size beyond it is a lie that would
  // only cost memory.
  constexpr std::int64_t pixelsPerByte = 8300;
  const QSize size = reader.size();
  const std::int64_t pixels = std::int64_t{size.width()} * size.height();
  const std::string shape = std::to_string(size.width()) + " x " + std::to_string(size.height()) + " pixels";
  if (size.isValid() && pixels / pixelsPerByte > static_cast<std::int64_t>(input.size()))
    refuse("the header promises " + shape + ", which " + counted(input.size(), "byte") + " cannot hold");
  QImage image = reader.read();
  throwIfCancelled(control);
  if (image.isNull()) {
    const bool large = size.isValid() && 4 * pixels > std::int64_t{QImageReader::allocationLimit()} << 20;
    refuse(large ? "the image of " + shape + " is too large; scale it down first"
                 : "the image is damaged or cut short: " + reader.errorString().toStdString());
  }
  return {std::move(image), pictures};
}

bool isDeep(const QImage& image) {
  const QImage::Format format = image.format();
  const QPixelFormat pixel = QImage::toPixelFormat(format);
  if (pixel.typeInterpretation() == QPixelFormat::FloatingPoint)
    refuse("its colours are floating point numbers; expected whole numbers of 8 or 16 bits");
  return format == QImage::Format_Grayscale16 || (image.depth() == 64 && pixel.redSize() == 16);
}

/// One line of an image of 8 or 16 bits a colour as floats: a colour, or where the pixels are.
void copyLine(const QImage& image, std::size_t y, std::string_view column, float* to) {
  const auto width = static_cast<std::size_t>(image.width());
  if (column == "x") {
    for (std::size_t x = 0; x < width; ++x)
      to[x] = static_cast<float>(x);
    return;
  }
  if (column == "y") {
    std::fill_n(to, width, static_cast<float>(y));
    return;
  }
  const unsigned place = column == "red" ? 0 : column == "green" ? 1 : 2;
  const uchar* const line = image.constScanLine(static_cast<int>(y));
  if (image.depth() == 64) {
    const auto* const pixels = reinterpret_cast<const quint16*>(line); // red, green, blue and alpha
    for (std::size_t x = 0; x < width; ++x)
      to[x] = pixels[4 * x + place];
    return;
  }
  const auto* const pixels = reinterpret_cast<const QRgb*>(line);
  for (std::size_t x = 0; x < width; ++x)
    to[x] = static_cast<float>(pixels[x] >> (16 - 8 * place) & 0xFFU);
}

} // namespace

std::string_view imageFormat(std::string_view head) {
  if (head.starts_with("\x89PNG\r\n\x1a\n")) return "png";
  if (head.starts_with("\xFF\xD8\xFF")) return "jpeg";
  if (head.size() >= 14 && head.starts_with("BM") && head.substr(6, 4) == std::string_view("\0\0\0\0", 4))
    return "bmp";
  const bool space = head.size() > 2 && std::string_view(" \t\r\n").find(head[2]) != std::string_view::npos;
  if (head.starts_with(std::string_view("II*\0", 4)) || head.starts_with(std::string_view("MM\0*", 4)))
    return "tiff";
  if (head.starts_with("RIFF") && head.size() >= 12 && head.substr(8, 4) == "WEBP") return "webp";
  if (space && head[0] == 'P') {
    if (head[1] == '3' || head[1] == '6') return "ppm";
    if (head[1] == '2' || head[1] == '5') return "pgm";
    if (head[1] == '1' || head[1] == '4') return "pbm";
  }
  return {};
}

PointSet readImage(const InputFile& file, std::string_view format, ImageColumns which,
                   const std::vector<std::string>& columns, const ReadControl& control) {
  std::vector<std::string> names{"red", "green", "blue"};
  if (which == ImageColumns::xyrgb) names.insert(names.begin(), {"x", "y"});
  const std::vector<std::size_t> chosen = chooseColumns(columns, names);
  Decoded decoded = decode(file, format, control);
  const bool transparent = decoded.image.hasAlphaChannel();
  const bool deep = isDeep(decoded.image);
  const QImage image =
      std::move(decoded.image)
          .convertToFormat(deep ? (transparent ? QImage::Format_RGBA64 : QImage::Format_RGBX64)
                                : (transparent ? QImage::Format_ARGB32 : QImage::Format_RGB32));
  if (image.isNull()) refuse("there is not enough memory for this image");

  const auto width = static_cast<std::size_t>(image.width());
  const auto height = static_cast<std::size_t>(image.height());
  PointSet points;
  points.n = width * height;
  points.d = static_cast<int>(chosen.size());
  points.source = file.path();
  for (const std::size_t c : chosen)
    points.columns.push_back(names[c]);
  points.values.resize(points.n * chosen.size());
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t slot = 0; slot < chosen.size(); ++slot)
      copyLine(image, y, names[chosen[slot]], points.values.data() + slot * points.n + y * width);
    throwIfCancelled(control);
    control.report((y + 1) * width, 0.5 + 0.5 * static_cast<double>(y + 1) / static_cast<double>(height));
  }
  points.colours = points.d >= 3 && std::equal(names.end() - 3, names.end(), points.columns.end() - 3);
  points.white = deep ? 65535.0F : 255.0F;
  points.imageWidth = image.width();
  points.imageHeight = image.height();
  if (transparent) points.remarks.emplace_back("the transparency of the image is ignored");
  if (deep) points.remarks.emplace_back("the image has 16 bits a colour: red, green and blue go to 65,535");
  if (decoded.pictures > 1)
    points.remarks.push_back("the first of " +
                             counted(static_cast<std::uint64_t>(decoded.pictures), "picture") +
                             " in the file is used");
  keepFiniteRows(points);
  return points;
}

} // namespace lloyd
