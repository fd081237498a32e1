# Sources for CUDA's compiler. Orujo's own build and the installed package both include this.
find_package(CUDAToolkit REQUIRED)

# CMake 3.25 does not know that CUDA 12 has C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
endif()

# orujo_add_cuda(TARGET SOURCE...): adds sources (*.cu) to a target of C++ sources. CUDA's compiler gets the include folders of
# the target and none of its options. constexpr functions run on GPUs too, and products are rounded as on the CPU.
function(orujo_add_cuda target)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "orujo_add_cuda requires the language CUDA: project(... LANGUAGES CXX CUDA)")
  endif()
  add_library(${target}_cuda OBJECT ${ARGN})
  set_target_properties(${target}_cuda PROPERTIES CUDA_STANDARD 20 CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target}_cuda PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES> ${MPI_CXX_INCLUDE_DIRS})
  target_compile_options(${target}_cuda PRIVATE --expt-relaxed-constexpr -fmad=false -Werror=cross-execution-space-call
    -Xcompiler=-fvisibility=hidden,-ffp-contract=off,-fno-omit-frame-pointer)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cuda>)
  target_link_libraries(${target} PRIVATE CUDA::cudart_static)
endfunction()
