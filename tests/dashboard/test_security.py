"""Access to the dashboard: which requests it accepts, and how it rejects the others."""

import time
from typing import Any
from unittest.mock import patch

from pyredisson.dashboard import app
from tests.support.dashboards import OWN, TOKEN, viewer

OPEN: list[tuple[dict[str, str], str, int]] = [
    ({}, "127.0.0.1", 200),
    ({"Host": "LOCALHOST.:8080"}, "127.0.0.1", 200),
    ({"Host": "[::1]:8080"}, "::1", 200),
    ({}, "::ffff:127.0.0.1", 200),
    ({}, "a local socket", 200),
    ({}, "10.0.0.7", 403),
    ({"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1", 403),
    ({"Forwarded": "for=127.0.0.1"}, "127.0.0.1", 403),
    ({"Host": "evil.example"}, "127.0.0.1", 421),
    ({"Host": "127.0.0.1.evil.example"}, "127.0.0.1", 421),
    ({"Host": "localhost@evil.example"}, "127.0.0.1", 421),
    ({"Host": "evil.example#localhost"}, "127.0.0.1", 421),
    ({"Host": "[::1"}, "127.0.0.1", 421),
    ({"Host": ""}, "127.0.0.1", 421),
    ({"Sec-Fetch-Site": "same-origin"}, "127.0.0.1", 200),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, "127.0.0.1", 403),
    ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, "127.0.0.1", 403),
]
"""The headers and the address of a request without a token, and the status of the answer."""


async def test_only_local_requests_can_read_without_a_token(url: str) -> None:
    shown = app(url)
    for headers, address, status in OPEN:
        async with viewer(shown.__call__, address) as page:
            for path in ("api/overview", ""):
                found = await page.http.get(path, headers=headers)
                assert found.status_code == status, (headers, address)
                if status != 200:
                    assert "\n" not in found.json()["error"]
    shown.close()


async def test_every_answer_has_the_security_headers(url: str) -> None:
    async with viewer(app(url)) as page:
        for path in ("", "api/overview", "api/nix", "nix", "api/queue"):
            found = (await page.http.get(path)).headers
            assert "default-src 'none'" in found["content-security-policy"], path
            assert "unsafe" not in found["content-security-policy"]
            assert found["x-content-type-options"] == "nosniff"
            assert found["referrer-policy"] == "no-referrer"
            if path.startswith("api"):
                assert found["cache-control"] == "no-store"
        foreign = await page.http.get("", headers={"Host": "evil.example"})
        assert "content-security-policy" in foreign.headers


async def test_a_session_lasts_from_sign_in_to_sign_out(url: str) -> None:
    shown = app(url, token=TOKEN, allowed_hosts=["Ops.Example.com"])
    async with viewer(shown, "10.0.0.7", "https://ops.example.com/") as page:
        await page.get("overview", 401)
        assert (
            await page.http.get("")
        ).status_code == 200  # the page shows the dialog for the token
        await page.sign_in("wrong", 403)
        await page.sign_in("", 403)
        found = await page.http.post("api/sign-in", headers=OWN, json={"token": TOKEN})
        cookie = found.headers["set-cookie"]
        for word in ("HttpOnly", "SameSite=strict", "Secure", "Path=/;", "Max-Age=43200"):
            assert word in cookie
        assert TOKEN not in cookie
        assert (await page.get("overview"))["signed_in"]
        kept = dict(page.http.cookies)
        assert (await page.http.post("api/sign-out", headers=OWN, json={})).status_code == 204
        await page.get("overview", 401)
        page.http.cookies.update(kept)  # a stolen cookie
        await page.get("overview", 401)


async def test_a_forged_or_expired_cookie_is_rejected(url: str) -> None:
    async with viewer(app(url, token=TOKEN)) as page, viewer(app(url, token="other")) as other:
        await page.sign_in()
        await other.sign_in("other")
        ((name, value),) = page.http.cookies.items()
        (theirs,) = other.http.cookies.values()
        session, until, signature = value.split(".")
        wrong = [
            *("", "..", "a.b.c", theirs, f"{session}.{until}.", f"{session}.{until}.é"),
            f"{session}.{int(until) + 1}.{signature}",
            f"{'0' * 16}.{until}.{signature}",
        ]
        for each in wrong:
            header = [(b"Cookie", f"{name}={each}".encode())]
            found = await page.http.get("api/overview", headers=header)
            assert found.status_code == 401, each
        with patch("time.time", return_value=float(until) + 1):
            await page.get("overview", 401)


async def test_other_processes_accept_a_session(url: str) -> None:
    async with viewer(app(url, token=TOKEN)) as one, viewer(app(url, token=TOKEN)) as other:
        await one.sign_in()
        other.http.cookies.update(one.http.cookies)
        await other.get("overview")


JSON = {"Content-Type": "application/json"}
CHANGES: list[tuple[dict[str, str], bytes, int]] = [
    (OWN | JSON, b'{"name": "q"}', 200),
    ({**JSON, "X-Pyredisson-Action": "1", "Origin": "http://localhost"}, b'{"name": "q"}', 200),
    ({**JSON, "X-Pyredisson-Action": "1"}, b'{"name": "q"}', 403),
    ({**JSON, "Sec-Fetch-Site": "same-origin"}, b'{"name": "q"}', 403),
    (OWN | JSON | {"Sec-Fetch-Site": "cross-site"}, b'{"name": "q"}', 403),
    (OWN | JSON | {"Sec-Fetch-Site": "none"}, b'{"name": "q"}', 403),
    (OWN | JSON | {"Origin": "http://evil.example"}, b'{"name": "q"}', 403),
    (OWN | JSON | {"Origin": "null"}, b'{"name": "q"}', 403),
    (
        {**JSON, "X-Pyredisson-Action": "1", "Origin": "http://localhost:3000"},
        b'{"name": "q"}',
        403,
    ),
    (OWN | {"Content-Type": "text/plain"}, b'{"name": "q"}', 415),
    (OWN, b'{"name": "q"}', 415),
    (OWN | JSON, b'{"name": "' + b"q" * 70_000 + b'"}', 413),
    (OWN | JSON, b"[" * 60_000, 400),
    (OWN | JSON, b"[]", 400),
    (OWN | JSON, b'{"name": 5}', 400),
    (OWN | JSON, b"\xff", 400),
]


async def test_only_requests_of_the_page_can_change_queues(url: str) -> None:
    path = "api/actions/pause"
    async with viewer(app(url, actions=True, token=TOKEN)) as page:
        for headers, body, _status in CHANGES:
            unsigned = await page.http.post(path, headers=headers, content=body)
            assert unsigned.status_code in (401, 403)
        await page.sign_in()
        for headers, body, status in CHANGES:
            found = await page.http.post(path, headers=headers, content=body)
            assert found.status_code == status, (headers, body[:20], found.text)
        assert (await page.http.get(path)).status_code == 404


async def test_actions_are_off_by_default(url: str) -> None:
    async with viewer(app(url, token=TOKEN)) as page:
        await page.sign_in()
        assert "--actions" in (await page.act("pause", "q", 403))["error"]
    async with viewer(app(url)) as page:
        await page.act("pause", "q", 403)
        await page.sign_in(status=409)


async def test_wrong_tokens_block_sign_in_for_a_minute(url: str) -> None:
    async with viewer(app(url, token=TOKEN)) as page:
        with patch("pyredisson.dashboard.changes._WRONG_TOKEN", 0):
            for _ in range(10):
                await page.sign_in("wrong", 403)
        found = await page.http.post("api/sign-in", headers=OWN, json={"token": TOKEN})
        assert found.status_code == 429  # the right token is rejected, too
        assert 0 < int(found.headers["retry-after"]) <= 60
        later = time.monotonic() + 61
        with patch("pyredisson.dashboard.throttle.monotonic", lambda: later):
            await page.sign_in()


async def test_paths_outside_the_dashboard_are_not_found(url: str) -> None:
    async with viewer(app(url)) as page:
        for path in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "static/../../app.py"):
            found: Any = await page.http.get(f"http://localhost/{path}")
            assert found.status_code == 404, path
