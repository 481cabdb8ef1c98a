# SPDX-License-Identifier: Apache-2.0
"""scripts/predict finds its loops, and its predictions are sane."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', '..', 'benchmarks', 'predict'))

import predict  # noqa: E402

MCA = predict.find_mca()
if MCA is None:
    print('Not run: there is no llvm-mca')
    sys.exit(1 if os.environ.get('CI') == 'true' else 77)
ARCH = 'x86_64'
LOOPS = predict.regions(ARCH)
if not LOOPS:
    print(f'Not run: there is no compiler for {ARCH}')
    sys.exit(77)
for target, count in (('AVX2', 12), ('AVX3', 20), ('AVX3_DL', 20),
                      ('AVX3_SPR', 20)):
    assert len(LOOPS[target]) == count, (target, sorted(LOOPS[target]))
for (kernel, way), (_, text) in LOOPS['AVX2'].items():
    # A loop by the divider has a division, and 32 bits by multiplication none.
    divisions = text.count('vdiv')
    assert divisions or way == 'multiply', (kernel, way, text)
    assert not (divisions and way == 'multiply' and kernel == 'Div/i32'), text
KNOWN = 0
for cpu in predict.CPUS:
    times = cpu.arch == ARCH and predict.predict(MCA, cpu, LOOPS[cpu.target])
    if not times:
        continue  # an older llvm-mca
    KNOWN += 1
    assert times.keys() == LOOPS[cpu.target].keys(), cpu
    assert all(0.05 < time < 20 for time in times.values()), (cpu, times)
    if cpu.name == 'Haswell':
        # A division of eight floats takes 14 cycles there.
        assert predict.ratios(times)['Div/i32'] < 0.5, times
assert KNOWN >= 4, KNOWN
# A loop with a jump to a rare case: the rare case divides twice.
SAMPLE = ['\t# LLVM-MCA-BEGIN N_X k way 8', '\tvmovups (%rdi), %ymm0',
          '\tje .L1', '\tvdivps %ymm0', '\tvdivps %ymm0', '\tjmp .L2', '.L1:',
          '\tvdivps %ymm0', '\tvmulps %ymm0', '\tvmulps %ymm0', '.L2:',
          '\t# LLVM-MCA-END']
assert predict.hot_path(SAMPLE, {'.L1': 6, '.L2': 10}, 1) == [
    SAMPLE[1], SAMPLE[7], SAMPLE[8], SAMPLE[9]]
