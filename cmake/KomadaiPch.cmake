# Precompiled headers: what most files include is parsed once for all of them, which takes a third
# off the time to build. Only headers of others are in them: a change of ours does not make them
# again. Every file still includes what it uses: the preset `full` compiles without them and finds
# what is missing.
#
# komadai_pch(NAME headers... [DEPS targets...])   a set of headers; DEPS say where to find them
# komadai_use_pch(TARGET NAME)                     compiles the target with that set

include(CMakeDependentOption)
cmake_dependent_option(KOMADAI_PCH "Compile with precompiled headers" ON
  "CMAKE_CXX_COMPILER_ID STREQUAL GNU;NOT KOMADAI_SANITIZE_FULL" OFF)

set(KOMADAI_STD_HEADERS
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <coroutine>
  <cstdint> <cstdlib> <deque> <exception> <fstream> <functional> <iterator> <list> <map> <memory>
  <mutex> <optional> <random> <set> <sstream> <stdexcept> <string> <string_view> <thread> <tuple>
  <type_traits> <unordered_map> <unordered_set> <utility> <variant> <vector>)

function(komadai_pch name)
  if(NOT KOMADAI_PCH)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/pch/${name}.cc)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} Threads::Threads)
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
endfunction()

function(komadai_use_pch target name)
  if(KOMADAI_PCH AND TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
    # Precompiled, the library's headers count as ours, and gcc 12 warns of a resize in them.
    target_compile_options(${target} PRIVATE -Werror=invalid-pch -Wno-stringop-overflow)
  endif()
endfunction()

if(NOT KOMADAI_PURE_ONLY)
  list(APPEND KOMADAI_STD_HEADERS <nlohmann/json.hpp>)
endif()
komadai_pch(komadai_pch ${KOMADAI_STD_HEADERS})
if(NOT KOMADAI_PURE_ONLY)
  find_package(Protobuf REQUIRED)
  find_package(gRPC CONFIG REQUIRED)
  find_package(prometheus-cpp CONFIG REQUIRED)
  find_package(spdlog CONFIG REQUIRED)
  set(protobuf_headers
    <google/protobuf/arena.h> <google/protobuf/extension_set.h>
    <google/protobuf/generated_enum_reflection.h> <google/protobuf/generated_message_reflection.h>
    <google/protobuf/generated_message_util.h> <google/protobuf/io/coded_stream.h>
    <google/protobuf/map.h> <google/protobuf/message.h> <google/protobuf/reflection_ops.h>
    <google/protobuf/repeated_field.h> <google/protobuf/unknown_field_set.h>
    <google/protobuf/wire_format.h>)
  set(rpc_headers ${KOMADAI_STD_HEADERS} ${protobuf_headers}
    <grpcpp/support/byte_buffer.h> <grpcpp/support/status.h> <prometheus/counter.h>
    <prometheus/family.h> <prometheus/gauge.h> <prometheus/histogram.h> <spdlog/fmt/fmt.h>)
  set(rpc_deps protobuf::libprotobuf gRPC::grpc++ prometheus-cpp::core spdlog::spdlog)
  komadai_pch(komadai_pch_rpc ${rpc_headers} DEPS ${rpc_deps})
  # Generated code is compiled with flags of its own, so it cannot share.
  komadai_pch(komadai_pch_generated <string> <algorithm> ${protobuf_headers}
    DEPS protobuf::libprotobuf)
  if(KOMADAI_PCH)
    target_compile_options(komadai_pch_generated PRIVATE ${KOMADAI_GENERATED_OPTIONS})
  endif()
endif()
if(KOMADAI_TESTS)
  komadai_pch(komadai_pch_test ${KOMADAI_STD_HEADERS} <gtest/gtest.h> <gmock/gmock.h>
    DEPS GTest::gmock)
  if(NOT KOMADAI_PURE_ONLY)
    komadai_pch(komadai_pch_rpc_test ${rpc_headers} <grpcpp/grpcpp.h> <gtest/gtest.h>
      <gmock/gmock.h> DEPS ${rpc_deps} GTest::gmock)
  endif()
endif()
