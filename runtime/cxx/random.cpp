// Devices for random numbers. The numbers are the same in each run, and a program that asks for one is
// never said to hold unless that is accepted. Those of one device differ from each other.

#include <random>
#include <string>

#include <unistd.h>

void std::random_device::_M_init(const std::string &) { _M_fd = 0; }

void std::random_device::_M_fini() {}

std::random_device::result_type std::random_device::_M_getval() {
    result_type start = 0;
    getentropy(&start, sizeof start);
    return start + static_cast<result_type>(_M_fd++) * 2654435769u;
}

double std::random_device::_M_getentropy() const noexcept { return 32.0; }
