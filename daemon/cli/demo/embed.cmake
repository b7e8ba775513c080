# cmake -DINPUT=apply.jsonl -DOUTPUT=recording.cpp -P embed.cmake: the compressed stream becomes a string literal.
execute_process(COMMAND gzip -9nc ${INPUT} OUTPUT_FILE ${OUTPUT}.gz COMMAND_ERROR_IS_FATAL ANY)
file(READ ${OUTPUT}.gz bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${bytes}")
# Pieces of 64 characters: a compiler need not take longer lines.
string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" literal "${escaped}")
file(WRITE ${OUTPUT} "#include \"daemon/cli/demo/recording.hpp\"\n
namespace tofud::demo {\n
std::string_view recording() {
  using namespace std::literals;
  return \"${literal}\"sv;
}\n
}  // namespace tofud::demo\n")
