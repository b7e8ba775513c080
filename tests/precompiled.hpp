// The same for tests.
#pragma once

#include "protocol/text/precompiled.hpp"

#include <boost/json/value.hpp>
#include <gtest/gtest.h>
