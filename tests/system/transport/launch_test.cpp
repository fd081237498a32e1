#include "system/transport/launch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <string>

namespace orujo::internal::transport {
namespace {

// While it lives, the environment has no variables of launchers but these.
class launch : public testing::Test {
 protected:
  void set(const std::map<std::string, std::string>& variables) {
    for (const char* name : known) ::unsetenv(name);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  void SetUp() override {
    for (const char* name : known) {
      if (const char* value = ::getenv(name)) before_[name] = value;
    }
    set({});
  }
  void TearDown() override { set(before_); }

 private:
  static constexpr const char* known[] = {
      "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_SIZE",    "PMI_RANK",
      "SLURM_STEP_ID",        "SLURM_PROCID",         "SLURM_NTASKS", "PALS_RANKID", "PALS_LOCAL_SIZE",
      "SLURM_STEP_NUM_TASKS", "MPI_LOCALNRANKS"};
  std::map<std::string, std::string> before_;
};

TEST_F(launch, without_a_launcher_a_process_is_alone) {
  EXPECT_FALSE(look_at_launch().by_mpi);
  EXPECT_EQ(look_at_launch().rank, 0);
  EXPECT_EQ(look_at_launch().others, "");
}

TEST_F(launch, names_what_says_that_there_are_others) {
  set({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  EXPECT_TRUE(look_at_launch().by_mpi);
  EXPECT_EQ(look_at_launch().rank, 1);
  EXPECT_EQ(look_at_launch().others, "OMPI_COMM_WORLD_SIZE is 2");
  set({{"PMI_SIZE", "4"}, {"PMI_RANK", "3"}, {"MPI_LOCALNRANKS", "4"}});  // MPICH's mpirun
  EXPECT_TRUE(look_at_launch().by_mpi);
  EXPECT_EQ(look_at_launch().rank, 3);
  EXPECT_EQ(look_at_launch().others, "PMI_SIZE is 4");
  set({{"MPI_LOCALNRANKS", "2"}});
  EXPECT_EQ(look_at_launch().others, "MPI_LOCALNRANKS is 2");
  set({{"PALS_RANKID", "5"}});
  EXPECT_EQ(look_at_launch().others, "PALS_RANKID is 5");
}

TEST_F(launch, one_process_speaks_for_all) {
  const auto speaks = [this](const std::map<std::string, std::string>& variables) {
    set(variables);
    return look_at_launch().speaks;
  };
  EXPECT_TRUE(speaks({}));
  EXPECT_TRUE(speaks({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}}));
  EXPECT_FALSE(speaks({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}));
  EXPECT_TRUE(speaks({{"PMIX_RANK", "0"}})) << "it may be alone";
  EXPECT_TRUE(speaks({{"PMIX_RANK", "1"}})) << "it cannot";
  EXPECT_FALSE(speaks({{"PMIX_RANK", "2"}}));
  EXPECT_FALSE(speaks({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}, {"PMIX_RANK", "0"}})) << "MPI found it alone";
}

TEST_F(launch, a_step_of_slurm_has_its_own_number_of_tasks) {
  set({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_NTASKS", "8"}});
  EXPECT_FALSE(look_at_launch().by_mpi);
  EXPECT_EQ(look_at_launch().rank, 1);
  EXPECT_EQ(look_at_launch().others, "SLURM_STEP_NUM_TASKS is 2");
  set({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "8"}});
  EXPECT_EQ(look_at_launch().others, "");
}

TEST_F(launch, the_shells_of_sbatch_and_salloc_are_no_jobs) {
  for (const char* step : {"4294967290", "4294967291"}) {
    set({{"SLURM_STEP_ID", step}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}});
    EXPECT_EQ(look_at_launch().others, "");
  }
  set({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}});
  EXPECT_EQ(look_at_launch().others, "");
}

TEST_F(launch, the_innermost_launcher_counts) {
  set({{"OMPI_COMM_WORLD_SIZE", "1"},
       {"OMPI_COMM_WORLD_RANK", "0"},
       {"SLURM_STEP_ID", "0"},
       {"SLURM_PROCID", "1"},
       {"SLURM_STEP_NUM_TASKS", "2"}});
  EXPECT_EQ(look_at_launch().others, "");
  EXPECT_EQ(look_at_launch().rank, 0);
}

}  // namespace
}  // namespace orujo::internal::transport
