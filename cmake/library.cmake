# One static library per folder, named by its path: daemon/http is daemon::http. It may include what it names, and what
# those name publicly; .ci/layers refuses any other include.
#
#   tofud_library([ASIO] [FAST] SOURCES a.cpp… [PUBLIC protocol::feed…] [PRIVATE ZLIB::ZLIB…])
#
# ASIO: waits for sockets or timers, so the larger precompiled header pays.
# Two sources are compiled apart in any case, since each takes as long as a batch: Beast's session and CLI11's command line.
# FAST: on the way of every message or frame: optimised fully where the rest is not.
function(tofud_library)
  cmake_parse_arguments(PARSE_ARGV 0 its "ASIO;FAST" "" "SOURCES;PUBLIC;PRIVATE")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${folder})
  string(REGEX MATCH "^[^/]+" layer ${folder})
  string(REGEX REPLACE "^${layer}_" "" alias ${name})
  add_library(${name} STATIC ${its_SOURCES})
  add_library(${layer}::${alias} ALIAS ${name})
  target_link_libraries(${name} PUBLIC ${its_PUBLIC} PRIVATE ${its_PRIVATE})
  tofud_compile(${name} ${its_ASIO} ${its_FAST})
endfunction()

# What every target of ours is compiled with. All have the same macros: GCC passes over a precompiled header that was
# made with others, and parses it on top.
function(tofud_compile name is_asio is_fast)
  target_link_libraries(${name} PRIVATE tofud_options)
  if(is_fast AND TOFUD_LIGHT)
    target_compile_options(${name} PRIVATE -O3)
    set(kind _fast)
  elseif(TOFUD_LIGHT)
    target_compile_options(${name} PRIVATE ${TOFUD_LIGHT})
  endif()
  if(is_asio)
    target_precompile_headers(${name} REUSE_FROM tofud_precompiled_asio${kind})
  else()
    target_precompile_headers(${name} REUSE_FROM tofud_precompiled${kind})
  endif()
  set_source_files_properties(websocket_session.cpp command_line.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${TOFUD_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# A program of ours; the arguments are those of tofud_library.
function(tofud_program name)
  cmake_parse_arguments(PARSE_ARGV 1 its "ASIO;FAST" "" "SOURCES;PRIVATE")
  add_executable(${name} ${its_SOURCES})
  target_link_libraries(${name} PRIVATE ${its_PRIVATE})
  tofud_compile(${name} ${its_ASIO} ${its_FAST})
endfunction()

function(tofud_precompiled name header)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp.new "// Nothing but what goes before it.\n")
  file(COPY_FILE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp.new ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp ONLY_IF_DIFFERENT)
  add_library(${name} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE tofud_options)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_precompile_headers(${name} PRIVATE ${header})
endfunction()
tofud_precompiled(tofud_precompiled ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp ${TOFUD_LIGHT})
tofud_precompiled(tofud_precompiled_asio ${PROJECT_SOURCE_DIR}/cmake/precompiled_asio.hpp ${TOFUD_LIGHT})
if(TOFUD_LIGHT)
  tofud_precompiled(tofud_precompiled_fast ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp -O3)
  tofud_precompiled(tofud_precompiled_asio_fast ${PROJECT_SOURCE_DIR}/cmake/precompiled_asio.hpp -O3)
endif()
