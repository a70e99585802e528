"""Leads made-up requests to objects that exist, which chance alone would hardly find.

Where parameters are to be refused nothing is touched but an address that must be this server's own. With LANTERN_MEMBER
("name:password") in the environment every request comes from that member's browser.
"""

import json
import os
from urllib.parse import urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

import schemathesis

# A piece of an upload is bytes.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")

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


def choose_address(case, query):
    """The documented video's page, on this very server."""
    documented = parameters(case).get("url", {}).get("example")
    if documented and isinstance(query.get("url"), str):
        here, there = urlsplit(case.operation.base_url), urlsplit(documented)
        query["url"] = urlunsplit((here.scheme, here.netloc, there.path, "", ""))


def choose_file(case, path):
    """Every other picture is the documented one, every other part of a film a part that a fresh link opens."""
    # A link to keep a film by is there after its wait.
    if len(path["path"]) % 2 or case.operation.path.startswith("/media/d/"):
        return
    if "signature" not in path:
        path["path"] = parameters(case)["path"]["example"]
        return
    with urlopen(f"{case.operation.base_url.rstrip('/')}/api/videofile.php?video_id=1") as answer:
        link = json.load(answer)["video_url"][0]["url"]
    _, _, _, expires, signature, name = link.split("/", 5)
    path.update(expires=expires, signature=signature, path=name)


MEMBER = os.environ.get("LANTERN_MEMBER")
# The member's cookie, while it is one.
session = None


def sign_in(base):
    """The cookie of a new session."""
    name, _, password = MEMBER.partition(":")
    form = urlencode({"usr": name, "pwd": password}).encode()
    with urlopen(Request(f"{base}/api/login.php", form, {"Origin": base})) as answer:
        assert json.load(answer)["success"] == 1
        return answer.headers["Set-Cookie"].partition(";")[0]


def as_member(case):
    """Sends what the member's browser would send."""
    global session
    where = urlsplit(case.operation.base_url)
    base = f"{where.scheme}://{where.netloc}"
    session = session or sign_in(base)
    case.headers = {**(case.headers or {}), "Cookie": session, "Origin": base}


@schemathesis.hook
def after_call(context, case, response):
    """Logging out and the like end the session: the next request needs another."""
    global session
    if MEMBER and (response.status_code == 401 or "/api/log" in case.path or "/api/account" in case.path):
        session = None


@schemathesis.hook
def before_call(context, case, kwargs):
    if MEMBER:
        as_member(case)
    choose_address(case, case.query)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    path = case.path_parameters
    if "path" in path:
        choose_file(case, path)
    elif "id" in path and case.operation.path.endswith("/{id}/feed/"):
        path["id"] = int(path["id"]) % REACH + 1
    elif "bucket" in path:
        choose_id(path)
    elif "object_id" in path:
        choose_object(case, path)
    if "prefix" in path:
        # Every other name is the documented one.
        if len(path["dir"]) % 2:
            path["dir"] = parameters(case)["dir"]["example"]
        path["prefix"] = path["dir"][:2]
