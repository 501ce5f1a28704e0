"""Runs all queries of the dashboards and all expressions of the alerts on a Prometheus.

    queries.py PROMETHEUS_URL FOLDER_OF_MONITORING

Fails if one is refused, or if a query of a dashboard returns no series. A query that ends with
"> 0" shows what should not be, and may return none. Fails, too, if an exporter has no series of a
name that an alert needs.
"""

import json
import pathlib
import re
import sys
import urllib.parse
import urllib.request

url, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def series(expression):
    """Returns the number of series, or the reason of the refusal."""
    query = urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(f"{url}/api/v1/query?{query}", timeout=30) as response:
            return len(json.load(response)["data"]["result"])
    except urllib.error.HTTPError as e:
        return json.load(e)["error"]


faults, queries, alerts = [], 0, 0
for file in sorted(folder.glob("dashboards/*.json")):
    for panel in json.loads(file.read_text())["panels"]:
        for target in panel.get("targets", []):
            expression = target["expr"].replace("$__rate_interval", "5m").replace("$job", ".+")
            queries += 1
            found = series(expression)
            if isinstance(found, str) or (found == 0 and not expression.endswith("> 0")):
                faults.append(f"{file.name}, {panel['title']}: {found} series: {expression}")
# Each expression of the file is a quoted line, or the indented lines after "expr: >-".
for match in re.finditer(r"expr: (?:'(.*)'|>-\n((?: {10}.*\n)+))", (folder / "alerts.yaml").read_text()):
    alerts += 1
    found = series(match[1] or match[2])
    if isinstance(found, str):
        faults.append(f"alerts.yaml: {found}: {match[1] or match[2]}")
    for name in re.findall(r"\b(?:redis|pg|node)_\w+", match[1] or match[2]):
        if series(name) == 0:
            faults.append(f"alerts.yaml: no series of {name}")
print(f"{queries} queries of dashboards and {alerts} of alerts, {len(faults)} faults", *faults, sep="\n")
sys.exit(bool(faults) or not queries or not alerts)
