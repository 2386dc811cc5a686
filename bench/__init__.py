"""Measure django-repeat beside its bare floor: ``python -m bench``. Not part of the tests."""
