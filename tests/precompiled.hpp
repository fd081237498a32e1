// Headers that most tests include and nobody here changes. Each test program parses them once.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "system/base/precompiled.hpp"
