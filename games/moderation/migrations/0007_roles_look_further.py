from django.db import migrations

from games.moderation.roles import make_roles


def give(apps, schema_editor):
    make_roles(apps)


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0006_answers_are_read"),
        ("games", "0014_voided_series_and_errors"),
        ("accounts", "0009_traces"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
