"""The orders of the shop."""

from django.db import models


class Order(models.Model):
    """An order, which is unpaid, paid or cancelled."""

    state = models.CharField(max_length=20, default="unpaid")
