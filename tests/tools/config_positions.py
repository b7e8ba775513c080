#!/usr/bin/env python3
"""Prints where the recorded configurations declare what: the table tests/attachments/positions.tsv.

    tests/tools/config_positions.py > tests/attachments/positions.tsv

Looks for headers as grep would, and in JSON for keys by their indentation: it knows nothing of either
syntax, so it errs in other ways than tofud does. The recordings are written in the usual style, else it
would not work. Look at what changes before you commit it.
"""
import os
import pathlib
import re

recordings = pathlib.Path(__file__).resolve().parent.parent / "recordings"
header = re.compile(r'^( *)(resource|data|ephemeral|module)((?: "[^"]+")+) \{')  # data also in checks
source = re.compile(r'\bsource += "(\.[^"]*)"')
key = re.compile(r'^( *)"([^"]+)": [{\[]')


def address(kind, labels):
    return ".".join(labels if kind == "resource" else [kind, *labels])


def native(path):
    """[address, line, column, directory of a module]"""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := header.match(line):
            found.append([address(match[2], re.findall('"([^"]+)"', match[3])), number, len(match[1]) + 1, None])
        if found and found[-1][0].startswith("module.") and (match := source.search(line)):
            found[-1][3] = match[1]
    return found


def json(path):
    found, keys = [], {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := key.match(line):
            depth = len(match[1]) // 2
            keys[depth] = match[2]
            labels = 2 if keys.get(1) in ("resource", "data", "ephemeral") else 1
            if depth == labels + 1 and keys[1] in ("resource", "data", "ephemeral", "module"):
                names = [keys[each] for each in range(2, depth + 1)]
                found.append([address(keys[1], names), number, len(match[1]) + 1, None])
        elif found and (match := re.match(r'^ +"source": "(\.[^"]*)"', line)):
            found[-1][3] = match[1]
    return found


def files(folder):
    names = {each.name for each in folder.iterdir() if each.is_file()}
    for name in sorted(names):
        if re.search(r"\.tf(\.json)?$", name) and name.replace(".tf", ".tofu") in names:
            continue
        if name.endswith((".tf", ".tofu")):
            yield name, native(folder / name)
        elif name.endswith((".tf.json", ".tofu.json")):
            yield name, json(folder / name)


def module(folder, directory, path):
    for name, blocks in files(folder / directory):
        for found, line, column, below in blocks:
            place = os.path.normpath(os.path.join(directory, name))
            yield path + found, f"{place}:{line}:{column}"
            if below is not None:
                yield from module(folder, os.path.join(directory, below), f"{path}{found}.")


for scenario in sorted(recordings.iterdir()):
    for folder in sorted(scenario.glob("config*")):
        for found, place in sorted(module(folder, ".", "")):
            print(scenario.name, folder.name, found, place, sep="\t")
