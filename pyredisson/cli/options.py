"""The options that most commands share, and the session that they describe.

A command is a click command under `@on_server`. It gets a `Session`, and returns its exit code: 0
(None) done, 1 the answer is no. Errors that it raises end with 2 (`cli/app`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from pyredisson import Redisson
from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson.admin.codecs import COMPRESSED, NAMES, LikelyCodec, codec_named, schemas_in
from pyredisson.cli.clients import Place
from pyredisson.cli.help import CODEC_OPTIONS
from pyredisson.cli.output import Output
from pyredisson.cli.server_options import OPTIONS, URL, Option
from pyredisson.codecs.base import Codec
from pyredisson.codecs.default import default_codec

__all__ = ["Session", "offline", "on_server"]


@dataclass(frozen=True, slots=True)
class Session:
    """What the shared options say.

    Attributes:
        place: the server, the cluster or the Sentinels.
        output: prints.
        release: the Redisson release of the Java services; None if it was not given.
        codec_name: the codec's short name; None if it was not given.
        schemas: the file with Python classes; None if it was not given.
    """

    place: Place
    output: Output
    release: str | None = None
    codec_name: str | None = None
    schemas: str | None = None

    @property
    def codec(self) -> Codec[Any]:
        """The codec that was given, else the default of the release: for what is written.

        Raises:
            ValueError: there is no such codec, or the file of schemas is wrong.
        """
        classes = schemas_in(self.schemas) if self.schemas else None
        name = self.codec_name or type(default_codec(self.release)).__name__
        return codec_named(name, release=self.release, schemas=classes)

    @property
    def reading_codec(self) -> Codec[Any]:
        """The codec that was given, else what the bytes look like: for what is only shown."""
        if self.codec_name is not None:
            return self.codec
        return LikelyCodec(self.release, schemas_in(self.schemas) if self.schemas else None)

    @contextmanager
    def connected(self, **options: Any) -> Iterator[Redisson]:
        """Give a client; an error that wrong options caused names the right ones.

        Args:
            **options: of `Redisson`.
        """
        with (
            self.place.with_remedy(),
            self.place.client() as client,
            Redisson(client, release=self.release, **options) as redisson,
        ):
            yield redisson

    def client(self) -> Redis | RedisCluster:
        """Make a redis-py client of its own."""
        return self.place.client()


_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_NOWHERE = Place(URL, False, ())


def on_server(*, codec: bool = False, document: bool = True) -> _Decorator:
    """Add the shared options to a command, which gets them as `session`.

    Args:
        codec: whether the command decodes or encodes values.
        document: whether it has `--json`.
    """
    return _with_session(_SERVER, codec, document)


def offline(*, codec: bool = False) -> _Decorator:
    """Add the shared options to a command that asks no server; its session has no place."""
    return _with_session([], codec, True)


def _with_session(server: list[Any], codec: bool, document: bool) -> _Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(**given: Any) -> Any:
            place = _NOWHERE
            if server:
                place = Place.of({each.attribute: given.pop(each.attribute) for each in OPTIONS})
            chosen = {name: given.pop(name) for name in CODEC_OPTIONS} if codec else {}
            session = Session(
                place,
                Output(json=given.pop("json", False)),
                chosen.get("release"),
                chosen.get("codec"),
                chosen.get("schemas"),
            )
            return command(session, **given)

        for option in reversed([*(_CODECS if codec else ()), *server, *_JSON[:document]]):
            run = option(run)
        return run

    return decorate


def _server_option(option: Option) -> Any:
    text = f"{option.help[0].upper()}{option.help[1:]}."
    if option.kind == "flag":
        return click.option(f"--{option.name}", is_flag=True, help=text)
    many = option.kind == "many"
    return click.option(f"--{option.name}", multiple=many, metavar=option.metavar, help=text)


def _codecs_that_begin(_ctx: click.Context, _param: click.Parameter, start: str) -> list[str]:
    outer, colon, inner = start.rpartition(":")
    names = NAMES if colon else (*NAMES, *COMPRESSED)
    return [f"{outer}{colon}{each}" for each in names if each.startswith(inner)]


_SERVER = [_server_option(each) for each in OPTIONS]
_JSON = [
    click.option(
        "--json",
        is_flag=True,
        envvar="PYREDISSON_JSON",
        help="Print one JSON document to stdout, and all else to stderr.",
    )
]
_CODECS = [
    click.option(
        "--codec",
        metavar="NAME",
        envvar="PYREDISSON_CODEC",
        shell_complete=_codecs_that_begin,
        help=f"{', '.join(NAMES)}; or {', '.join(COMPRESSED)} with an inner codec, as lz4:kryo5. "
        "Default: what is read is shown as what it looks like, and what is written has the default "
        "codec of --release.",
    ),
    click.option(
        "--release",
        metavar="VERSION",
        envvar="PYREDISSON_RELEASE",
        help="Redisson of the oldest Java service, as 3.27.2.",
    ),
    click.option(
        "--schemas",
        metavar="FILE",
        envvar="PYREDISSON_SCHEMAS",
        type=click.Path(exists=True, dir_okay=False),
        help="Python file that `pyredisson schema` has written.",
    ),
]
