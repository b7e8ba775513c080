// Where ended runs go: files by their paths, in a directory or a bucket.
#pragma once

#include "daemon/files/stream_bytes.hpp"
#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::archive {

/// Of a file that is archived.
struct content {
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits
  files::stream_bytes read;
};
content content_of(std::string text);

/// Whether there are runs of which is known that they were archived in that place.
enum class used_before : bool { no, yes };

/// All member functions are called on one thread and wait for the place; but for give_up().
class place {
 public:
  place() = default;
  virtual ~place() = default;
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  /// Before the first file of each run. Makes the place say what it is (archive.json), if it does
  /// not yet.
  virtual text::failure begin(used_before before) = 0;
  /// There is a file of that path with that content, whole or not at all, also after a crash.
  /// `path` has parts of letters, digits, `.`, `_` and `-` between slashes.
  virtual text::failure put(const std::string& path, const content& what) = 0;
  /// There is no such file any more, or was none.
  virtual text::failure remove(const std::string& path) = 0;
  /// What is being done fails soon, and so does all that is asked after it. From any thread.
  virtual void give_up() noexcept = 0;
};

/// As it is configured.
struct address {
  std::string to;        // a path, or s3://BUCKET/PREFIX
  std::string endpoint;  // of the bucket, such as https://s3.example.com; empty: Amazon's
  std::string region;
  std::string credentials_file, ca_file;  // ca_file empty: the authorities of this machine
};

/// s3://BUCKET/PREFIX in its parts.
struct bucket_name {
  std::string bucket, prefix;  // prefix without slashes at its ends; empty: none
};
/// Names by the rules of S3; prefixes of letters, digits, `.`, `_`, `-` and `/`.
text::result<bucket_name> parse_bucket(std::string_view text);
bool is_bucket(std::string_view to);
/// An absolute path or a bucket; the failure says what it has to be.
text::failure check_place(std::string_view to);
text::failure check_endpoint(std::string_view text);

/// The failure says which of its files can't be read, or what is missing on this machine. Nobody is
/// asked for anything yet. `on` is what directories are written with; it outlives the place.
text::result<std::unique_ptr<place>> open_place(const address& at, journal::disk& on);

/// In every place, so that who finds it knows what it is.
inline constexpr std::string_view about_name = "archive.json";
std::string about_text();

}  // namespace tofud::archive
