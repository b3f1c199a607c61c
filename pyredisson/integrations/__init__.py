"""pyredisson inside frameworks and beside task queues; `import pyredisson` loads nothing of it.

The rule: a module is thin. Clients and workers are those of pyredisson, and a module only starts
them, ends them, or gives them to the framework. Each needs the package that it is named after.

* `fastapi`: a lifespan, a dependency and a health check, also for Starlette.
* `django`: an application with settings, `manage.py pyredisson`, and offers on commit.
* `celery`, `dramatiq`, `rq`, `taskiq`: `hand_over_to(task)`, a handler that hands messages over.
* `handing_over`: what these four share.
"""
