// Including <iostream> makes an object that would set the streams up. The
// streams themselves are not there, and a program that uses one is refused.

#include <ios>

std::ios_base::Init::Init() {}
std::ios_base::Init::~Init() {}
