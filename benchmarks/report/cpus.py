# SPDX-License-Identifier: Apache-2.0
"""The names of CPUs. Names in virtual machines say little ("AMD EPYC"), so
results also keep the numbers by which CPUs know themselves."""
import re

# (the numbers' words, models, the microarchitecture). A CPU of another model
# goes by its numbers.
_KNOWN = (
    ('family 6', (60, 63, 69, 70), 'Haswell'),
    ('family 6', (61, 71, 79, 86), 'Broadwell'),
    ('family 6', (78, 94, 142, 158, 165, 166), 'Skylake'),
    ('family 6', (85,), 'Skylake-X'),
    ('family 6', (106, 108), 'Ice Lake server'),
    ('family 6', (143,), 'Sapphire Rapids'),
    ('family 6', (207,), 'Emerald Rapids'),
    ('family 6', (151, 154, 183, 186, 191), 'Alder Lake'),
    ('family 23', range(0x30, 0x100), 'Zen 2'),
    ('family 25', (*range(0x10), *range(0x20, 0x60)), 'Zen 3'),
    ('family 25', (*range(0x10, 0x20), *range(0x60, 0x80)), 'Zen 4'),
    ('family 26', range(0x50), 'Zen 5'),
    ('implementer 0x41', (0xd0c,), 'Neoverse N1'),
    ('implementer 0x41', (0xd40,), 'Neoverse V1'),
    ('implementer 0x41', (0xd4f,), 'Neoverse V2'),
)


def _cpuinfo():
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            return dict(re.findall(r'^([\w ]+?)\s*: (.*)$', file.read(),
                                   re.MULTILINE))
    except OSError:
        return {}


def own_numbers():
    """The numbers of this machine's CPU, such as 'family 26 model 2'."""
    known = _cpuinfo()
    return ' '.join(f'{word} {known[field]}' for field, word in
                    (('cpu family', 'family'), ('model', 'model'),
                     ('CPU implementer', 'implementer'), ('CPU part', 'part'))
                    if field in known)


def own_model():
    """This machine's CPU by its own words, such as 'AMD EPYC'."""
    return _cpuinfo().get('model name', '')


def own_name():
    """This machine's CPU, such as 'AMD EPYC family 26 model 2'."""
    return f'{own_model()} {own_numbers()}'.strip()


def microarchitecture(numbers):
    """'family 26 model 2' -> 'Zen 5'; '' where the numbers are not known."""
    match = re.fullmatch(r'(\w+ \w+) (?:model|part) (\w+)', numbers)
    return next((name for words, models, name in _KNOWN if match
                 and words == match[1] and int(match[2], 0) in models), '')


def full_name(run):
    """Such as 'AMD EPYC family 26 model 2'."""
    return ' '.join(w for w in (run.own('cpu', 'unknown'),
                                run.own('cpu_numbers')) if w)


def short_name(run):
    """Such as 'Zen 5 (AVX3_ZEN4)'."""
    name = microarchitecture(run.own('cpu_numbers')) or re.sub(
        r'\((R|TM)\)| Processor', '', full_name(run))
    forced = 'as ' if run.own('as') else ''
    return f'{name} ({forced}{run.own("isa")})'


def file_name(run):
    """Such as 'amd-epyc-family-26-model-2'. Results as if the CPU had an older
    instruction set have their own name."""
    words = full_name(run) + (f' as {run.own("as")}' if run.own('as') else '')
    return re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')
