// audit: what it is told, and tells, by files. Whoever starts a program so sets LD_AUDIT to the library and `list_variable` to a list.
#pragma once

namespace thalweg::audit {

// The path of a text: a line for each library, its path, a tab, and the path of the file that is loaded in its place.
inline constexpr char list_variable[] = "THALWEG_LIBRARIES";
// Behind the list's path: a file with a line for each object that was loaded, the path by which the program knows it.
inline constexpr char loaded_ending[] = ".loaded";

}  // namespace thalweg::audit
