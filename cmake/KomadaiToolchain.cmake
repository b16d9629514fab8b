# Warnings, sanitizers, ccache and mold: the same for every target of the project.
find_program(KOMADAI_CCACHE ccache)
if(KOMADAI_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
      ${CMAKE_SOURCE_DIR}/cmake/ccache.sh ${KOMADAI_CCACHE})
endif()
find_program(KOMADAI_MOLD mold)
if(KOMADAI_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(komadai_warnings INTERFACE)
target_compile_options(komadai_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror=unused-result
  -Werror=return-type -Werror=switch)
if(CMAKE_UNITY_BUILD)  # which makes every source look like a header
  target_compile_options(komadai_warnings INTERFACE -Wno-subobject-linkage)
endif()
# Some of what is linked asks for these; a precompiled header fits only what has the same.
add_compile_definitions(_FILE_OFFSET_BITS=64)
add_compile_options(-pthread)

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # assertions stay: KOMADAI_CHECK does not depend on NDEBUG
endif()
if(KOMADAI_SANITIZE)
  # -O1: sanitized tests must finish on two cores.
  add_compile_options(-fsanitize=${KOMADAI_SANITIZE} -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=${KOMADAI_SANITIZE})
  if(KOMADAI_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(NOT KOMADAI_SANITIZE_FULL)
    # Three fifths of the time to compile with sanitizers goes into a few things: checks of every
    # pointer for null, alignment and type, where AddressSanitizer finds nearly the same; debug
    # information on local variables; AddressSanitizer's checks as inline code instead of calls.
    # The preset `full` has them all.
    add_compile_options(-g1)
    if(KOMADAI_SANITIZE MATCHES "undefined")
      add_compile_options(-fno-sanitize=null,alignment,vptr,object-size,nonnull-attribute)
    endif()
    if(KOMADAI_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options("SHELL:--param asan-instrumentation-with-call-threshold=0")
    endif()
  endif()
endif()
if(KOMADAI_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
if(KOMADAI_TESTS)
  find_package(GTest CONFIG REQUIRED)
endif()
