# cmake -DFOLDER=dist "-DFILES=index.html;page.js" -DOUTPUT=embedded.cpp -P embed.cmake
# Writes embedded(): name, bytes and hash of each file. One that is not in the folder has its whole path.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${FOLDER})
  get_filename_component(name ${file} NAME)
  file(READ ${path} bytes HEX)
  file(SHA256 ${path} hash)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${bytes}")
  # Pieces of 64 characters: a compiler need not take longer lines.
  string(REGEX REPLACE "(................................................................)" "\\1\"\n         \"" literal "${escaped}")
  string(APPEND entries "      {\"${name}\"sv,\n         \"${literal}\"sv,\n         \"${hash}\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"daemon/dashboard/embedded.hpp\"\n
#include <array>\n
namespace tofud::dashboard {\n
std::span<const embedded_file> embedded() {
  using namespace std::literals;
  static constexpr auto files = std::to_array<embedded_file>({
${entries}  });
  return files;
}\n
}  // namespace tofud::dashboard\n")
