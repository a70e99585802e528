"""Leads made-up requests to objects that exist, which chance alone would hardly find.

Only requests of valid parameters are touched, and only by values the document allows; refusals are met by the others.
"""

from urllib.parse import urlsplit, urlunsplit

import schemathesis

# Ids up to here exist in the demo data, for the most part.
REACH = 300
IDS = ("video_id", "album_id", "playlist_id", "member_id", "object_id")


def parameters(case):
    """The documented parameters of a call by name."""
    return {parameter["name"]: parameter for parameter in case.operation.definition.raw.get("parameters", [])}


def choose_object(case, path):
    """An object of the section, as the document pairs them; `all` has none, which no path parameter can be."""
    pairs = parameters(case)["object_id"].get("examples", {})
    chosen = pairs.get(path["section"], {}).get("value")
    if chosen:
        path["object_id"] = chosen
    elif chosen == "":
        case.path = case.path.replace("{object_id}", "")


def choose_id(path):
    """Every other id is within reach, and all of them are in their bucket."""
    name = next(name for name in IDS if name in path)
    number = int(path[name])
    if number % 2:
        number = number % REACH + 1
    path[name], path["bucket"] = number, number // 1000 * 1000


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    path, query = case.path_parameters, case.query
    if "bucket" in path:
        choose_id(path)
    elif "object_id" in path:
        choose_object(case, path)
    if "prefix" in path:
        # Every other name is the documented one.
        if len(path["dir"]) % 2:
            path["dir"] = parameters(case)["dir"]["example"]
        path["prefix"] = path["dir"][:2]
    if "url" in query:
        # A video of this very server.
        here, there = urlsplit(case.operation.base_url), urlsplit(parameters(case)["url"]["example"])
        query["url"] = urlunsplit((here.scheme, here.netloc, there.path, "", ""))
