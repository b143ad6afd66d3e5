"""The audit trail can only grow: the database refuses the rest."""

from django.db import migrations

from games.moderation import triggers


class Migration(migrations.Migration):
    dependencies = [("moderation", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: triggers.install(editor.connection),
            lambda apps, editor: triggers.lift(editor.connection),
        )
    ]
