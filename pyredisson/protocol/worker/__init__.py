"""What becomes of a message whose handler returned or raised."""
