"""Builds what the interop tests need, so that they do not wait for Maven.

Rule: each test also builds a part that is missing; this module only builds it earlier.
``scripts/test codecs``, which runs beside the steps before, begins with it.
"""

from interop.peer.build import RELEASES, jars
from interop.peer.spring_service import SPRING, service_jar

if __name__ == "__main__":
    for release in RELEASES:
        jars(release)
    for release in SPRING:
        service_jar(release)
