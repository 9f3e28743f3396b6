"""Tests the Debian packages of a build tree in a clean root: a folder tree with the
dependencies of the package, copied from the installed packages, and nothing of the source or
the build.

usage: deb_test.py PACKAGES_DIR BUILD_DIR WORK_DIR CXX

Each check is first run on a planted mistake: a missing library, a wrong unit, a wrong
manual page. Needs root or user namespaces.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

PACKAGES, BUILD, WORK = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
CXX = sys.argv[4]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = WORK / "root"
NOT_TO_RUN = {"adduser", "debconf"}  # only used by maintainer scripts
SHELLS = {
    "bash": "usr/share/bash-completion/completions/scratchpage.bash",
    "zsh": "usr/share/zsh/vendor-completions/_scratchpage",
    "fish": "usr/share/fish/vendor_completions.d/scratchpage.fish",
}


def run(*words, fails=False, env=None):
    """Runs a command that must succeed, or fail if `fails`. Returns both outputs."""
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, env=env)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_to_see(*words):
    """Returns both outputs of a command, and its exit code if it is not 0: "" if nothing is wrong."""
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout + (f"ended with {done.returncode}" if done.returncode else "")


def check(holds, sentence):
    if not holds:
        sys.exit(f"deb_test.py: {sentence}")


def in_root(*words):
    """The words of a command that runs in the clean root."""
    become_root = [] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user"]
    return ["env", "-i", "PATH=/usr/bin", "LANG=C.UTF-8", *become_root, "/usr/sbin/chroot", str(ROOT), *words]


# -- the packages ----------------------------------------------------------------


def find_packages():
    found = {path.name.split("_")[0]: path for path in PACKAGES.glob("*.deb")}
    check(set(found) == {"scratchpage", "libscratchpage-dev"}, f"the packages are {sorted(found)}")
    return found["scratchpage"], found["libscratchpage-dev"]


def check_control(package):
    fields = run("dpkg-deb", "-f", package)
    for field in "Maintainer", "Section", "Depends", "Description":
        check(re.search(rf"^{field}: \S", fields, re.MULTILINE), f"{package.name} has no field {field}")
    listed = run("dpkg-deb", "-c", package)
    check("copyright" in listed and "changelog.gz" in listed, f"{package.name} lacks its documents")
    strangers = [line for line in listed.splitlines() if not re.search(r" root/root .* \./(usr/.*)?$", line)]
    check(not strangers, f"{package.name} has {strangers}")


def names_in(group):
    """The names of alternative packages, without versions."""
    return [re.split(r"[\s(:]", name.strip())[0] for name in group.split("|")]


def installed_packages():
    """The dependencies of each installed package, and the package of each name, own or provided."""
    needs, called = {}, {}
    form = "${db:Status-Status}\t${Package}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    for line in run("dpkg-query", "-W", "-f", form).splitlines():
        status, package, depends, provides = line.split("\t")
        if status == "installed":
            needs[package] = depends
            for name in names_in(provides.replace(",", "|")):
                called.setdefault(name, package)
    return needs, called | {name: name for name in needs}


def closure(dependencies):
    """The installed packages that these dependencies need, directly and indirectly."""
    needs, called = installed_packages()
    found, ahead = set(), [dependencies]
    while ahead:
        for group in filter(None, (g.strip() for g in ahead.pop().split(","))):
            names = names_in(group)
            package = next((called[name] for name in names if name in called), None)
            if NOT_TO_RUN.intersection(names) or package in found:
                continue
            check(package, f"'{group}' is not installed, so it cannot be copied")
            found.add(package)
            ahead.append(needs[package])
    return found


def fill_root(package):
    for folder in "bin", "lib", "lib64", "sbin":
        (ROOT / "usr" / folder).mkdir(parents=True)
        (ROOT / folder).symlink_to(f"usr/{folder}")
    for folder in "dev", "etc", "proc", "tmp", "var/lib":
        (ROOT / folder).mkdir(parents=True)
    (ROOT / "etc/passwd").write_text("root:x:0:0::/:/bin/false\n")
    needed = closure(run("dpkg-deb", "-f", package, "Depends"))
    for path in run("dpkg-query", "-L", *sorted(needed)).splitlines():
        source, to = pathlib.Path(path), ROOT / path[1:]
        if path.startswith("/") and not path.startswith("/usr/share/") and source.is_file():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, to, follow_symlinks=False)
    run("dpkg-deb", "-x", package, ROOT)


# -- the program -----------------------------------------------------------------


def missing_libraries():
    loader = re.search(r"program interpreter: ([^]]+)", run("readelf", "-lW", ROOT / "usr/bin/scratchpage"))[1]
    done = subprocess.run(in_root(loader, "--list", "/usr/bin/scratchpage"), capture_output=True, text=True)
    return [line for line in (done.stdout + done.stderr).splitlines() if "not found" in line
            or "cannot open shared object" in line]


def check_libraries():
    library = next((ROOT / "usr/lib").rglob("libre2.so.*"))
    away = library.with_name("away")
    library.rename(away)
    check(missing_libraries(), "a missing library is not noticed")
    away.rename(library)
    check(not missing_libraries(), f"libraries are missing: {missing_libraries()}")
    for word in run("readelf", "-d", ROOT / "usr/bin/scratchpage").splitlines():
        check("RPATH" not in word and "RUNPATH" not in word, f"the program contains a path of the build: {word}")


def check_commands(version):
    program = in_root("/usr/bin/scratchpage")
    check(run(*program, "--version") == f"scratchpage {version}\n", "--version shows another version")
    run(*program, "add", "--data", "/var/lib/page", "--type", "alert", "Smoke in the server room")
    found = run(*program, "query", "--data", "/var/lib/page", "--json", "server room")
    check(json.loads(found)["observations"][0]["content"] == "Smoke in the server room", f"the query answers {found}")


def check_service():
    server = subprocess.Popen(in_root("/usr/bin/scratchpage", "serve", "--data", "/var/lib/page", "--listen",
                                      "127.0.0.1:0"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = server.stdout.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+", said)
        check(url, f"the server says: {said}{server.stdout.read() if not url else ''}")
        with urllib.request.urlopen(f"{url[0]}/healthz", timeout=10) as answer:
            check(answer.status == 200, f"/healthz answers {answer.status}")
    finally:
        server.send_signal(signal.SIGTERM)
        ended = server.wait(timeout=20)
    check(ended == 0, f"the server ended with {ended}")


# -- unit, manual page and completions -----------------------------------------------


def verify_unit():
    return run_to_see("systemd-analyze", "verify", "--man=no", f"--root={ROOT}", "scratchpage.service")


def check_unit():
    units = ROOT / "usr/lib/systemd/system"
    for target in "basic", "network", "shutdown", "sysinit":  # units of other packages
        (units / f"{target}.target").write_text("[Unit]\nDescription=of another package\n")
    unit = units / "scratchpage.service"
    right = unit.read_text()
    for mistake in right.replace("PrivateTmp", "PrivateTemp"), right.replace("/usr/bin/", "/usr/local/bin/"):
        check(mistake != right, "the planted mistake did not change the unit")
        unit.write_text(mistake)
        check(verify_unit(), f"systemd-analyze finds nothing wrong in:\n{mistake}")
    unit.write_text(right)
    check(not verify_unit(), f"systemd-analyze says: {verify_unit()}")
    exposure = run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager",
                   f"--root={ROOT}", "scratchpage.service")
    print(exposure.strip().splitlines()[-1])


def rendered(page):
    """The manual page as text, and groff's warnings."""
    done = subprocess.run(["groff", "-ww", "-Tutf8", "-P-cbou", "-man", "-Kutf8", "-rLL=200n"],
                          input=page, capture_output=True, text=True)
    return done.stdout, done.stderr


def check_manual(tree):
    page = gzip.decompress((ROOT / "usr/share/man/man1/scratchpage.1.gz").read_bytes()).decode()
    check(rendered(page + ".XY wrong\n")[1], "an unknown macro is not noticed")
    text, warnings = rendered(page)
    check(not warnings, f"the manual page has warnings:\n{warnings}")
    for path, (commands, options) in tree.items():
        if not commands:
            check(f"\n   {' '.join(path)}\n" in text, f"the manual page has no section '{' '.join(path)}'")
        for option in options:
            check(option in text, f"the manual page lacks {option} of {path}")


def help_tree(path=()):
    """For each command, the subcommands and options that --help of the installed program lists."""
    text = run(*in_root("/usr/bin/scratchpage", *path, "--help"))
    options = {name for line in text.splitlines() if (m := re.match(r"  (-\S+)", line)) for name in m[1].split(",")}
    commands = []
    if listed := re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE):
        commands = re.findall(r"^  (\w+)", listed[1], re.MULTILINE)
    tree = {path: (commands, options)}
    for command in commands:
        tree |= help_tree((*path, command))
    return tree


BASH = """
complete() { :; }
compopt() { :; }
. "$1"
while read -r -a words; do
  COMP_WORDS=("${words[@]}" "")
  case ${words[-1]} in */*) COMP_WORDS=("${words[@]:0:${#words[@]}-1}" "${words[-1]#*/}") ;; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _scratchpage
  echo "${COMPREPLY[*]}"
done
"""

FISH = "source $argv[1]; while read line; echo (complete -C (string replace / '' -- $line) | string split -f1 \\t); end"


def complete(shell, tree):
    """For each command, the completions of "", "-" and "--". In the lines, a slash precedes the word to complete."""
    lines = []
    for path in tree:
        for begun in "", "-", "--":
            lines.append(" ".join(("scratchpage", *path, f"/{begun}")))
    words = {"bash": ["bash", "--norc", "-c", BASH, "bash"], "fish": ["fish", "--no-config", "-c", FISH]}[shell]
    answers = subprocess.run([*words, str(ROOT / SHELLS[shell])], input="\n".join(lines) + "\n", cwd=WORK,
                             capture_output=True, text=True, env={**os.environ, "HOME": str(WORK)})
    check(answers.returncode == 0 and not answers.stderr, f"{shell}: {answers.stderr}")
    found = [set(line.split()) for line in answers.stdout.splitlines()]
    check(len(found) == len(lines), f"{shell} answers {len(found)} of {len(lines)}")
    return {path: found[3 * i:3 * i + 3] for i, path in enumerate(tree)}


def check_completions(tree):
    for shell in "bash", "fish":
        for path, (of_nothing, of_a_dash, of_two) in complete(shell, tree).items():
            commands, options = tree[path]
            where = f"{shell}, after 'scratchpage {' '.join(path)}'"
            check(not commands or of_nothing == set(commands), f"{where}: {of_nothing}, expected {commands}")
            offered = of_a_dash | of_two
            check(offered == options, f"{where}: {sorted(offered)}, expected {sorted(options)}")
    zsh = ROOT / SHELLS["zsh"]
    run("zsh", "-f", "-n", zsh)
    text = zsh.read_text()
    for path, (commands, options) in tree.items():
        body = re.search(rf"^{'_'.join(('_scratchpage', *path))}\(\) {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)[1]
        named = set(re.findall(r"^    '\*?(--?[\w-]+)\[", body, re.MULTILINE))
        check(named == options, f"zsh, {path}: {sorted(named)}, expected {sorted(options)}")
        check(all(f"'{command}:" in body for command in commands), f"zsh, {path}: not all of {commands}")


# -- the library -----------------------------------------------------------------


def check_library(package):
    """A user's project finds the library and CAF in the package alone."""
    prefix = WORK / "library"
    run("dpkg-deb", "-x", package, prefix)
    without_caf = {k: v for k, v in os.environ.items() if not k.upper().startswith("CAF")}
    run("cmake", "-G", "Ninja", "-S", HERE / "consumer", "-B", WORK / "consumer", f"-DCMAKE_CXX_COMPILER={CXX}",
        f"-DCMAKE_PREFIX_PATH={prefix}/usr", env=without_caf)
    taken = re.search(r"^CAF_DIR:\w+=(.*)", (WORK / "consumer/CMakeCache.txt").read_text(), re.MULTILINE)
    check(not taken or taken[1].startswith(str(prefix)), f"CAF is taken from {taken and taken[1]}")
    run("cmake", "--build", WORK / "consumer", env=without_caf)
    check(run(WORK / "consumer/consumer") == "one tag: a\n", "the user's program prints something else")
    for file in prefix.rglob("*.cmake"):
        check(str(BUILD) not in file.read_text(), f"{file} names the build tree")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    began = time.monotonic()

    def step(title, function, *arguments):
        result = function(*arguments)
        print(f"{time.monotonic() - began:5.1f} s  {title}", flush=True)
        return result

    program, library = find_packages()
    for package in program, library:
        check_control(package)
    version = run("dpkg-deb", "-f", program, "Version").strip()
    step("a clean root", fill_root, program)
    step("libraries", check_libraries)
    step("commands", check_commands, version)
    step("service", check_service)
    step("unit", check_unit)
    tree = step("help", help_tree)
    step("manual page", check_manual, tree)
    step("completions", check_completions, tree)
    step("library", check_library, library)
    shutil.rmtree(WORK)


main()
