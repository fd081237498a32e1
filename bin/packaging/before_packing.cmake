# Prepares the files that cpack or `bin/orujo install` (-Dpacked=FOLDER) has installed. Debug information is removed, but
# not the symbols, by which reports of tasks name functions. Manual pages are compressed, as Debian has them.
if(NOT packed)
  set(packed ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
endif()
file(GLOB programs ${packed}/libexec/orujo/applications/* ${packed}/libexec/orujo/*.so)
file(GLOB_RECURSE libraries ${packed}/lib/*.a)
execute_process(COMMAND strip --strip-debug ${programs} ${libraries} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB texts ${packed}/share/man/man1/* ${packed}/share/doc/orujo/changelog)
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
