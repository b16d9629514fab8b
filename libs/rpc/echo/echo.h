// The echo component: nothing but the machinery, for tests and as the baseline of benchmarks.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::rpc {

ComponentSpec EchoComponent();

}  // namespace komadai::rpc
