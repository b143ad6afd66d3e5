"""The settings: safe by default, and with https all of it on (promise S10)."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import Error
from django.core.mail import EmailMessage
from django.test import Client

from config.checks import several_processes_need_servers, somebody_plays_the_bots_turns
from config.mail import Console, NoServer, mailer
from config.origins import host_of, normal_origin, origins_of

ROOT = Path(__file__).parent.parent
OURS = (
    "DATABASE_URL",
    "REDIS_URL",
    "DEBUG",
    "SECRET_KEY",
    "SITE_URL",
    "SITE_HOSTS",
    "LOG_LEVEL",
    "EMAIL_URL",
    "STATEMENT_TIMEOUT",
)


def manage(data_dir: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with nothing set but what is given."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=clean | {"DATA_DIR": str(data_dir)} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def told(data_dir: Path, *names: str, **environment: str) -> list[str]:
    """The values of settings in a process of its own."""
    shown = "; ".join(f"print(repr(settings.{name}))" for name in names)
    command = f"from django.conf import settings; {shown}"
    run = manage(data_dir, "shell", "--no-imports", "-c", command, **environment)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize(("preload", "silenced"), [("1", 0), ("0", 2)])
def test_s10_a_site_behind_https_passes_the_check_in_silence(
    tmp_path: Path, preload: str, silenced: int
) -> None:
    """What is silenced is that it speaks for no sub-domain, unless it is to."""
    site = {"SITE_URL": "https://gin.example", "HSTS_PRELOAD": preload}
    run = manage(tmp_path, "check", "--deploy", "--fail-level", "DEBUG", **site)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == f"System check identified no issues ({silenced} silenced)."
    assert run.stderr == ""


def test_over_http_only_what_https_would_bring_is_silenced(tmp_path: Path) -> None:
    run = manage(tmp_path, "check", "--deploy", "--fail-level", "DEBUG")
    assert run.returncode == 0, run.stderr
    assert "(4 silenced)" in run.stdout


def test_nothing_set_is_safe(tmp_path: Path) -> None:
    assert told(
        tmp_path, "DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_HTTPONLY"
    ) == ["False", "['127.0.0.1', '[::1]', 'localhost']", "False", "True"]


def test_https_brings_all_of_transport_security(tmp_path: Path) -> None:
    assert told(
        tmp_path,
        *("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE"),
        *("CSRF_COOKIE_SECURE", "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "ALLOWED_HOSTS"),
        SITE_URL="https://gin.example",
    ) == [
        *("True", "31536000", "True", "True", "'__Host-session'", "'__Host-csrf'"),
        "['gin.example']",
    ]


@pytest.mark.parametrize(
    ("site", "asked", "preload"),
    [("https", "", "False"), ("https", "1", "True"), ("http", "1", "False")],
)
def test_the_sub_domains_are_spoken_for_only_where_that_is_asked(
    tmp_path: Path, site: str, asked: str, preload: str
) -> None:
    names = ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    environment = {"SITE_URL": f"{site}://gin.example"} | ({"HSTS_PRELOAD": asked} if asked else {})
    assert told(tmp_path, *names, **environment) == [preload, preload]


@pytest.mark.parametrize(
    ("command", "limits"),
    [("serve", "lock_timeout=2000 -c statement_timeout=5000")]
    + [("work", "lock_timeout=2000 -c statement_timeout=5000")]
    + [(other, "lock_timeout=0 -c statement_timeout=0") for other in ("migrate", "check_series")],
)
def test_r17_only_who_plays_is_in_a_hurry(tmp_path: Path, command: str, limits: str) -> None:
    """A migration of a large table was given up after five seconds."""
    script = (
        "import sys, manage, django.core.management as django\n"
        "django.execute_from_command_line = lambda arguments: None\n"
        f"sys.argv = ['manage.py', {command!r}]\n"
        "manage.main()\n"
        "from django.conf import settings\n"
        "print(settings.DATABASES['default']['OPTIONS']['options'])"
    )
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    database = {"DATABASE_URL": "postgres://nobody@127.0.0.1/gin", "DATA_DIR": str(tmp_path)}
    command_line = [sys.executable, "-c", script]
    answer = subprocess.check_output(command_line, cwd=ROOT, env=clean | database, text=True)
    assert answer.strip() == f"-c {limits}"


def test_a_crowd_does_not_make_limits_forgotten(tmp_path: Path) -> None:
    """With 300 entries, the default, every limit began anew."""
    command = (
        "from accounts.limits import may_again; "
        "may_again('one', times=1, seconds=99); "
        "[may_again(f'many.{n}', times=1, seconds=99) for n in range(2000)]; "
        "print(may_again('one', times=1, seconds=99))"
    )
    run = manage(tmp_path, "shell", "--no-imports", "-c", command)
    assert run.stdout.strip() == "False", run.stderr


def test_a_frozen_redis_holds_nobody_for_longer_than_a_second(tmp_path: Path) -> None:
    (caches,) = told(tmp_path, "CACHES", REDIS_URL="redis://127.0.0.1:1", REDIS_PREFIX="mine")
    assert "'socket_timeout': 1, 'socket_connect_timeout': 1" in caches
    assert "'KEY_PREFIX': 'mine'" in caches


def test_the_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    first, again = told(tmp_path, "SECRET_KEY"), told(tmp_path, "SECRET_KEY")
    assert first == again
    assert len(first[0]) > 50
    mode = (tmp_path / "secret-key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert not (tmp_path / "secret-key").is_relative_to(ROOT)


@pytest.mark.parametrize("site", ["gin.example", "ftp://gin.example", "https://", "https://a b"])
def test_an_address_that_is_none_ends_in_one_line(tmp_path: Path, site: str) -> None:
    run = manage(tmp_path, "check", SITE_URL=site)
    assert run.returncode != 0
    assert "is no address of a site" in run.stderr.splitlines()[-1]


class TestSeveralProcesses:
    """Fault 98: what would break silently is refused at the start."""

    @pytest.fixture(autouse=True)
    def _two(self, settings: Any) -> None:
        settings.WEB_PROCESSES = 2
        settings.REDIS_URL = "redis://127.0.0.1:6379"
        settings.DATABASE = {"ENGINE": "django.db.backends.postgresql"}

    def found(self) -> list[str | None]:
        problems = several_processes_need_servers(None)
        assert all(isinstance(each, Error) and each.hint for each in problems)
        return [each.id for each in problems]

    def test_with_their_servers_they_may(self) -> None:
        assert self.found() == []

    def test_e001_the_layer_in_memory(self, settings: Any) -> None:
        settings.REDIS_URL = ""
        assert self.found() == ["config.E001"]

    def test_e002_sqlite(self, settings: Any) -> None:
        settings.DATABASE = {"ENGINE": "django.db.backends.sqlite3"}
        assert self.found() == ["config.E002"]

    def test_one_process_needs_neither(self, settings: Any) -> None:
        settings.WEB_PROCESSES = 1
        settings.REDIS_URL = ""
        settings.DATABASE = {"ENGINE": "django.db.backends.sqlite3"}
        assert self.found() == []

    def test_the_start_is_refused(self, tmp_path: Path) -> None:
        run = manage(tmp_path, "check", WEB_PROCESSES="2")
        assert run.returncode != 0
        assert "config.E001" in run.stderr
        assert "config.E002" in run.stderr


@pytest.mark.parametrize(
    ("worker", "found"), [("serve", []), ("work", []), ("nobody", ["config.E003"])]
)
def test_e003_somebody_plays_the_bots_turns(settings: Any, worker: str, found: list[str]) -> None:
    settings.BOT_WORKER = worker
    assert [each.id for each in somebody_plays_the_bots_turns(None)] == found


class TestOrigins:
    """Fault 94: one spelling for each address, and no relative of it."""

    @pytest.mark.parametrize(
        ("text", "origin"),
        [
            ("https://gin.example", "https://gin.example"),
            ("HTTPS://GIN.example:443", "https://gin.example"),
            ("http://gin.example:80", "http://gin.example"),
            ("https://gin.example:80", "https://gin.example:80"),
            ("https://gin.example:8443", "https://gin.example:8443"),
            ("http://[::1]", "http://[::1]"),
            ("https://www.gin.example", "https://www.gin.example"),
        ],
    )
    def test_an_origin_is_written_one_way(self, text: str, origin: str) -> None:
        assert normal_origin(text) == origin

    @pytest.mark.parametrize(
        "text",
        [
            *("null", "", "gin.example", "//gin.example", "file:///", "ws://gin.example"),
            *("https://", "https://a@gin.example", "https://gin.example:x", "https://[::1"),
            "https://gin.example:99999",
        ],
    )
    def test_whatever_is_none(self, text: str) -> None:
        assert normal_origin(text) is None

    def test_hosts_beside_the_address(self) -> None:
        assert origins_of("https://gin.example", ["www.gin.example", "gin.example:8443"]) == [
            "https://gin.example",
            "https://www.gin.example",
            "https://gin.example:8443",
        ]

    def test_this_machine_has_three_names(self) -> None:
        assert origins_of("http://127.0.0.1:8000", []) == [
            "http://127.0.0.1:8000",
            "http://localhost:8000",
            "http://[::1]:8000",
        ]

    def test_a_host_that_is_none_is_named(self) -> None:
        with pytest.raises(ValueError, match="no address"):
            origins_of("https://gin.example", ["a b"])

    def test_a_host_for_the_host_header(self) -> None:
        assert [host_of("http://[::1]:8000"), host_of("https://gin.example:8443")] == [
            "[::1]",
            "gin.example",
        ]


@pytest.mark.django_db
class TestHeaders:
    """Promise S10 on every kind of page; a browser's word is in the browser tests."""

    @pytest.mark.parametrize(
        "address",
        ["/", "/account/login/", "/account/signup/", "/how-to-play/", "/nothing/", "/admin/login/"],
    )
    def test_s10_every_page_has_them(self, client: Client, address: str) -> None:
        headers = client.get(address).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
        )
        assert "unsafe" not in policy["script-src"]
        assert "unsafe-eval" not in headers["Content-Security-Policy"]
        assert policy["default-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["base-uri"] == "'none'"
        assert "http" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"

    def test_s10_the_nonce_is_another_each_time(self, client: Client) -> None:
        policies = [client.get("/").headers["Content-Security-Policy"] for _ in range(2)]
        assert policies[0] != policies[1] or "nonce" not in policies[0]

    def test_s10_no_script_reads_a_cookie(self, client: Client) -> None:
        client.get("/account/login/")
        csrf = client.cookies[settings.CSRF_COOKIE_NAME]
        assert csrf["httponly"]
        assert csrf["samesite"] == "Lax"
        assert settings.SESSION_COOKIE_HTTPONLY
        assert settings.SESSION_COOKIE_SAMESITE == "Lax"

    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "a b"])
    def test_s10_another_host_is_refused(self, client: Client, host: str) -> None:
        assert client.get("/", headers={"host": host}).status_code == 400


class TestMail:
    def test_by_the_server_that_is_named(self) -> None:
        options = mailer("smtp+tls://gin:p%40ss@mail.example:587", debug=False)["OPTIONS"]
        assert options == {
            "host": "mail.example",
            "port": 587,
            "username": "gin",
            "password": "p@ss",
            "timeout": 10,
            "use_tls": True,
        }

    @pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://"])
    def test_by_no_other_address(self, url: str) -> None:
        with pytest.raises(ValueError, match="EMAIL_URL"):
            mailer(url, debug=False)

    def test_without_a_server_nothing_is_sent_and_no_log_holds_a_link(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        link = "the link to a new password"
        assert NoServer(alias="default").send_messages([EmailMessage("hello", link)]) == 0
        assert "EMAIL_URL" in caplog.text
        assert link not in caplog.text

    def test_while_developing_it_is_shown_with_its_links_whole(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert mailer("", debug=True) == {"BACKEND": "config.mail.Console"}
        assert mailer("", debug=False) == {"BACKEND": "config.mail.NoServer"}
        link = f"https://gin.example/account/confirm-email/{'x' * 80}/"
        mail = EmailMessage("Welcome", f"Open it:\n{link}\n", to=["anna@mail.example"])
        assert Console(alias="default").send_messages([mail]) == 1
        shown = capsys.readouterr().out
        assert f"\n{link}\n" in shown
        assert "To: anna@mail.example\nSubject: Welcome\n" in shown
