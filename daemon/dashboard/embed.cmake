# cmake -DINPUT=index.html -DOUTPUT=page.cpp -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${bytes}")
# Pieces of 64 characters: a compiler need not take longer lines.
string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" literal "${escaped}")
file(WRITE ${OUTPUT} "#include \"daemon/dashboard/page.hpp\"\n
namespace tofud::dashboard {\n
std::string_view page() {
  using namespace std::literals;
  return \"${literal}\"sv;
}\n
}  // namespace tofud::dashboard\n")
