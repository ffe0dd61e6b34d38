"""Made-up secrets inside structures: objects, pairs, markup, tables; and templates that no pattern was written from."""

import json
from random import Random
from string import digits
from typing import Final

from support.making import ALNUM, HEX, Make, api_value, chain, of, one_of, password, word

NAMES: Final = ("password", "db_password", "PASSWORD", "smtp-password", "passwd", "userPassword", "DB_PASS", "Passwort")
KEY_NAMES: Final = ("apiKey", "API_KEY", "client_secret", "accessToken", "auth_token", "SECRET_KEY", "service.token")


def named(r: Random) -> tuple[str, str]:
    """The name of a secret, and a secret that fits it."""
    return (r.choice(NAMES), password(r)) if r.random() < 0.6 else (r.choice(KEY_NAMES), api_value(r))


def nested(r: Random) -> str:
    name, secret = named(r)
    inner = r.choice(("value", "default", "plain", "text", "current"))
    shapes = ({name: {inner: secret}}, {name: [secret]}, {name: {"type": "string", inner: secret}})
    return json.dumps(r.choice(shapes), indent=r.choice((None, 2)))


def pair(r: Random) -> str:
    name, secret = named(r)
    label = r.choice(("name", "key", "id", "field"))
    value = r.choice(("value", "val", "defaultValue"))
    shapes = ({label: name, value: secret}, {value: secret, label: name}, {label: name, "type": "text", value: secret})
    return json.dumps(r.choice(shapes), indent=r.choice((None, 2)))


def yaml(r: Random) -> str:
    name, secret = named(r)
    return r.choice((
        f"env:\n  - name: {name}\n    value: {secret}\n",
        f'- name: {name}\n  value: "{secret}"\n',
        f"{name}: |\n  {secret}\n",
        f"{name}: >-\n    {secret}\n",
        f"{name}:\n  value: {secret}\n",
        f"{name}:\n  - {secret}\n",
        f'"{name}" : !!str {secret}\n',
    ))  # fmt: skip


def xml(r: Random) -> str:
    name, secret = named(r)
    secret = secret.replace("&", "+").replace("<", "+")
    return r.choice((
        f"<{name}>{secret}</{name}>",
        f'<{name} encrypted="false">{secret}</{name}>',
        f"<{name}>\n  {secret}\n</{name}>",
        f"<{name}><![CDATA[{secret}]]></{name}>",
        f'<add key="{name}" value="{secret}" />',
        f'<property name="{name}" value="{secret}"/>',
        f'<property name="{name}">{secret}</property>',
        f'<param value="{secret}" name="{name}"/>',
    ))  # fmt: skip


def table(r: Random) -> str:
    name, secret = named(r)
    secret = secret.replace("|", "+").replace(",", "+")
    user = r.choice(("ada", "ci-bot", "root"))
    return r.choice((
        f"| {name} | {secret} |",
        f"| Setting | Value |\n|---|---|\n| host | db1 |\n| {name} | `{secret}` |",
        f"| user | {name} |\n|------|:----:|\n| {user} | {secret} |",
        f"| {name} | user |\n| --- | --- |\n| {secret} | {user} |",
        f"user\t{name}\n{user}\t{secret}",
        f"{name}\t{secret}",
        f"user,{name},host\n{user},{secret},db1",
        f"**{name}** | {secret}",
    ))  # fmt: skip


def number(r: Random) -> str:
    name, secret = r.choice(("password", "pin", "passcode", "userPassword")), of("123456789", 1)(r) + of(digits, 7)(r)
    return r.choice((json.dumps({name: int(secret)}), json.dumps({"user": "ada", name: int(secret), "ok": True})))


_SEEN: Final[dict[str, Make]] = {
    "netrc": chain("machine git.example.org login ada password ", password),
    "html input": chain('<input type="password" name="pw" value="', of(ALNUM, 14), '">'),
    "environment before a command": chain("PGPASSWORD=", of(ALNUM, 14), " psql -h db1 -U app"),
    "docker login": chain("docker login -u ci -p ", of(ALNUM, 24), " registry.example.org"),
    "ini section": chain("[smtp]\nhost=mail.example.org\nuser=ada\npass=", password),
    "php define": chain("define('DB_PASSWORD', '", password, "');"),
    "go struct": chain('Config{User: "ada", Password: "', of(ALNUM, 16), '"}'),
    "sql with password": chain("ALTER ROLE app WITH PASSWORD '", of(ALNUM, 14), "';"),
    "list of headers": lambda r: json.dumps([["Host", "a.org"], ["X-Api-Key", api_value(r)]]),
    "Italian": chain("La password del wiki è ", password),
    "Portuguese": chain("A senha do banco é ", password),
    "Korean": chain("비밀번호는 ", password, " 입니다"),
    "asked to use": chain("When it asks for a passphrase, type ", password, "."),
    "recovery code": one_of(
        chain("Recovery code: ", of(HEX, 5), "-", of(HEX, 5)), chain("backup codes: ", of(digits, 8))
    ),
    "quoted-printable": lambda r: f"password=3D{password(r)[:6]}=\n{password(r)}",
}

STRUCTURED: Final[dict[str, Make]] = {
    "nested value": nested,
    "name and value": pair,
    "yaml": yaml,
    "xml": xml,
    "table": table,
    "number in JSON": number,
    **_SEEN,
}

HELD_OUT: Final[dict[str, Make]] = {
    "terraform variable": chain('variable "db_password" {\n  type = string\n  default = "', password, '"\n}'),
    "literal of kubectl": chain("kubectl create secret generic db --from-literal=password=", of(ALNUM, 16)),
    "redis-cli": chain("redis-cli -h cache1 -a ", of(ALNUM, 20), " ping"),
    "java properties": chain(
        word("spring.datasource.password", "mail.smtp.password"), word("=", " = ", ": "), password
    ),
    "toml": chain('[auth]\nuser = "ada"\n', word("token", "secret", "api_key"), " = '", of(ALNUM, 32), "'"),
    "ruby hash": chain(":password => '", password, "', :user => 'ada'"),
    "sql": chain("CREATE USER app IDENTIFIED BY '", of(ALNUM, 14), "';"),
    "python keyword": chain("connect(host='db1', user='app', passwd='", of(ALNUM, 12), "')"),
    "toc-like dots": chain("admin password ...... ", password),
    "Dutch": chain("Het wachtwoord is ", password),
    "Polish": chain("Hasło do serwera: ", password),
    "told in two sentences": chain("I changed the admin password today. It is ", password, " now."),
    "wifi": chain("WiFi guest net, WPA2 passphrase ", of(ALNUM, 12)),
    "hex of it": lambda r: f"password=0x{password(r).encode().hex()}",
    "javascript": chain("const cfg = { user: 'ada', password: `", of(ALNUM, 14), "` };"),
}
"""Templates that were written before the patterns for structures and looked at by none of them; how many are found
says more of what real notes hold than the look-alikes that patterns were fitted to."""
