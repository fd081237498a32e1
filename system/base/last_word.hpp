// What each process of a job leaves for its launcher, which otherwise sees of an end a status only, and that
// as mpirun tells it: a file of its own, named by its locale, in the folder that ORUJO_LAST_WORDS names. It
// has one line,
//
//   begun  000 4711 node7    process 4711 of host node7 has begun, and has not said how it ends
//   ended  065 4711 node7    its work was done, with status 65; only MPI_Finalize and main()'s end follow
//   failed 071 4711 node7    it said FATAL, with status 71
//   signal 015 4711 node7    signal 15 has ended it, before its work was done
//
// bin/commands/ends.sh reads them.
#pragma once

#include <cstdint>

#include "system/base/exit_status.hpp"

namespace orujo::base {

enum class last_word { begun, ended, failed, signal };

// Makes the file; nothing is left where no launcher asks for it, or the file cannot be made. Once per job of
// the process: a later one's words take the place of those before.
void begin_last_word(int locale);

// Callable from any thread and signal handler. A child that this process has forked leaves none.
void leave_last_word(last_word word, exit_status code);
// The same for a signal that ends the process; says nothing where something was said before.
void leave_last_word_of_signal(int signal);

// Whether this process does.
bool leaves_last_words();
// The process of a locale of this job that has begun on this host, and has not failed as far as it says; 0
// where none is known. Any thread.
std::int32_t process_by_last_word(int locale);

}  // namespace orujo::base
