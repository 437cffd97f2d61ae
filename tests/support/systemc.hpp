#pragma once

#include <gtest/gtest.h>

#include <systemc>

namespace systole::test {

/// A fresh SystemC kernel for as long as it lives, so that one process can run many elaborations.
class SystemCContext {
public:
    SystemCContext() {
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context =
            new sc_core::sc_simcontext;
    }
    ~SystemCContext() {
        delete sc_core::sc_curr_simcontext;
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = nullptr;
    }
    SystemCContext(const SystemCContext&) = delete;
    SystemCContext& operator=(const SystemCContext&) = delete;
};

class SystemCTest : public testing::Test {
private:
    SystemCContext context_;
};

}  // namespace systole::test
