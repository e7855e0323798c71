# benchmarks: well-known programs out of Debian's source packages, unmodified, built by the tool's compiler.
import os
from dataclasses import dataclass

from harness.project import debian_source

CONFIGURING_COMPILER = "clang-19"
FLAGS = "-O2 -g"


@dataclass(frozen=True)
class Package:
    name: str
    configure: tuple  # options that leave out libraries which Debian's programs are linked with
    programs: tuple  # in the package's folder
    in_parts: bool = False  # one makefile for all of a large package: of which make builds the programs only


PACKAGES = (
    Package("coreutils", ("--disable-nls", "--disable-acl", "--disable-xattr", "--disable-libcap", "--without-selinux",
                          "--without-openssl"), ("src/cat", "src/cp", "src/wc"), in_parts=True),
    Package("grep", ("--disable-nls",), ("src/grep",)),
    Package("tar", ("--disable-nls", "--without-selinux", "--without-posix-acls", "--without-xattrs"), ("src/tar",)),
    Package("gzip", (), ("gzip",)),
    Package("rsync", ("--disable-openssl", "--disable-xxhash", "--disable-zstd", "--disable-lz4", "--disable-acl-support", "--disable-xattr-support",
                      "--disable-iconv", "--disable-md2man", "--with-included-popt", "--with-included-zlib",
                      "--disable-roll-simd"), ("rsync",)),  # its SIMD is chosen by resolvers (IFUNC), which docs/LIMITS.md says are refused
    Package("mpg123", ("--disable-shared", "--enable-modules=no", "--with-audio=dummy", "--enable-network=no"), ("src/mpg123",)),
)
# What sqlite3's makefile links; its libtool takes no other compiler than the one that it was configured with.
SQLITE_FLAGS = "-DSQLITE_OS_UNIX=1 -D_HAVE_SQLITE_CONFIG_H -DNDEBUG -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION=1 -DHAVE_READLINE=0"


class Builder:
    """Configured once, without the tool; what is built is built again when the tool's compiler is another one."""

    def __init__(self, project, ninja, linked_in=()):
        """linked_in: objects that each program is linked with."""
        project.need_tool()
        self.project = project
        self.ninja = ninja
        self.needs = [project.cc, *linked_in]
        self.make = f"make -s -j2 CC={project.cc}" + (f" LDFLAGS='{' '.join(linked_in)}'" if linked_in else "")
        self.linked_in = linked_in

    def folder(self, name):
        return os.path.join(self.ninja.folder, name)

    def configured(self, name, options):
        source = debian_source(self.project, name)
        makefile = os.path.join(self.folder(name), "Makefile")
        # Root may configure too: nothing is installed.
        command = (f"rm -rf {self.folder(name)} && mkdir {self.folder(name)} && cd {self.folder(name)} && FORCE_UNSAFE_CONFIGURE=1 "
                   f"CC={CONFIGURING_COMPILER} CFLAGS='{FLAGS}' {source}/configure -q {' '.join(options)} > configure.log 2>&1")
        return self.ninja.edge(makefile, command, [os.path.join(source, "configure")])

    def autotools(self, package):
        """The stamp of a package whose programs are built."""
        folder = self.folder(package.name)
        anew = f"find . -name '*.[oa]' -delete -o -name '*.l[oa]' -delete && rm -f {' '.join(package.programs)}"
        # Headers that the package generates are only made first by `make all`, or so.
        headers = "printf 'include Makefile\\nbuilt-sources: $$(BUILT_SOURCES)\\n' > headers.mk && make -s -j2 -f headers.mk built-sources"
        make = f"{self.make} MAKEINFO=: {' '.join(package.programs) if package.in_parts else 'all'}"
        steps = " && ".join([anew, *([headers] if package.in_parts else []), make])
        command = f"cd {folder} && ({steps}) > make.log 2>&1 && touch $out || (tail {folder}/make.log; false)"
        makefile = self.configured(package.name, package.configure)
        return self.ninja.edge(os.path.join(folder, "built"), command, [makefile], self.needs)

    def from_package(self, package, program):
        """The edge is a copy: make says itself which of its files are new. It stands beside the program, from where it finds its objects."""
        built = os.path.join(self.folder(package.name), program)
        return self.ninja.edge(f"{built}.program", f"cp {built} $out", [self.autotools(package)])

    def sqlite(self):
        """The amalgamation, which is made of the sources by scripts in Tcl, and the shell."""
        folder = self.folder("sqlite3")
        makefile = self.configured("sqlite3", ("--disable-tcl", "--disable-readline", "--disable-shared"))
        made = self.ninja.edge(os.path.join(folder, "sqlite3.c"), f"cd {folder} && make -s sqlite3.c shell.c > make.log 2>&1", [makefile])
        shell = self.ninja.edge(os.path.join(folder, "shell.c"), "true", [made])
        flags = f"{FLAGS} -w -I{folder} {SQLITE_FLAGS}"
        objects = [self.ninja.compile(source, f"sqlite3/{os.path.basename(source)}", self.project.cc, [flags], [made])
                   for source in (shell, made)]
        return self.ninja.edge(self.folder("sqlite3.program"), f"{self.project.cc} {FLAGS} $in -lm -o $out",
                               [*objects, *self.linked_in])

    def nginx(self):
        """Its configure is its own, and works inside of its sources only."""
        folder = self.folder("nginx")
        source = debian_source(self.project, "nginx")
        configure = (f"rm -rf {folder} && cp -r {source} {folder} && cd {folder} && "
                     f"./configure --with-cc={CONFIGURING_COMPILER} --with-cc-opt='{FLAGS}' > configure.log 2>&1 || "
                     f"(tail {folder}/configure.log; false)")
        makefile = self.ninja.edge(os.path.join(folder, "objs", "Makefile"), configure, [os.path.join(source, "configure")])
        make = f"find objs -name '*.o' -delete && rm -f objs/nginx && {self.make}"
        command = f"cd {folder} && ({make}) > make.log 2>&1 && cp objs/nginx $out || (tail {folder}/make.log; false)"
        return self.ninja.edge(os.path.join(folder, "objs", "nginx.program"), command, [makefile], self.needs)

    def program(self, name):
        odd = {"sqlite3": self.sqlite, "nginx": self.nginx}
        if name in odd:
            return odd[name]()
        return next(self.from_package(package, path) for package in PACKAGES for path in package.programs
                    if os.path.basename(path) == name)
