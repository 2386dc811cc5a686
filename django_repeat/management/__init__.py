"""The command line: ``manage.py repeat`` parses, calls the service and prints."""
