#!/usr/bin/env python3
"""Checks that includes go one way: sim -> models -> numerics, technology -> base."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
PROJECT = re.compile(r"^(sim|models|tests)/")

# A folder may include itself and these. The first prefix that matches a file is its folder.
ALLOWED = [
    ("models/base/", []),
    ("models/numerics/", ["models/base/"]),
    ("models/technology/", ["models/base/", "models/numerics/"]),
    ("models/", ["models/"]),
    ("sim/", ["sim/", "models/"]),
    ("tests/", ["tests/", "sim/", "models/"]),
]
# Third-party headers cost compile time in every file that sees them: not in headers.
HEAVY = re.compile(r"^(CLI/|nlohmann/json\.hpp|yaml-cpp/|spdlog/|fmt/|benchmark/)")
NO_SYSTEMC = ("models/base/", "models/numerics/", "models/technology/")


def faults_of(path: pathlib.Path) -> list[str]:
    name = path.relative_to(ROOT).as_posix()
    folder, allowed = next(rule for rule in ALLOWED if name.startswith(rule[0]))
    faults = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match[1]
        if PROJECT.match(header):
            if not any(header.startswith(prefix) for prefix in [folder, *allowed]):
                faults.append(f"{name}:{number}: {folder} may not include {header}")
        elif path.suffix == ".hpp" and folder != "tests/" and HEAVY.match(header):
            faults.append(f"{name}:{number}: {header} belongs in a .cpp file")
        elif header.startswith("systemc") and name.startswith(NO_SYSTEMC):
            faults.append(f"{name}:{number}: no SystemC in {folder}")
    return faults


def main() -> int:
    files = [p for d in ("sim", "models", "tests") for p in (ROOT / d).rglob("*.[ch]pp")]
    faults = [fault for path in sorted(files) for fault in faults_of(path)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
