// Which version of Orujo a program is linked with.
#pragma once

namespace orujo {

// "0.1.0"
const char* version();

}  // namespace orujo
