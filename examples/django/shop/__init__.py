"""A shop: an order that is not paid in time is cancelled."""
