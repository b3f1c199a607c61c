"""The orders of the shop."""

from django.db import models


class Order(models.Model):
    number = models.CharField(max_length=20, unique=True)
    state = models.CharField(max_length=20, default="unpaid")

    class Meta:
        app_label = "django_shop"
