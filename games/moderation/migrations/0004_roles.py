"""Moderator, senior moderator and operator."""

from django.db import migrations

from games.moderation.roles import make_roles


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0003_cases"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(lambda apps, editor: make_roles(apps), migrations.RunPython.noop)
    ]
