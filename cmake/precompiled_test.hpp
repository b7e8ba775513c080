// The same for tests.
#pragma once

#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include "cmake/precompiled.hpp"
