# Orujo for Spack: in a repository of one's own, as packages/orujo/package.py.
from spack.package import *


class Orujo(CMakePackage):
    """A PGAS runtime with a vertex-centric graph framework, MapReduce and SQL on top, and applications."""

    license("MIT")

    version("main", branch="main")

    variant("tests", default=False, description="Build the tests, too")

    variant("cuda", default=False, description="Give programs code for CUDA GPUs")

    depends_on("cxx", type="build")
    depends_on("cuda@12:", when="+cuda")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("boost@1.74: +context")
    depends_on("gflags")
    depends_on("glog")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("robin-map")
    depends_on("numactl")
    depends_on("zlib-api")
    depends_on("lz4")
    depends_on("zstd")
    depends_on("xxhash")
    depends_on("libarchive")
    depends_on("expat")
    depends_on("nettle")
    depends_on("libpg-query")
    depends_on("sqlite")
    depends_on("googletest", when="+tests", type="build")
    depends_on("benchmark", when="+tests", type="build")

    generator("ninja")

    def cmake_args(self):
        return [self.define_from_variant("ORUJO_TESTS", "tests"), self.define_from_variant("ORUJO_CUDA", "cuda")]
