// The mark of functions that a GPU runs, too.
#pragma once

// Stands between the template parameters and the type of a function that both processors may call. It is
// empty for compilers other than CUDA's.
#ifdef __CUDACC__
#define ORUJO_HOST_DEVICE __host__ __device__
#define ORUJO_DEVICE __device__
#else
#define ORUJO_HOST_DEVICE
#define ORUJO_DEVICE
#endif
