"""Settings, all from the environment (docs/operations.md lists every variable).

Safe by default: DEBUG is off unless asked for, and the scheme of SITE_URL decides transport
security: with https all of it is on, with http it is off and `manage.py serve` warns once.
"""

import secrets
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config.mail import mailer
from config.origins import host_of, origins_of

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DEBUG = env.bool("DEBUG", default=False)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var")))
DATA_DIR.mkdir(parents=True, exist_ok=True)


def _local_secret_key() -> str:
    """The key of an installation that sets none: made once, kept outside the repository."""
    path = DATA_DIR / "secret-key"
    try:
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write(secrets.token_urlsafe(64))
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii")


SECRET_KEY = env.str("SECRET_KEY", default="") or _local_secret_key()
SECRET_KEY_FALLBACKS = [key for key in env.list("SECRET_KEY_FALLBACKS", default=[]) if key]

# Where the site is -----------------------------------------------------------------------------

SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
SITE_HOSTS = [host for host in env.list("SITE_HOSTS", default=[]) if host]
SITE_IS_SECURE = urlsplit(SITE_URL).scheme == "https"
# The pages and the sockets are for these origins only; the server never guesses from a header.
SITE_ORIGINS = origins_of(SITE_URL, SITE_HOSTS)
CSRF_TRUSTED_ORIGINS = SITE_ORIGINS
ALLOWED_HOSTS = sorted({host_of(origin) for origin in SITE_ORIGINS})
WEB_PROCESSES = env.int("WEB_PROCESSES", default=1)
# Sockets that one address may ask for within ten seconds; after a restart all pages of a house do.
HANDSHAKES = env.int("HANDSHAKES", default=300)
# Actions that one person may send by POST within four seconds: as many as a socket takes.
POSTS = 40

SECURE_SSL_REDIRECT = SITE_IS_SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SITE_IS_SECURE else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
SECURE_HSTS_SECONDS = 31_536_000 if SITE_IS_SECURE else 0
# Its sub-domains may be others' business, and a browser's list is not left again within months.
HSTS_PRELOAD = SITE_IS_SECURE and env.bool("HSTS_PRELOAD", default=False)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HSTS_PRELOAD
SECURE_HSTS_PRELOAD = HSTS_PRELOAD
SESSION_COOKIE_SECURE = SITE_IS_SECURE
CSRF_COOKIE_SECURE = SITE_IS_SECURE
SESSION_COOKIE_NAME = "__Host-session" if SITE_IS_SECURE else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if SITE_IS_SECURE else "csrf"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.views.refused.csrf_refused"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# `check --deploy` speaks of https; over http the one warning is that of `manage.py serve`. With it,
# that the operator of a name does not speak for all its sub-domains is no fault.
_SILENCED = () if HSTS_PRELOAD else (5, 21) if SITE_IS_SECURE else (4, 8, 12, 16)
SILENCED_SYSTEM_CHECKS = [f"security.W{number:03}" for number in _SILENCED]

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}

# The program -----------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config.apps.SiteConfig",
    "accounts",
    "games",
    "games.moderation",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "django_htmx",
    "config.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    # No page has both a running hand and the words of others, so that no length tells of a hand:
    # docs/decisions/the-chat-has-its-own-address.md.
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.RenewalMiddleware",
    "accounts.middleware.ZoneMiddleware",
    "config.middleware.DatabaseAwayMiddleware",
    "accounts.middleware.ShutOutMiddleware",
    "accounts.middleware.PersonsOnlyMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.csp",
                "accounts.context_processors.preferences",
                "games.context_processors.announcements",
                "games.context_processors.letters",
            ],
        },
    }
]

# The database is the truth; SQLite needs no server, PostgreSQL serves several processes ---------

# A row held elsewhere must not hold this process: busy is an answer (promise R17). 0: no limit.
STATEMENT_TIMEOUT = env.int("STATEMENT_TIMEOUT", default=5000)  # milliseconds
LOCK_TIMEOUT = min(2000, STATEMENT_TIMEOUT)
DATABASE = env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
if DATABASE["ENGINE"].endswith("sqlite3"):
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 10,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Consumers work in threads of their own, from which an in-memory database hides itself.
    DATABASE["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
else:
    DATABASE["ENGINE"] = "config.postgresql"
    DATABASE["OPTIONS"] = {
        # Sooner than a page asks again (3 s), so that it hears "busy" and not nothing.
        # And with the default of 300 s the pool would wait ever longer between its attempts.
        "pool": {"min_size": 2, "max_size": 12, "timeout": 2, "reconnect_timeout": 2},
        "server_side_binding": True,
        "options": f"-c lock_timeout={LOCK_TIMEOUT} -c statement_timeout={STATEMENT_TIMEOUT}",
    }
DATABASES = {"default": DATABASE}

# The channel layer is a doorbell ---------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
REDIS_PREFIX = env.str("REDIS_PREFIX", default="gin")
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "config.layer.BellLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "config.cache.MayBeAway",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": REDIS_PREFIX,
            # A Redis that is frozen must not hold a visitor: without it limits count for nothing.
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # Limits are counted here; with the default of 300 a crowd would make them forgotten.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    }

# Bots ------------------------------------------------------------------------------------------

BOT_WORKER = env.str("BOT_WORKER", default="serve")  # or work: `manage.py work` plays their turns
BOT_PACE = env.float("BOT_PACE", default=1.0)  # seconds that a bot takes for an action, about

# People ----------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["accounts.hashers.ModestArgon2Hasher"]
BREACHED_PASSWORDS_URL = env.str("BREACHED_PASSWORDS_URL", default="")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [
    {"NAME": "accounts.passwords.NearlyCommonValidator"},
    {"NAME": "accounts.passwords.BreachedValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.allauth_forms.SignUpForm",
    "reset_password": "accounts.allauth_forms.ForgottenPasswordForm",
    "add_email": "accounts.allauth_forms.AddressForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.USERNAME_VALIDATORS"
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SITE_IS_SECURE else "http"
# docs/decisions/an-address-counts-once-confirmed.md
EMAIL_REQUIRED = env.bool("EMAIL_REQUIRED", default=False)
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*" if EMAIL_REQUIRED else "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_REQUIRED else "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "account"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_RATE_LIMITS = {
    # From a known device the owner gets in whatever others try (accounts.devices).
    "login_failed": "10/m/ip,100/h/ip,5/5m/key",
    "login_failed_known": "5/5m/key",
    "signup": "20/m/ip,60/h/ip",
    "reset_password": "10/m/ip,3/10m/key",
}
MFA_ADAPTER = "accounts.mfa.MFAAdapter"
MFA_FORMS = {"add_webauthn": "accounts.allauth_forms.PasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_TOTP_ISSUER = "Hollywood Gin"
# Browsers themselves allow passkeys over http on this machine's own address only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_IS_SECURE
USERSESSIONS_ADAPTER = "accounts.sessions.UserSessionsAdapter"
MAILERS = {"default": mailer(env.str("EMAIL_URL", default=""), debug=DEBUG)}
PUSH_KEY = env.str("PUSH_KEY", default="")  # empty: it follows from SECRET_KEY
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="") or f"gin@{urlsplit(SITE_URL).hostname}"

# What the operator says ------------------------------------------------------------------------

POLICY_DIR = env.str("POLICY_DIR", default="")  # games.selectors.policies
CONTACT_EMAIL = env.str("CONTACT_EMAIL", default="")

# Words, time, files ----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
SERVESTATIC_USE_FINDERS = DEBUG
SERVESTATIC_MINIFY = True  # what is sent compressed: a table may weigh 40 kB
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "errors": {"class": "games.error_counter.ErrorCounter", "level": "ERROR"},
    },
    "root": {"handlers": ["console", "errors"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"django": {"level": "WARNING"}},
}
