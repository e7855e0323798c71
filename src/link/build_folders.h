// link: the folders of a build, named so that another checkout of the same sources has the same names.
#pragma once

#include <filesystem>
#include <string>

namespace thalweg::link {

// `folder` seen from `base`; absolute where they share no folder but the root, because such a name would hold nowhere else either.
// Symbolic links are resolved first: ".." means the real parent.
std::string folder_seen_from(const std::string &base, const std::string &folder);

class BuildFolders {
  public:
    // Where the link runs, and where its output goes.
    BuildFolders(const std::string &link, const std::string &program);
    // The link's folder as the record names it.
    std::string link_seen_from_program() const { return folder_seen_from(program_.string(), link_.string()); }
    // An absolute path of this build becomes relative to the link's folder. All others stay: what the system or an installed
    // library brings stands at the same place for every checkout.
    std::string named(const std::string &path) const;

  private:
    std::filesystem::path link_;
    std::filesystem::path program_;
    std::filesystem::path root_;  // what is below is of this build
};

}  // namespace thalweg::link
