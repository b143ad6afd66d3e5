"""Who may do what behind the counter: three roles, made by a migration."""

from typing import Any, Final

from django.contrib.auth.management import create_permissions

MODERATOR: Final = "moderator"
SENIOR: Final = "senior moderator"
OPERATOR: Final = "operator"

HANDLE: Final = "moderation.handle_case"
SHUT_OUT: Final = "moderation.shut_out"
MEND: Final = "moderation.mend"

_LOOK_AT: Final = (
    *("accounts.view_user", "accounts.view_sanction"),
    *("games.view_series", "games.view_round", "games.view_seat"),
    *("games.view_rating", "games.view_ratingchange", "games.view_sheetentry"),
    *("moderation.view_case", "moderation.view_report", "moderation.view_signal"),
    *("moderation.view_appeal", "moderation.view_note", "games.view_message"),
    "moderation.view_letter",
)
_MODERATOR: Final = (*_LOOK_AT, HANDLE)
_SENIOR: Final = (*_MODERATOR, SHUT_OUT, MEND, "moderation.view_auditrow")

ROLES: Final[dict[str, tuple[str, ...]]] = {
    MODERATOR: _MODERATOR,
    SENIOR: _SENIOR,
    # What else there is comes with the admin: all of looking, and keeping accounts.
    OPERATOR: (
        *_SENIOR,
        *("accounts.change_user", "accounts.add_user"),
        *("account.view_emailaddress", "account.change_emailaddress", "account.add_emailaddress"),
        *("mfa.view_authenticator", "mfa.delete_authenticator"),
        *("usersessions.view_usersession", "games.view_invitation", "games.view_listing"),
        *("games.view_deed", "games.view_tally", "games.view_notice", "games.view_push"),
        *("games.view_chatoff", "games.view_process", "games.view_errorday"),
        *("accounts.view_relation", "accounts.view_subscription", "accounts.view_turnmail"),
        *("accounts.view_keptbar", "accounts.view_nametaken", "accounts.view_trace"),
        *(f"games.{do}_announcement" for do in ("view", "add", "change", "delete")),
    ),
}


def make_roles(apps: Any) -> None:
    """Make the groups, or bring them up to `ROLES`; for a migration, whose apps are given.

    A role that is taken away here must be taken away by a migration of its own.
    """
    for config in apps.get_app_configs():
        # Django makes permissions after all migrations; these are needed within one, whose own
        # configurations of apps know of no module.
        if not hasattr(config, "models_module"):
            config.models_module = True
        create_permissions(config, apps=apps, verbosity=0)
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    for name, codes in ROLES.items():
        group, _ = group_model.objects.get_or_create(name=name)
        group.permissions.set(
            each
            for app, _, codename in (code.partition(".") for code in codes)
            # Of a table that a later migration makes: the one after that completes the roles.
            for each in permission_model.objects.filter(
                content_type__app_label=app, codename=codename
            )
        )
