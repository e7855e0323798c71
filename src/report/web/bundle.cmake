# report: the page's TypeScript and CSS become one file, and that file a C++ string, when the project is built. Whoever runs
# `thalweg report --html` needs neither node nor a network.

find_program(THALWEG_NODE NAMES node nodejs)
find_program(THALWEG_NPM npm)
if(NOT THALWEG_NODE OR NOT THALWEG_NPM)
  thalweg_missing(THALWEG_BUILD_TOOLS "Node.js or npm, by which the HTML report is bundled from src/report/web," "On Debian: apt-get install nodejs npm")
endif()

set(web ${CMAKE_CURRENT_LIST_DIR})
set(THALWEG_REPORT_PAGE ${CMAKE_CURRENT_BINARY_DIR}/page.cc)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/*.ts ${web}/*.css ${web}/*.html)

add_custom_command(
  OUTPUT ${web}/node_modules/.thalweg-installed
  COMMAND ${CMAKE_COMMAND} -D web=${web} -D npm=${THALWEG_NPM} -P ${web}/install.cmake
  DEPENDS ${web}/package.json ${web}/package-lock.json
  COMMENT "The report's libraries (npm ci)"
  VERBATIM)

add_custom_command(
  OUTPUT ${THALWEG_REPORT_PAGE}
  COMMAND ${THALWEG_NODE} ${web}/bundle.mjs ${THALWEG_REPORT_PAGE}
  DEPENDS ${web}/node_modules/.thalweg-installed ${web}/bundle.mjs ${web_sources}
  COMMENT "Bundling the report's page"
  VERBATIM)
