"""Serves the shop at $PORT."""

import os

import uvicorn

if __name__ == "__main__":
    uvicorn.run("app:app", port=int(os.environ.get("PORT", "8000")))
