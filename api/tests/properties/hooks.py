"""Leads generated requests to objects that exist, which chance alone would hardly find.

Only requests of valid parameters are touched, and only by values the document allows; refusals are met by the others.
"""

import schemathesis

# Ids up to here exist in the demo data, for the most part.
REACH = 300
IDS = ("video_id", "album_id", "playlist_id", "member_id", "object_id", "id")


def named_examples(case, name):
    """The documented examples of a path parameter by their name."""
    for parameter in case.operation.definition.raw.get("parameters", []):
        if parameter["name"] == name and parameter["in"] == "path":
            return {key: example["value"] for key, example in parameter.get("examples", {}).items()}
    return {}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    path = case.path_parameters
    if "section" in path and "bucket" not in path:
        # An object of the section, as the document pairs them; `all` has none.
        path["object_id"] = named_examples(case, "object_id").get(path["section"], path.get("object_id"))
        return
    if "dir" in path:
        documented = next(p["example"] for p in case.operation.definition.raw["parameters"] if p["name"] == "dir")
        # Half of the names are the documented one.
        if len(path["dir"]) % 2:
            path["dir"] = documented
        path["prefix"] = path["dir"][:2]
    if "bucket" in path:
        name = next(name for name in IDS if name in path)
        # Half of the ids are within reach.
        if path[name] % 2:
            path[name] = path[name] % REACH + 1
        path["bucket"] = path[name] // 1000 * 1000
