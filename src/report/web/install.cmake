# report: cmake -D web=... -D npm=... -P install.cmake: fetches just the packages that package-lock.json names, once; the
# stamp is a copy of that file (tools/setup keeps the same one).
set(stamp ${web}/node_modules/.thalweg-installed)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${web}/package-lock.json ${stamp}
                RESULT_VARIABLE different OUTPUT_QUIET ERROR_QUIET)
if(different EQUAL 0)
  file(TOUCH ${stamp})
  return()
endif()
execute_process(COMMAND ${npm} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                WORKING_DIRECTORY ${web} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE words)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not install the packages that src/report/web/package-lock.json names:\n${words}\n"
                      "They are fetched once, from the npm registry. Is it reachable from here (npm ping)?")
endif()
file(COPY_FILE ${web}/package-lock.json ${stamp})
file(TOUCH ${stamp})
