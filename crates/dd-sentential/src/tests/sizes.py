"""Sizes of diagrams by PySDD, for `sizes.txt`; see `sizes.rs`. Usage: python sizes.py FOLDER"""

import pathlib
import sys

from pysdd.sdd import SddManager, Vtree

for path in sorted(pathlib.Path(sys.argv[1]).glob("*.cnf")):
    vtree = Vtree.from_file(str(path.with_suffix(".vtree")))
    manager = SddManager.from_vtree(vtree)
    formula = manager.true()
    for line in path.read_text().splitlines()[1:]:
        clause = manager.false()
        for literal in map(int, line.split()[:-1]):
            clause = clause | manager.literal(literal)
        formula = formula & clause
    count = formula.global_model_count()
    name = path.stem.replace("_", " ")
    print(f"{name}: {formula.size()} elements, {formula.count()} nodes, {count} models")
