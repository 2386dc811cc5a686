"""Make the model known: content type and permissions. No database gets a table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="RegisteredSchedule",
            fields=[
                ("key", models.CharField(max_length=500, primary_key=True, serialize=False, verbose_name="key")),
                ("queue", models.CharField(max_length=200, verbose_name="queue")),
                ("name", models.CharField(max_length=200, verbose_name="name")),
                ("next", models.DateTimeField(null=True, verbose_name="next run")),
            ],
            options={
                "verbose_name": "schedule",
                "verbose_name_plural": "schedules",
                "permissions": [
                    ("cancel_registeredschedule", "Can cancel schedule"),
                    ("pause_registeredschedule", "Can pause schedule"),
                    ("trigger_registeredschedule", "Can trigger schedule"),
                ],
                "managed": False,
                "default_permissions": ("view", "change"),
                "base_manager_name": "objects",
            },
        ),
    ]
