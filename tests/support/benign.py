"""Texts that only look as if they held a secret; they must be stored."""

from collections.abc import Iterator
from typing import Final

from support.making import ALNUM, HEX, STD64, encoded, of, seeded, uuid

SENTENCES: Final = (
    "No API key is needed.",
    "no API key in the build",
    "password: required, min 12",
    "The password must be at least 12 characters long.",
    "Passwords need at least 12 characters, one digit and one sign.",
    "The password is hashed with argon2id before it is stored.",
    "The password field is input[type=password]#login-pass.",
    "password is case-sensitive, and the token is short-lived.",
    "Token expiry is 3600s; refresh tokens live 30d.",
    "The token is valid for 24h and the secret is rotated every 90d.",
    "The token bucket refills 100/s.",
    "The API key is stored in the vault under kv/acme/prod/api-key.",
    "API key: see 1Password item staging/maps.",
    "The secret is named acme-prod-db-password-v2 in Secrets Manager.",
    "secret: projects/acme/secrets/db-password/versions/3",
    "Set password to the value of DB_PASSWORD_V2 before the run.",
    "password = os.environ['DB_PASSWORD']",
    "const apiKey = process.env.MAPS_API_KEY_2;",
    "api_key=os.getenv('API_KEY2')",
    "token = request.headers['X-Auth-Token']",
    "password = getpass.getpass(prompt='Password2: ')",
    "client = Client(token=settings.token_v2, secret=config.secret1)",
    "def login(user: str, password: str | None = None, token: bytes = b''): ...",
    "self.assertEqual(form.fields['password1'].required, True)",
    "password1 and password2 must match",
    "Authorization: Bearer <token>",
    'curl -H "Authorization: Bearer $API_TOKEN" https://api.example.org',
    "headers = {'Authorization': f'Bearer {token}'}",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE",
    "export API_KEY=your-api-key-123",
    "DB_PASSWORD=changeme",
    "DATABASE_URL=postgres://user:password@localhost:5432/app",
    "DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@db:5432/app",
    "redis://localhost:6379/0 and amqp://guest@rabbit:5672",
    "ssh://git@github.com:22/acme/app.git",
    "git@github.com:acme/app.git, tag v2.3.1",
    "The AWS access key id begins with AKIA and is 20 characters long.",
    "GitHub tokens start with ghp_ and Slack tokens with xoxb-.",
    "-----BEGIN CERTIFICATE----- is public, -----BEGIN PUBLIC KEY----- too.",
    "The private key is in /etc/ssl/private/app-2024.pem on the gateway.",
    "primary key: user_id2, foreign key: account_id1",
    "The primary key is (tenant_id, created_at_2).",
    "sort_key=created_at2 cache_key: users:v2:list",
    "Key findings: 12 of 40 teams use the v2 API.",
    "Keyboard: the key is Ctrl+Shift+P.",
    "pin 12 of U7 is GPIO17",
    "Pin: numpy==2.3.1, torch==2.9.0+cu128",
    "Passing tests: 412/412 on py311-linux.",
    "The pass is 1200m above sea level.",
    "login: POST /api/v2/login/submit returns 302",
    "Log in as admin, then open Settings/Users2.",
    "sign in with Google OAuth2 / SAML2",
    ".sk-loading-indicator--size-12-large > .icon-16",
    "div.sk-chasing-dot:nth-child(3), #app > ul.list-2 li:hover",
    "button[data-testid='submit-order-2'] span.css-1q2w3e4r5t",
    "xpath: //div[@id='content-main2']/table[3]/tr[2]/td[@class='price-v2']",
    "https://example.org/docs/page?id=20&sort=created_at&cursor=next",
    "https://cdn.example.org/app.3f2a9c1b7d.min.js",
    "Cookie banner: #onetrust-accept-btn-handler2, cookie name is lang_pref_2",
    "Error E0308 in src/api/auth_token.rs:42:17",
    "x-request-id is echoed, x-ratelimit-remaining-tokens: 1999",
    "Use --token-file /run/secrets/token2 instead of the flag.",
    "tool login --password-stdin < pass.txt",
    "mysql -u root -p and then type it",
    "密码至少需要12个字符。",
    "密码是必填项，最少12位。",
    "パスワードは12文字以上です。",
    "Das Passwort muss mindestens 12 Zeichen haben.",
    "Le mot de passe doit avoir au moins 12 caractères.",
    "Пароль должен содержать не менее 12 символов.",
    "UTF-8, base64, SHA-256 and HS256 are fine; the secret is HMAC-SHA256 signed.",
)


def forms(seed: int) -> Iterator[str]:
    """Identifiers and digests that are made anew each time, in sentences and lock files."""
    r = seeded(seed)
    yield f"Fixed in commit {of(HEX, 40)(r)}, before that {of(HEX, 12)(r)}."
    yield f"git checkout {of(HEX, 40)(r)} && git cherry-pick {of(HEX, 40)(r)}"
    yield f"The order {uuid(r)} failed, request {uuid(r)}."
    yield f"sha256:{of(HEX, 64)(r)} is the digest of the image."
    yield f"image: registry.example.org/app@sha256:{of(HEX, 64)(r)}"
    yield f"md5 {of(HEX, 32)(r)}  dump.sql.gz"
    yield f'<script src="a.js" integrity="sha384-{of(STD64, 64)(r)}" crossorigin="anonymous"></script>'
    yield f'"integrity": "sha512-{of(STD64, 86)(r)}==",'
    yield f"    --hash=sha256:{of(HEX, 64)(r)} \\\n    --hash=sha256:{of(HEX, 64)(r)}"
    yield f"background: url(data:image/png;base64,iVBORw0KGgo{of(STD64, 400)(r)}==)"
    yield f'<img src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0i{of(STD64, 40)(r)}">'
    yield f'ETag: W/"{of(HEX, 32)(r)}"'
    yield f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{of(STD64, 43)(r)} ada@laptop"
    yield f"h1:{of(STD64, 43)(r)}= is what go.sum says"
    yield f"dataset id {of(ALNUM, 17)(r)}, run id {of(ALNUM, 17)(r)}, actor build 0.1.{r.randrange(99)}"
    yield f"cursor {encoded({'after': r.randrange(10**6), 'by': 'createdAt'})}"
    yield f"trace 00-{of(HEX, 32)(r)}-{of(HEX, 16)(r)}-01"
    yield f"blob {of(HEX, 40)(r)}\ntree {of(HEX, 40)(r)}\nparent {of(HEX, 40)(r)}"
    yield f'class="css-{of(ALNUM, 8)(r)} sc-{of(ALNUM, 6)(r)} MuiButton-root-{r.randrange(999)}"'
    yield f"0x{of(HEX, 40)(r)} is the contract, tx 0x{of(HEX, 64)(r)}"
