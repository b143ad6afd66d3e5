"""Ends well if the site in this container is ready to serve."""

import os
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

site = urlsplit(os.environ["SITE_URL"]).netloc
with urlopen(Request("http://127.0.0.1:8000/readyz", headers={"Host": site}), timeout=4) as answer:
    answer.read()
