"""The system's compiler, and what it made before: C text to a library, once.

What is compiled is kept in the user's cache directory under a hash of the text, the compiler and the processor. It is
written beside and renamed, so that several processes can do so at once. Without `cc` a compiler that came as a Python
wheel does (`rulelang[native]`).
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from rulelang.source.whole import write_whole

FLAGS = ("-std=gnu11", "-O2", "-fno-tree-vectorize", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing", "-w")


class NoCompiler(Exception):
    """No compiler is there, or it failed; the text says which."""


@lru_cache(maxsize=1)
def compiler() -> tuple[str, ...]:
    """The command of the C compiler."""
    chosen = os.environ.get("CC", "")
    for name in (chosen, "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found is not None:
            return (found,)
    if find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    raise NoCompiler("no C compiler is installed: `pip install rulelang[native]` brings one")


@lru_cache(maxsize=1)
def processor() -> str:
    """What the compiled text may depend on besides itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    except OSError:
        flags = ""
    return f"{platform.system()} {platform.machine()} {platform.processor()} {flags}"


def cache_folder() -> Path:
    """Where compiled games are kept."""
    from platformdirs import user_cache_dir

    return Path(os.environ.get("RULELANG_CACHE") or user_cache_dir("rulelang")) / "native"


def hashed(*parts: str) -> str:
    """A name for contents."""
    made = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()[:40]


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of what writes the C text: a change of it makes every library anew."""
    here = Path(__file__).parent
    found = hashlib.sha256()
    for room in ("native", "engine", "machine", "boards", "model"):
        for path in sorted((here.parent / room).iterdir()):
            if path.suffix in (".py", ".h"):
                found.update(path.read_bytes())
    return found.hexdigest()


def library(text: str, extra: tuple[str, ...] = (), folder: Path | None = None) -> Path:
    """The compiled library of a C text."""
    command = compiler()
    kept = folder or cache_folder()
    path = kept / f"{hashed(text, *command, *FLAGS, *extra, processor())}.so"
    if path.exists():
        return path
    kept.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    write_whole(source, text.encode("utf-8"))
    handle, made = tempfile.mkstemp(suffix=".so", dir=kept)
    os.close(handle)
    tuned = [] if platform.machine() in ("arm64", "aarch64") else ["-march=native"]
    try:
        done = subprocess.run([*command, *FLAGS, *tuned, *extra, "-o", made, str(source)], capture_output=True, text=True)
        if done.returncode != 0:
            first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:200])
            raise NoCompiler(f"the C compiler failed: {first}")
        os.chmod(made, 0o755)
        os.replace(made, path)
    except OSError as problem:
        raise NoCompiler(f"the C compiler cannot be run: {problem}") from None
    finally:
        if os.path.exists(made):
            os.unlink(made)
    return path
