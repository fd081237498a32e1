// The last word of a process: a file by which it reports to the launcher how it ended. Without it the
// launcher sees an exit status only, and that as mpirun passes it on. The file is named by its locale and
// lies in the folder that ORUJO_LAST_WORDS names. Its only line is one of these.
//
//   begun  000 4711 node7    process 4711 of host node7 has begun, and has not said how it ends
//   ended  065 4711 node7    its work was done, with status 65; only MPI_Finalize and main()'s end follow
//   failed 071 4711 node7    it said FATAL, with status 71
//   signal 015 4711 node7    signal 15 has ended it, before its work was done
//
// bin/commands/ends.sh reads these files.
#pragma once

#include <cstdint>

#include "system/base/exit_status.hpp"

namespace orujo::internal::base {

enum class last_word { begun, ended, failed, signal };

// Creates the file, unless no launcher asks for it or the file cannot be created. Once per job of the
// process: the words of a later job replace those of an earlier one.
void begin_last_word(int locale);

// Any thread and signal handler may call it. A forked child of this process writes nothing.
void leave_last_word(last_word word, exit_status code);
// Reports a signal that ends the process; has no effect after another last word.
void leave_last_word_of_signal(int signal);

// Returns true if this process has such a file.
bool leaves_last_words();
// Process id of a locale of this job on this host that has begun and has not reported a failure; 0 if none is
// known. Any thread.
std::int32_t process_by_last_word(int locale);

}  // namespace orujo::internal::base
