from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0002_time_and_endings'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='bot',
            field=models.CharField(blank=True, default='', help_text='which bot plays here; empty: somebody', max_length=16),
        ),
        migrations.AddField(
            model_name='round',
            name='bot_due_at',
            field=models.DateTimeField(blank=True, help_text='when the bot whose turn it is acts, or is looked at again', null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='reasons',
            field=models.TextField(blank=True, default='', help_text='why bots did what they did; hidden while the round runs'),
        ),
        migrations.AddIndex(
            model_name='round',
            index=models.Index(condition=models.Q(('bot_due_at__isnull', False)), fields=['bot_due_at'], name='bots_to_act'),
        ),
    ]
