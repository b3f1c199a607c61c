"""Objects of an application's classes, step by step (`bodies`) and compiled (`runs` and on)."""
