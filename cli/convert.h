// `komadai convert`: rewrites record files.
#pragma once

#include <string>

#include "cli/law.h"

namespace komadai::cli {

struct ConvertOptions {
  std::string input;        // a file; "-": standard input
  std::string from;         // record format; empty: recognised
  std::string encoding;     // of the input; empty: recognised
  std::string to;           // record format
  std::string to_encoding;  // empty: UTF-8
  std::string variant;      // of files that do not say; empty: shogi
  int game = 0;             // only this game of the file, from 1; 0: all
  bool json = false;        // the games as JSON instead of a file
};
CLI::App* AddConvert(CLI::App& app, ConvertOptions& options);
// Writes the file to streams.out and warnings to streams.err.
int RunConvert(const ConvertOptions& options, const Streams& streams);

}  // namespace komadai::cli
