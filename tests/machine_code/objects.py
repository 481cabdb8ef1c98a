"""Object files by path, and those of a build below a folder."""
import pathlib


def find(paths):
    found = []
    for path in map(pathlib.Path, paths):
        found += sorted(path.rglob("*.o*")) if path.is_dir() else [path]
    return [str(path) for path in found if path.suffix in (".o", ".obj")]
