# cmake -DFOLDER=dist "-DFILES=index.html;page.js" -DOUTPUT=embedded.cpp -DGZIP=/usr/bin/gzip -P embed.cmake
# Writes embedded(): name, bytes, the same compressed, and hash of each file. One that is not in the folder has its whole path.

# Sets `variable` to a string literal with what is in the file.
function(literal_of path variable)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${bytes}")
  # Pieces of 64 characters: a compiler need not take longer lines.
  string(REGEX REPLACE "(................................................................)" "\\1\"\n         \"" literal "${escaped}")
  set(${variable} "\"${literal}\"sv" PARENT_SCOPE)
endfunction()

set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${FOLDER})
  get_filename_component(name ${file} NAME)
  file(SHA256 ${path} hash)
  execute_process(COMMAND ${GZIP} -9 --no-name --stdout ${path} OUTPUT_FILE ${OUTPUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  literal_of(${path} bytes)
  literal_of(${OUTPUT}.gz compressed)
  string(APPEND entries "      {\"${name}\"sv,\n         ${bytes},\n         ${compressed},\n         \"${hash}\"sv},\n")
endforeach()
file(REMOVE ${OUTPUT}.gz)
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
