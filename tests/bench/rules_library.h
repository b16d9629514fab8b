// What the law costs in the library.
#pragma once

namespace komadai::bench {

void BenchRulesLibrary();

}  // namespace komadai::bench
