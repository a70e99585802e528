"""Points generated requests at existing objects, which random values would rarely hit.

Negative test cases are not changed, except for the address that must be this server's own. With LANTERN_MEMBER
("name:password") in the environment, every request is sent as that member's browser.
"""

import json
import os
from urllib.parse import urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

import schemathesis

# Upload chunks are raw bytes.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")

# Most ids up to this one exist in the demo data.
MAX_ID = 300
IDS = ("video_id", "album_id", "playlist_id", "member_id", "object_id")


def parameters(case):
    """Return the documented parameters of an operation by name."""
    return {parameter["name"]: parameter for parameter in case.operation.definition.raw.get("parameters", [])}


def choose_object(case, path):
    """Choose the documented object of the section; `all` has none, and a path parameter cannot be empty."""
    pairs = parameters(case)["object_id"].get("examples", {})
    chosen = pairs.get(path["section"], {}).get("value")
    if chosen:
        path["object_id"] = chosen
    elif chosen == "":
        case.path = case.path.replace("{object_id}", "")


def choose_id(path):
    """Map odd ids to existing ones, and put every id into its bucket."""
    name = next(name for name in IDS if name in path)
    number = int(path[name])
    if number % 2:
        number = number % MAX_ID + 1
    path[name], path["bucket"] = number, number // 1000 * 1000


def choose_address(case, query):
    """Choose the page of the documented video on this server."""
    documented = parameters(case).get("url", {}).get("example")
    if documented and isinstance(query.get("url"), str):
        here, there = urlsplit(case.operation.base_url), urlsplit(documented)
        query["url"] = urlunsplit((here.scheme, here.netloc, there.path, "", ""))


def choose_file(case, path):
    """Use the documented picture, or a film file with a fresh link, in half of the cases."""
    # Download links are issued only after a wait.
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
# Session cookie of the member, or None once it is invalid.
session = None


def sign_in(base):
    """Sign in and return the session cookie."""
    name, _, password = MEMBER.partition(":")
    form = urlencode({"usr": name, "pwd": password}).encode()
    with urlopen(Request(f"{base}/api/login.php", form, {"Origin": base})) as answer:
        assert json.load(answer)["success"] == 1
        return answer.headers["Set-Cookie"].partition(";")[0]


def as_member(case):
    """Add the headers that the member's browser would send."""
    global session
    where = urlsplit(case.operation.base_url)
    base = f"{where.scheme}://{where.netloc}"
    session = session or sign_in(base)
    case.headers = {**(case.headers or {}), "Cookie": session, "Origin": base}


@schemathesis.hook
def after_call(context, case, response):
    """Drop the session after requests that may end it, such as a logout."""
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
        path["id"] = int(path["id"]) % MAX_ID + 1
    elif "bucket" in path:
        choose_id(path)
    elif "object_id" in path:
        choose_object(case, path)
    if "prefix" in path:
        # Use the documented name in half of the cases.
        if len(path["dir"]) % 2:
            path["dir"] = parameters(case)["dir"]["example"]
        path["prefix"] = path["dir"][:2]
