# report: cmake -D web=... -D work=... -D npm=... -P install.cmake: fetches just the packages of package-lock.json into `work`.
file(COPY ${web}/package.json ${web}/package-lock.json DESTINATION ${work})
execute_process(COMMAND ${npm} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                WORKING_DIRECTORY ${work} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE words)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not install the packages that src/report/web/package-lock.json names:\n${words}\n"
                      "They are fetched once, from the npm registry. Is it reachable from here (npm ping)?")
endif()
file(TOUCH ${work}/installed)
