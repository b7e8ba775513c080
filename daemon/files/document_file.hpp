// A file that somebody names on the command line, from its first byte to its last.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tofud::files {

/// Takes the next bytes; false: no more are wanted.
using piece_sink = std::function<bool(std::string_view bytes)>;

/// Reads the file at `path`, "-" for standard input, as it comes, uncompressed if it is gzip data.
/// Returns what went wrong, if anything did (files::error); what came before was told all the same.
text::failure read_pieces(const std::string& path, const piece_sink& to);

/// The same at once. More than `most` bytes are a failure.
text::result<std::string> read_document(const std::string& path, std::size_t most);

/// "standard input", or the path.
std::string name_of_file(const std::string& path);

}  // namespace tofud::files
