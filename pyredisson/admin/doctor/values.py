"""Values of another codec than expected, or of several codecs: codec.

The rule: if no codec is given, values of one codec are no finding. If only the Python class of a
value's Java class is missing, the value has the right codec.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pyredisson.admin.codecs import NAMES, candidates, codec_named
from pyredisson.admin.doctor.patient import Diagnosis, Patient
from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError, WireFormatError
from pyredisson.protocol.delayed.entry import unpack

__all__ = ["values"]

_FEW = 100


def values(patient: Patient) -> Iterator[Diagnosis]:
    """Find values that the given codec cannot decode, or values of several codecs."""
    sample = _sample(patient)
    if not sample:
        return
    likely = _codec_of_all(sample)
    patient.looked_at.append(
        f"{len(sample)} values: {likely or 'of several codecs, or an unknown'}"
    )
    if patient.codec is None:
        if likely is None:
            yield Diagnosis(
                "codec",
                "warning",
                f"no single codec reads a sample of {len(sample)} values: programs with different "
                "codecs use this queue, or the classes of its values are unknown",
                f"pyredisson items {patient.quoted} --state ready",
            )
        return
    wrong = [each for each in sample if not _reads(patient.codec, each)]
    if wrong:
        found = likely or next((each.codec for each in candidates(wrong[0])), None)
        what = f"they look like {NAMES[found]}" if found else "no known codec reads them"
        yield Diagnosis(
            "codec",
            "warning",
            f"{type(patient.codec).__name__} cannot decode {len(wrong)} of a sample of "
            f"{len(sample)} values, such as {wrong[0][:20].hex()}; {what}",
            f"pyredisson items {patient.quoted} --codec {found}" if found else None,
        )


def _sample(patient: Patient) -> list[bytes]:
    found = patient.ready[:_FEW] + patient.ready[-_FEW:]
    entries = [entry for entry, _ in patient.pending]
    for entry in entries[:_FEW] + entries[-_FEW:]:
        with suppress(WireFormatError):
            found.append(unpack(entry).value)
    return list(dict.fromkeys(found))


def _codec_of_all(sample: list[bytes]) -> str | None:
    """Return the short name of the most likely codec that reads all values, or None."""
    for each in candidates(sample[0]):
        codec = codec_named(each.codec)
        if all(_reads(codec, value) for value in sample):
            return each.codec
    return None


def _reads(codec: Codec[object], value: bytes) -> bool:
    try:
        codec.decode(value)
    except DecodeError as error:
        return error.class_name is not None
    except ImportError:
        return False
    return True
