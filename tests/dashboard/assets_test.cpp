#include "daemon/dashboard/assets.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tofud::dashboard {
namespace {

std::string unzipped(std::string_view gzip, std::size_t room) {
  std::string out(room + 1, '\0');
  std::string in{gzip};
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

const asset& at(std::string_view path) {
  const auto all = assets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const asset& each) { return each.path == path; });
  EXPECT_NE(found, all.end()) << path;
  return found == all.end() ? all.front() : *found;
}

TEST(Assets, APageNamesItsScriptAndStyleByTheHashTheyAreServedUnder) {
  for (const auto& [path, page] : {std::pair{"/", "page"}, std::pair{"/wall", "wall"}}) {
    const std::string_view html = at(path).bytes;
    for (const asset* loaded : {&script(page), &style(page)}) {
      EXPECT_NE(html.find('"' + loaded->path.substr(1) + '"'), std::string_view::npos)
          << loaded->path;
      EXPECT_NE(loaded->path.find(loaded->sha256.substr(0, 12)), std::string::npos);
      EXPECT_TRUE(loaded->immutable);
    }
    EXPECT_FALSE(at(path).immutable);
  }
}

TEST(Assets, ThePageNamesWhatItLoadsLaterByItsHash) {
  const asset& later = script("late");
  EXPECT_EQ(later.path, "/late." + std::string{later.sha256.substr(0, 12)} + ".js");
  EXPECT_NE(script().bytes.find("\"." + later.path + '"'), std::string_view::npos);
  EXPECT_TRUE(later.immutable);
}

TEST(Assets, CompressedBytesAreTheSame) {
  for (const asset& each : assets()) {
    EXPECT_EQ(unzipped(each.gzip, each.bytes.size()), each.bytes) << each.path;
  }
}

TEST(Assets, TheFirstPaintIsAtMost40KiB) {
  for (const auto& [path, page] : {std::pair{"/", "page"}, std::pair{"/wall", "wall"}}) {
    const std::size_t loaded =
        at(path).gzip.size() + script(page).gzip.size() + style(page).gzip.size();
    EXPECT_LE(loaded, 40U * 1024U) << "bytes of HTML, script and style, compressed, of " << path;
  }
}

TEST(Assets, LicencesOfWhatTheScriptContainsAreServed) {
  const std::string_view text = at("/LICENSES.txt").bytes;
  for (const std::string_view name :
       {"preact ", "@preact/signals ", "@preact/signals-core ", "js-yaml "}) {
    EXPECT_NE(text.find(name), std::string_view::npos) << name;
  }
}

TEST(Assets, EachHasAPathOfItsOwn) {
  std::set<std::string> paths;
  for (const asset& each : assets()) EXPECT_TRUE(paths.insert(each.path).second) << each.path;
}

}  // namespace
}  // namespace tofud::dashboard
