#include <benchmark/benchmark.h>

#include <cstdlib>
#include <systemc>

// libsystemc.so refers to it.
int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
