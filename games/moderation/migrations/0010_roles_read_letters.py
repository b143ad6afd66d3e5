from django.db import migrations

from games.moderation.roles import make_roles


def give(apps, schema_editor):
    make_roles(apps)


class Migration(migrations.Migration):
    dependencies = [("moderation", "0009_letters")]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
