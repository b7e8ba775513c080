// A file that somebody names on the command line, from its first byte to its last.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tofud::files {

/// Takes the next bytes; false: no more are wanted.
using piece_sink = std::function<bool(std::string_view bytes)>;

/// Reads the file at `path`, "-" for standard input, as it comes, uncompressed if it is gzip data.
/// Returns an empty string, else what is wrong as a sentence without a full stop; what came before
/// was told all the same.
std::string read_pieces(const std::string& path, const piece_sink& to);

struct document_text {
  std::string text, failure;  // one of them is empty
};

/// The same at once. More than `most` bytes are a failure.
document_text read_document(const std::string& path, std::size_t most);

/// "standard input", or the path.
std::string name_of_file(const std::string& path);

}  // namespace tofud::files
