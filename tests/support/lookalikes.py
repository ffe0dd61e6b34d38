"""Made-up secrets, put together at run time: each is shaped as its service documents it, and none is anybody's.

They are written from descriptions of the forms (prefix, alphabet, lengths), not from the patterns that they try.
"""

import base64
import json
from collections.abc import Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Final

from support.disguises import DISGUISES
from support.making import (
    ALNUM,
    BASE32,
    HEX,
    STD64,
    URL64,
    Make,
    api_value,
    chain,
    jwt,
    of,
    password,
    pem,
    seeded,
    uuid,
    word,
)
from support.structured import STRUCTURED

FORMS: Final[dict[str, Make]] = {
    "aws access key": chain(word("AK" + "IA", "AS" + "IA"), of(BASE32, 16)),
    "aws secret key": chain(word("aws_secret_access_key = ", "AWS_SECRET_ACCESS_KEY=", "aws secret key: "), of(STD64, 40)),
    "google api key": chain("AI" + "za", of(URL64, 35)),
    "google oauth secret": chain("GOC" + "SPX-", of(URL64, 28)),
    "google access token": chain("ya" + "29.", of(URL64, 120)),
    "google refresh token": chain("1/" + "/0", of(ALNUM, 1), of(URL64, 60)),
    "azure storage key": chain("DefaultEndpointsProtocol=https;AccountName=logs;Account" + "Key=", of(STD64, 86), "=="),
    "azure signature": chain("https://logs.blob.core.windows.net/a?sv=2022-11-02&sp=r&s" + "ig=", of(ALNUM, 43), "%3D"),
    "azure client secret": chain(of(ALNUM, 3), word("8", "7"), "Q~", of(ALNUM + "_-.~", 34)),
    "digitalocean": chain("do", word("p", "o", "r"), "_v1_", of(HEX, 64)),
    "alibaba": chain("LT" + "AI", of(ALNUM, 20)),
    "heroku": chain("HR" + "KU-AA", of(URL64, 58)),
    "cloudflare origin": chain("v1.0-", of(HEX, 24), "-", of(HEX, 146)),
    "netlify": chain("nf" + "p_", of(ALNUM, 36)),
    "supabase": chain("sb" + "p_", of(HEX, 40)),
    "planetscale": chain("pscale_", word("tkn", "pw"), "_", of(URL64, 43)),
    "databricks": chain("da" + "pi", of(HEX, 32)),
    "tailscale": chain("ts" + "key-", word("auth", "api"), "-", of(ALNUM, 12), "CNTRL-", of(ALNUM, 32)),
    "vault": chain("hv" + "s.", of(URL64, 90)),
    "terraform": chain(of(ALNUM, 14), ".atlas" + "v1.", of(URL64, 67)),
    "pulumi": chain("pu" + "l-", of(HEX, 40)),
    "doppler": chain("d" + "p.", word("pt", "ct", "sa"), ".", of(ALNUM, 43)),
    "github": chain("g", word("hp", "ho", "hu", "hs", "hr"), "_", of(ALNUM, 36)),
    "github fine-grained": chain("github" + "_pat_", of(ALNUM, 22), "_", of(ALNUM, 59)),
    "gitlab": chain("gl", word("pat", "dt", "rt", "ptt"), "-", of(URL64, 20)),
    "bitbucket": chain("AT" + "BB", of(ALNUM, 32)),
    "atlassian": chain("ATA" + "TT3xFfGF0", of(URL64, 170), "=", of(HEX, 8)),
    "circleci": chain("CCI" + "PAT_", of(ALNUM, 22), "_", of(HEX, 40)),
    "buildkite": chain("bk" + "ua_", of(HEX, 40)),
    "linear": chain("lin" + "_api_", of(ALNUM, 40)),
    "npm": chain("np" + "m_", of(ALNUM, 36)),
    "npm auth line": chain("//registry.example.com/:_auth" + "Token=", of(HEX, 36)),
    "pypi": chain("py" + "pi-AgEI", of(URL64, 150)),
    "rubygems": chain("ruby" + "gems_", of(HEX, 48)),
    "nuget": chain("oy" + "2", of(ascii_lowercase + digits, 43)),
    "docker": chain("dckr" + "_pat_", of(URL64, 27)),
    "crates": chain("ci" + "o", of(ALNUM, 32)),
    "artifactory": chain("AK" + "Cp", of(ALNUM, 69)),
    "slack": chain("xo", word("xb", "xp", "xa"), "-", of(digits, 12), "-", of(digits, 12), "-", of(ALNUM, 24)),
    "slack app": chain("xa" + "pp-1-A", of(ascii_uppercase + digits, 10), "-", of(digits, 13), "-", of(HEX, 64)),
    "slack webhook": chain("https://hooks.sl" + "ack.com/services/T", of(ascii_uppercase, 8), "/B", of(ascii_uppercase, 10), "/", of(ALNUM, 24)),
    "discord": chain("discord bot ", word("M", "N", "O"), of(ALNUM, 25), ".", of(URL64, 6), ".", of(URL64, 38)),
    "discord webhook": chain("https://discord.com/api/web" + "hooks/", of("123456789", 19), "/", of(URL64, 68)),
    "telegram": chain(of("123456789", 10), ":A", "A", of(URL64, 33)),
    "teams webhook": chain("https://contoso.webhook.off" + "ice.com/webhookb2/", uuid, "@", uuid, "/IncomingWebhook/", of(HEX, 32), "/", uuid),
    "sendgrid": chain("S" + "G.", of(URL64, 22), ".", of(URL64, 43)),
    "mailgun": chain("ke" + "y-", of(HEX, 32)),
    "mailchimp": chain(of(HEX, 32), "-us", of("123456789", 1)),
    "brevo": chain("xkey" + "sib-", of(HEX, 64), "-", of(ALNUM, 16)),
    "twilio": chain("S" + "K", of(HEX, 32)),
    "notion": chain("nt" + "n_", of(ALNUM, 46)),
    "airtable": chain("pa" + "t", of(ALNUM, 14), ".", of(HEX, 64)),
    "figma": chain("fig" + "d_", of(URL64, 40)),
    "hubspot": chain("pat-", word("na1", "eu1"), "-", uuid),
    "zapier webhook": chain("https://hooks.zap" + "ier.com/hooks/catch/", of(digits, 7), "/", of(ascii_lowercase + digits, 7)),
    "make webhook": chain("https://hook.eu1.ma" + "ke.com/", of(ascii_lowercase + digits, 32)),
    "apify api": chain("api" + "fy_api_", of(ALNUM, 36)),
    "apify proxy": chain("api" + "fy_proxy_", of(ALNUM, 36)),
    "anthropic": chain("sk-" + "ant-", word("api03", "admin01", "oat01"), "-", of(URL64, 93), "AA"),
    "openai": chain("sk-", word("", "proj-", "svcacct-"), of(ALNUM, 48)),
    "openrouter": chain("sk-" + "or-v1-", of(HEX, 64)),
    "hugging face": chain("h" + "f_", of(ascii_letters, 34)),
    "groq": chain("gs" + "k_", of(ALNUM, 52)),
    "replicate": chain("r" + "8_", of(ALNUM, 37)),
    "perplexity": chain("ppl" + "x-", of(ALNUM, 48)),
    "xai": chain("xa" + "i-", of(ALNUM, 80)),
    "nvidia": chain("nv" + "api-", of(URL64, 64)),
    "langsmith": chain("lsv2_", word("pt", "sk"), "_", of(HEX, 32), "_", of(HEX, 10)),
    "pinecone": chain("pc" + "sk_", of(ALNUM, 6), "_", of(ALNUM, 63)),
    "tavily": chain("tv" + "ly-", of(ALNUM, 32)),
    "firecrawl": chain("f" + "c-", of(HEX, 32)),
    "elevenlabs": chain("s" + "k_", of(HEX, 48)),
    "sentry": chain("sntry" + "u_", of(HEX, 64)),
    "grafana": chain("gl" + "sa_", of(ALNUM, 32), "_", of(HEX, 8)),
    "new relic": chain("NR" + "AK-", of(ascii_uppercase + digits, 27)),
    "dynatrace": chain("dt0" + "c01.", of(BASE32, 24), ".", of(BASE32, 64)),
    "postman": chain("PM" + "AK-", of(HEX, 24), "-", of(HEX, 34)),
    "stripe": chain(word("s", "r"), "k_", word("live", "test"), "_", of(ALNUM, 24)),
    "webhook signing": chain("wh" + "sec_", of(STD64, 32)),
    "square": chain("sq" + "0", word("atp", "csp"), "-", of(URL64, 43)),
    "paypal": chain("access_to" + "ken$production$", of(ascii_lowercase + digits, 16), "$", of(HEX, 32)),
    "shopify": chain("sh", word("pat", "pca", "pss"), "_", of(HEX, 32)),
    "razorpay": chain("rz" + "p_live_", of(ALNUM, 14)),
    "plaid": chain("acc" + "ess-production-", uuid),
    "private key": pem,
    "age key": chain("AGE-SEC" + "RET-KEY-1", of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "wireguard": chain("[Interface] Private" + "Key = ", of(STD64, 43), "="),
    "jwt": jwt,
    "bearer header": chain("Authorization: Bea" + "rer ", api_value),
    "basic header": chain("Authorization: Ba" + "sic ", lambda r: base64.b64encode(f"ada:{password(r)}".encode()).decode()),
    "key header": chain(word("X-Api-Key: ", "x-auth-token: ", "X-Access-Token: "), of(ALNUM, 32)),
    "cookie": chain("Cookie: lang=de; session", word("id", "_token", ""), "=", of(HEX, 40)),
    "database address": chain(
        word("postgres", "postgresql+asyncpg", "mysql", "mongodb+srv", "redis", "amqp"), "://",
        word("app", "root", "", "svc_reports"), ":", of(ALNUM + "!$^*_-.", 14), "@", word("db.internal", "10.0.4.7:5432", "cluster0.example.net"), "/main",
    ),
    "web address with password": chain(word("https", "ftp"), "://deploy:", of(ALNUM, 16), "@files.example.org/drop"),
    "address with token": chain("https://api.example.org/v1/items?page=2&", word("access_token", "api_key", "token", "apikey"), "=", of(ALNUM, 28)),
    "environment variable": chain(
        word("DB_", "SMTP_", "ADMIN_", "REDIS_", "export PG"), word("PASSWORD", "PASS", "PASSWD"), "=", password
    ),
    "key variable": chain(
        word("ACME_", "MAPS_", "SERVICE_", "search."), word("API_KEY", "SECRET", "TOKEN", "SECRET_KEY", "AUTH_TOKEN", "ACCESS_TOKEN"),
        word("=", ": ", " = "), api_value,
    ),
    "json field": lambda r: json.dumps({r.choice(("password", "clientSecret", "apiKey", "accessToken", "db_password")): api_value(r)}),
    "connection string": chain("Server=tcp:sql1,1433;Database=crm;User ID=sa;", word("Password", "Pwd"), "=", password, ";Encrypt=yes"),
    "command line": chain(word("mysqladmin --pass" + "word=", "tool login --to" + "ken ", "helm up --sec" + "ret "), of(ALNUM, 18)),
    "curl user": chain("curl -u ", word("ada", "ci-bot"), ":", of(ALNUM, 14), " https://api.example.org"),
}  # fmt: skip
"""What each form looks like. The prefixes are in pieces, so that no scanner of a code host takes this file for a leak."""

PROSE: Final[dict[str, Make]] = {
    "password in English": chain(
        word("The password is ", "The root password for staging is ", "password for the wiki: ", "My passphrase is ",
             "Her password was ", "FYI the admin password is now ", "Use the password ", "pw: ", "pwd = ",
             "the db password has been set to ", "Password -> "), password,
    ),
    "login in English": chain(word("Log in as ", "login: ", "creds: ", "sign in with "), word("admin", "ada@example.org", "qa-bot"), word(" / ", ":"), password),
    "key in English": chain(word("The API key is ", "Our access token: ", "the client secret is ", "secret key for maps: ", "Signing key = "), of(ALNUM, 32)),
    "password in German": chain(word("Das Passwort lautet ", "Passwort: ", "Das Kennwort ist ", "Passwort für den Drucker ist "), password),
    "password in French or Spanish": chain(word("Le mot de passe est ", "mot de passe : ", "La contraseña es ", "Contraseña: "), password),
    "password in Chinese, Japanese or Russian": chain(word("密码是", "密码：", "密码: ", "パスワードは", "Пароль: ", "пароль — "), password),
}  # fmt: skip
"""Secrets that only the words around them give away."""

ALL: Final = {**FORMS, **PROSE, **STRUCTURED}
_AROUND: Final = (
    "{}", "Note from the rollout: {} (rotate in May).", "We found {} in the log.", "- staging\n- {}\n- production",
    "deploy:\n  value: {}\n  region: eu", "It works with `{}` since Tuesday.", 'value = "{}"', "| name | {} | ok |",
    "> quoted: {}", "see {}, and tell Bo.", "{}\nThat was all.", "step 3:\n{}",
)  # fmt: skip


def placed(secret: str, r: Random) -> str:
    """`secret` in the middle of a note."""
    return r.choice(_AROUND).format(secret)


def lookalikes(seed: int, each: int) -> Iterator[tuple[str, str, str]]:
    """`each` notes for every kind and disguise: the kind, the disguise, and the note."""
    r = seeded(seed)
    for kind, make in ALL.items():
        for name, disguise in DISGUISES.items():
            for _ in range(each):
                yield kind, name, placed(disguise(make(r), r), r)
