# The two event interfaces under one micro-protocol source, as flavours:
#   typed       ordinary build through thalweg/event.h
#   c           through thalweg/thalweg.h: marshalled arguments, a lock around each handler
#   hand, c-hand   the same with the events of the main path merged by hand: the limit
set(EXAMPLE_FLAVOURS typed c hand c-hand)
set(EXAMPLE_SURROUNDINGS ${CMAKE_CURRENT_LIST_DIR}/composite.cc ${CMAKE_CURRENT_LIST_DIR}/meter.cc)

function(example_flavour target flavour)
  target_include_directories(${target} PRIVATE ${THALWEG_SOURCE}/examples)
  target_link_libraries(${target} PRIVATE thalweg_flags Thalweg::thalweg)
  target_compile_options(${target} PRIVATE -O2)
  if(flavour MATCHES "^c")
    target_compile_definitions(${target} PRIVATE COMPOSITE_MARSHALLED)
  endif()
  if(flavour MATCHES "hand$")
    target_compile_definitions(${target} PRIVATE EXAMPLE_HAND_MERGED)
  endif()
endfunction()

# video_sender, video_sender-c, ...
function(example_name out base flavour)
  if(flavour STREQUAL typed)
    set(${out} ${base} PARENT_SCOPE)
  else()
    set(${out} ${base}-${flavour} PARENT_SCOPE)
  endif()
endfunction()
