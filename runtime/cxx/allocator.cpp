// Without optimisation the headers rely on these two being compiled elsewhere.

#include <memory>

template class std::allocator<char>;
template class std::allocator<wchar_t>;
