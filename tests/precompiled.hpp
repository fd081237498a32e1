// What most tests include and nobody here changes: parsed once for each test program.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "system/base/precompiled.hpp"
