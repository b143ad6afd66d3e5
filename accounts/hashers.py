"""Argon2 in a size that many logins at once can afford."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class ModestArgon2Hasher(Argon2PasswordHasher):
    """19 MiB and two passes: the smallest profile that OWASP recommends, 40 ms instead of 230."""

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1
