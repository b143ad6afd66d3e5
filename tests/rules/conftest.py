"""How Hypothesis tries the rules: no test depends on the speed of the machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rules",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("rules")
