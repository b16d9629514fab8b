# komadai_library(NAME sources... [DEPS targets...] [NO_UNITY])  a static library; headers are
#   included by their path from the repository root: #include "libs/base/result.h". Several sources
#   are compiled as one, so names in unnamed namespaces must differ within a library, unless it says
#   NO_UNITY.
# komadai_binary(NAME sources... [DEPS targets...])   a program that ships, in <build>/bin; the
#   target `programs` builds them all and nothing else
# komadai_tool(NAME sources... [DEPS targets...] [NEEDS targets...])
#   a program for developers (bench, load, chaos, simulation), in <build>/bin. It is built only when
#   its target is asked for, together with the programs it starts (NEEDS)
# komadai_test(NAME LAYER sources... [DEPS targets...] [NEEDS targets...] [ENV a=b ...]
#              [TIMEOUT seconds])
#   a GoogleTest binary, registered with ctest under the label LAYER
#   (unit, contract, conformance, e2e, simulation, tidy, ...): `./dev test LAYER` runs one layer.
#   NEEDS are the programs it starts. Without KOMADAI_TESTS there are no tests, and nothing is done.
# komadai_layer(LAYER [targets...])
#   adds targets to what LAYER runs: the target `tests_LAYER` builds them, `tests` all layers
# komadai_proto(NAME protos... [DEPS targets...])     one library per proto package

function(komadai_library name)
  cmake_parse_arguments(ARG "NO_UNITY" "" "DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_NO_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} Threads::Threads PRIVATE komadai_warnings)
  komadai_use_pch_for(${name} "" ${ARG_DEPS})
endfunction()

# The headers of gRPC only where it is used. SUFFIX is _test for tests.
function(komadai_use_pch_for target suffix)
  if(target STREQUAL "komadai_rpc" OR "komadai_rpc" IN_LIST ARGN)
    komadai_use_pch(${target} komadai_pch_rpc${suffix})
  else()
    komadai_use_pch(${target} komadai_pch${suffix})
  endif()
endfunction()

add_custom_target(programs)

# A server of many small messages spends a quarter of its time in glibc's malloc, and half of that
# in this one. Sanitizers bring their own.
if(NOT KOMADAI_SANITIZE)
  find_library(KOMADAI_JEMALLOC jemalloc REQUIRED)
endif()

# What komadai_binary and komadai_tool have in common.
function(komadai_program name)
  cmake_parse_arguments(ARG "" "" "DEPS;NEEDS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} komadai_warnings)
  komadai_use_pch_for(${name} "" ${ARG_DEPS})
  if(NOT KOMADAI_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,--no-as-needed ${KOMADAI_JEMALLOC} -Wl,--as-needed)
  endif()
  if(ARG_NEEDS)
    add_dependencies(${name} ${ARG_NEEDS})
  endif()
endfunction()

function(komadai_binary name)
  komadai_program(${name} ${ARGN})
  add_dependencies(programs ${name})
endfunction()

function(komadai_tool name)
  komadai_program(${name} ${ARGN})
endfunction()

add_custom_target(tests)

function(komadai_layer layer)
  if(NOT TARGET tests_${layer})
    add_custom_target(tests_${layer})
    add_dependencies(tests tests_${layer})
  endif()
  if(ARGN)
    add_dependencies(tests_${layer} ${ARGN})
  endif()
endfunction()

function(komadai_test name layer)
  if(NOT KOMADAI_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "DEPS;NEEDS;ENV" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main komadai_warnings)
  komadai_use_pch_for(${name} _test ${ARG_DEPS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests UNITY_BUILD OFF)
  if(ARG_NEEDS)
    add_dependencies(${name} ${ARG_NEEDS})
  endif()
  komadai_layer(${layer} ${name})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${layer} TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "KOMADAI_BIN_DIR=${CMAKE_BINARY_DIR}/bin;${ARG_ENV}")
endfunction()

# The messages as NAME. Where a file has services also NAME_stubs, with the stubs that gRPC's plugin
# generates: tests call our services with them, as any client would; our own code calls by message
# (libs/rpc) and compiles none of them.
function(komadai_proto name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  set(gen ${CMAKE_BINARY_DIR}/gen)
  set(messages)
  set(stubs)
  foreach(proto ${ARG_UNPARSED_ARGUMENTS})
    string(REGEX REPLACE "\\.proto$" "" stem ${proto})
    set(source ${CMAKE_SOURCE_DIR}/proto/${proto})
    set(protoc ${CMAKE_COMMAND} -E make_directory ${gen} COMMAND protobuf::protoc
      --proto_path=${CMAKE_SOURCE_DIR}/proto)
    add_custom_command(
      OUTPUT ${gen}/${stem}.pb.cc ${gen}/${stem}.pb.h
      COMMAND ${protoc} --cpp_out=${gen} ${source}
      DEPENDS ${source}
      VERBATIM)
    list(APPEND messages ${gen}/${stem}.pb.cc)
    file(STRINGS ${source} services REGEX "^service ")
    if(services)
      add_custom_command(
        OUTPUT ${gen}/${stem}.grpc.pb.cc ${gen}/${stem}.grpc.pb.h
        COMMAND ${protoc} --grpc_out=${gen}
                --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin> ${source}
        DEPENDS ${source}
        VERBATIM)
      list(APPEND stubs ${gen}/${stem}.grpc.pb.cc)
    endif()
  endforeach()
  komadai_generated(${name} ${messages} DEPS ${ARG_DEPS} protobuf::libprotobuf)
  if(stubs)
    komadai_generated(${name}_stubs ${stubs} DEPS ${name} gRPC::grpc++)
  endif()
endfunction()

# Generated code is not ours to check, and takes minutes with sanitizers.
set(KOMADAI_GENERATED_OPTIONS)
if(KOMADAI_SANITIZE)
  set(KOMADAI_GENERATED_OPTIONS -g0 -fno-sanitize=all)
endif()

function(komadai_generated name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/gen)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  target_compile_options(${name} PRIVATE ${KOMADAI_GENERATED_OPTIONS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # every file has a variable `schemas`
  komadai_use_pch(${name} komadai_pch_generated)
endfunction()
