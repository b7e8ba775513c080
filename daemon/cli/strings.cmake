# cmake -DROOT=. -DOUTPUT=strings.cpp "-DTABLES=daemon/cli/strings.txt;…" -P strings.cmake
# Writes string_tables() of strings.hpp: the tables that .ci/strings makes of the sources.
set(entries "")
foreach(table IN LISTS TABLES)
  file(READ ${ROOT}/${table} text)
  get_filename_component(folder ${table} DIRECTORY)
  string(APPEND entries "      string_table{\"${folder}\", R\"tofud(${text})tofud\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"daemon/cli/strings.hpp\"\n
#include <array>\n
namespace tofud::cli {\n
std::span<const string_table> string_tables() {
  static constexpr auto tables = std::to_array<string_table>({
${entries}  });
  return tables;
}\n
}  // namespace tofud::cli\n")
