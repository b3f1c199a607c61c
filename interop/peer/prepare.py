"""Builds what the interop tests need, so that they do not wait for Maven.

Rule: whoever needs a part builds it if it is missing; this is only earlier.
``scripts/test codecs``, which runs beside the steps before, begins with it.
"""

from interop.peer.build import RELEASES, jars
from interop.peer.spring_service import SPRING, service_jar

if __name__ == "__main__":
    for release in RELEASES:
        jars(release)
    for release in SPRING:
        service_jar(release)
