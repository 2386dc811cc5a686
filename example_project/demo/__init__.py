"""``make demo``: a server, a site, a ticker and a worker, each in a process of its own, and what they do on one screen.

``story`` tells what happens in which order, ``demo`` knows the parts, ``part`` and ``parts`` run processes, ``screen``
prints, ``tally`` counts, ``house`` asks the site. ``apps`` is the other end: it runs inside the parts.
"""
