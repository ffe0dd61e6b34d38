"""The kinds of secrets that are recognised by their form, as data: a name, words that must occur, a pattern.

A pattern is compiled only when one of its words (`marks`) occurs, so a text without secrets compiles nothing.
Lengths are a little wider than what each service issues today. Forms: the services' own documentation.
"""

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """One kind of secret. `pattern` has a group `value` where the secret is only a part of it.

    `marks` are looked for in words of 20 characters or more, or, when `around`, in the whole text in lower case.
    `open_ended` patterns know their own ends; all others must not touch a letter or digit. `mixed`: the value needs
    letters and digits, to be told from words.
    """

    name: str
    marks: tuple[str, ...]
    pattern: str
    mixed: bool = False
    around: bool = False
    open_ended: bool = False


_W: Final = r"[A-Za-z0-9_-]"
_A: Final = r"[A-Za-z0-9]"
_H: Final = r"[0-9a-f]"
_UUID: Final = rf"{_H}{{8}}-{_H}{{4}}-{_H}{{4}}-{_H}{{4}}-{_H}{{12}}"

CLOUDS: Final = (
    Kind("aws_access_key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    Kind(
        "aws_secret_key",
        ("aws", "secret"),
        r"(?i:aws.{0,24}(?:secret|sk)(?:.{0,3}access)?(?:.{0,3}key)?|secret.{0,3}access.{0,3}key)\W{0,20}?"
        r"(?:is\W{1,4}|are\W{1,4})?(?P<value>[A-Za-z0-9/+]{40})",
        mixed=True,
        around=True,
    ),
    Kind("google_api_key", ("AIza",), rf"AIza{_W}{{35}}"),
    Kind("google_oauth_secret", ("GOCSPX-",), rf"GOCSPX-{_W}{{24,}}"),
    Kind("google_access_token", ("ya29.",), r"ya29\.[\w-]{24,}"),
    Kind("google_refresh_token", ("1//0",), r"1//0[\w-]{38,}"),
    Kind(
        "azure_storage_key",
        ("accountkey=", "sharedaccesskey="),
        r"(?i:AccountKey|SharedAccessKey)=(?P<value>[\w+/-]{40,88}={0,2})",
        around=True,
        open_ended=True,
    ),
    Kind("azure_signature", ("sig=",), r"[?&;]sig=(?P<value>[\w%+/-]{40,}(?:%3D|=){0,2})", open_ended=True),
    Kind("azure_client_secret", ("8Q~", "7Q~"), r"[\w~.-]{3}[78]Q~[\w~.-]{30,36}"),
    Kind("digitalocean_token", ("do", "_v1_"), rf"do[opr]_v1_{_H}{{64}}"),
    Kind("alibaba_access_key", ("LTAI",), rf"LTAI{_A}{{16,24}}"),
    Kind("scaleway_access_key", ("SCW",), r"SCW[A-Z0-9]{17}", mixed=True),
    Kind("heroku_api_key", ("HRKU-",), rf"HRKU-{_W}{{36,64}}"),
    Kind("cloudflare_token", ("v1.0-", "cfut_", "cfat_"), rf"v1\.0-{_H}{{24}}-{_H}{{100,}}|cf[ua]t_{_W}{{36,}}"),
    Kind("fly_token", ("fm1", "fm2_", "fo1_"), r"(?:fm1[ar]|fm2)_[A-Za-z0-9+/]{60,}={0,2}|fo1_[\w-]{40,}"),
    Kind("netlify_token", ("nfp_", "nfc_"), rf"nf[pc]_{_A}{{36,}}"),
    Kind("vercel_token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), rf"vc[piark]_{_A}{{24,}}", mixed=True),
    Kind("supabase_key", ("sbp_", "sb_secret_"), rf"sbp_{_H}{{40}}|sb_secret_{_W}{{20,}}"),
    Kind("planetscale_token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    Kind("databricks_token", ("dapi", "dkea", "dose"), rf"d(?:api|kea|ose){_H}{{32}}(?:-\d)?"),
    Kind("snowflake_neon_key", ("napi_",), rf"napi_{_A}{{32,}}"),
    Kind("tailscale_key", ("tskey-",), rf"tskey-[a-z]+-{_A}{{8,}}(?:-{_A}{{16,}})?", mixed=True),
    Kind("vault_token", ("hvs.", "hvb.", "hvr."), rf"hv[sbr]\.{_W}{{24,}}"),
    Kind("terraform_token", (".atlasv1.",), rf"{_A}{{14}}\.atlasv1\.{_W}{{40,}}"),
    Kind("pulumi_token", ("pul-",), rf"pul-{_H}{{40}}"),
    Kind("doppler_token", ("dp.",), rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{_A}{{40,}}"),
    Kind("onepassword_token", ("ops_eyJ",), r"ops_eyJ[\w+/-]{100,}={0,2}"),
)

CODE_HOSTS: Final = (
    Kind("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"gh[pousr]_{_A}{{30,}}"),
    Kind("github_fine_grained_token", ("github_pat_",), rf"github_pat_{_A}{{20,}}_{_A}{{40,}}"),
    Kind("gitlab_token", ("gl",), r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|soat|ffct|oas)-(?:t\d_)?[\w.-]{20,}"),
    Kind("bitbucket_token", ("ATBB", "ATCTT3"), rf"ATBB{_A}{{28,}}|ATCTT3[\w=-]{{40,}}"),
    Kind("atlassian_token", ("ATATT3",), r"ATATT3[\w=-]{40,}"),
    Kind("circleci_token", ("CCIPAT_", "CCIPRJ_"), rf"CCIP(?:AT|RJ)_{_A}{{16,}}_{_H}{{40}}"),
    Kind("buildkite_token", ("bkua_", "bkct_", "bkaj_"), rf"bk(?:ua|ct|aj)_{_W}{{36,}}"),
    Kind("azure_devops_token", ("azdo",), r"(?i:[a-z0-9]{76}AZDO[a-z0-9]{4})", around=True),
    Kind("linear_token", ("lin_api_", "lin_oauth_"), rf"lin_(?:api|oauth)_{_A}{{32,}}"),
    Kind("sonar_token", ("sqp_", "squ_", "sqa_"), rf"sq[pua]_{_H}{{40}}"),
)

REGISTRIES: Final = (
    Kind("npm_token", ("npm_",), rf"npm_{_A}{{36,}}"),
    Kind(
        "npm_auth_line",
        ("_authtoken", "_auth="),
        r"(?i::_authToken|_auth)\s*=\s*(?P<value>[\w+/.-]{16,}={0,2})",
        around=True,
        open_ended=True,
    ),
    Kind("pypi_token", ("pypi-",), rf"pypi-(?:AgEI|AgEN){_W}{{40,}}"),
    Kind("rubygems_key", ("rubygems_",), rf"rubygems_{_H}{{48}}"),
    Kind("nuget_key", ("oy2",), r"oy2[a-z0-9]{43}"),
    Kind("docker_token", ("dckr_",), rf"dckr_(?:pat|oat)_{_W}{{24,}}"),
    Kind("crates_token", ("cio",), rf"cio{_A}{{32}}", mixed=True),
    Kind("clojars_token", ("CLOJARS_",), rf"CLOJARS_{_H}{{60}}"),
    Kind("artifactory_key", ("AKCp", "cmVmdGtu"), rf"AKCp{_A}{{60,}}|cmVmdGtu{_A}{{50,}}"),
)

CHAT_AND_MAIL: Final = (
    Kind("slack_token", ("xox", "xapp-"), rf"xox[abeoprs](?:\.xox[bp])?-{_W}{{20,}}|xapp-\d-{_W}{{30,}}"),
    Kind(
        "slack_webhook",
        ("hooks.slack.com",),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<value>\w+/\w+/[\w/]{16,})",
        open_ended=True,
    ),
    Kind(
        "discord_token",
        ("discord", "bot", "token", "auth"),
        rf"[MNO]{_W}{{23,27}}\.{_W}{{6}}\.{_W}{{27,45}}",
        mixed=True,
        around=True,
    ),
    Kind(
        "discord_webhook",
        ("/api/webhooks/", "/api/v"),
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(?P<value>\d{17,20}/[\w-]{40,})",
        open_ended=True,
    ),
    Kind("telegram_token", (":AA",), rf"\d{{8,10}}:AA{_W}{{32,34}}"),
    Kind(
        "teams_webhook",
        ("webhook.office.com", ".logic.azure.com"),
        r"(?:webhook\.office\.com/webhookb2/|logic\.azure\.com(?::443)?/workflows/)(?P<value>[\w@/?=&%.-]{40,})",
        open_ended=True,
    ),
    Kind("sendgrid_key", ("SG.",), rf"SG\.{_W}{{16,24}}\.{_W}{{38,48}}"),
    Kind("mailgun_key", ("key-",), rf"key-{_H}{{32}}|{_H}{{32}}-{_H}{{8}}-{_H}{{8}}"),
    Kind("mailchimp_key", ("-us",), rf"{_H}{{32}}-us\d{{1,2}}"),
    Kind("brevo_key", ("xkeysib-", "xsmtpsib-"), rf"x(?:key|smtp)sib-{_H}{{64}}-{_A}{{16}}"),
    Kind("resend_key", ("re_",), rf"re_{_A}{{8}}_{_A}{{24}}|re_{_A}{{32}}", mixed=True),
    Kind("twilio_key", ("SK",), rf"SK{_H}{{32}}"),
    Kind("notion_token", ("ntn_", "secret_"), rf"ntn_{_A}{{40,}}|secret_{_A}{{43}}"),
    Kind("airtable_token", ("pat",), rf"pat{_A}{{14}}\.{_H}{{64}}"),
    Kind("figma_token", ("figd_", "figdh_"), rf"figdh?_{_W}{{36,}}"),
    Kind("hubspot_token", ("pat-",), rf"pat-(?:na|eu|ap)\d-{_UUID}"),
    Kind("typeform_token", ("tfp_",), rf"tfp_{_W}{{40,}}"),
    Kind(
        "zapier_webhook",
        ("hooks.zapier.com",),
        r"hooks\.zapier\.com/hooks/catch/(?P<value>\d+/\w{6,})",
        open_ended=True,
    ),
    Kind(
        "make_webhook",
        ("make.com", "integromat.com"),
        r"hook\.(?:\w+\.)?(?:make|integromat)\.com/(?P<value>[a-z0-9]{24,})",
        open_ended=True,
    ),
)

MODELS_AND_TOOLS: Final = (
    Kind("apify_token", ("apify_",), rf"apify_(?:api|proxy|ui)_{_A}{{30,}}"),
    Kind("anthropic_key", ("sk-ant-",), rf"sk-ant-(?:api|admin|oat|sid|ort)\d\d-{_W}{{40,}}"),
    Kind("openrouter_key", ("sk-or-",), rf"sk-or-v1-{_H}{{64}}"),
    Kind("openai_key", ("sk-",), rf"sk-(?:proj-|svcacct-|admin-|None-)?{_W}{{24,}}", mixed=True),
    Kind("openai_session", ("sess-",), rf"sess-{_A}{{40}}"),
    Kind("huggingface_token", ("hf_", "api_org_"), rf"(?:hf|api_org)_{_A}{{30,}}"),
    Kind("groq_key", ("gsk_",), rf"gsk_{_A}{{48,}}"),
    Kind("replicate_token", ("r8_",), rf"r8_{_A}{{36,}}"),
    Kind("perplexity_key", ("pplx-",), rf"pplx-{_A}{{40,}}"),
    Kind("xai_key", ("xai-",), rf"xai-{_A}{{60,}}"),
    Kind("together_key", ("tgp_v1_",), rf"tgp_v1_{_W}{{40,}}"),
    Kind("fireworks_key", ("fw_",), rf"fw_{_A}{{22,}}", mixed=True),
    Kind("nvidia_key", ("nvapi-",), rf"nvapi-{_W}{{60,}}"),
    Kind("langsmith_key", ("lsv2_",), rf"lsv2_(?:pt|sk)_{_H}{{32}}_{_H}{{8,12}}"),
    Kind("pinecone_key", ("pcsk_",), rf"pcsk_{_A}{{5,6}}_{_A}{{50,}}"),
    Kind("tavily_key", ("tvly-",), rf"tvly-(?:dev-|prod-)?{_A}{{28,}}", mixed=True),
    Kind("firecrawl_key", ("fc-",), rf"fc-{_H}{{32}}"),
    Kind("elevenlabs_key", ("sk_",), rf"sk_{_H}{{48}}"),
    Kind("voyage_key", ("pa-",), rf"pa-{_W}{{40,48}}", mixed=True),
    Kind("wandb_key", ("wandb_v1_",), rf"wandb_v1_{_W}{{60,}}"),
    Kind("sentry_token", ("sntrys_", "sntryu_"), rf"sntrys_eyJ[\w+/=-]{{60,}}|sntryu_{_H}{{64}}"),
    Kind("grafana_token", ("glsa_", "glc_"), rf"glsa_{_A}{{32}}_{_H}{{8}}|glc_eyJ[\w+/=]{{40,}}"),
    Kind("newrelic_key", ("NRAK-", "NRII-", "NRAA-"), rf"NR(?:AK|II|AA)-{_W}{{24,}}"),
    Kind("dynatrace_token", ("dt0",), r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    Kind("posthog_key", ("phx_",), rf"phx_{_A}{{40,}}"),
    Kind("postman_key", ("PMAK-",), rf"PMAK-{_H}{{24}}-{_H}{{34}}"),
    Kind("prefect_key", ("pnu_", "pnb_"), rf"pn[ub]_{_A}{{36}}"),
)

PAYMENT: Final = (
    Kind("stripe_key", ("k_live_", "k_test_"), rf"[sr]k_(?:live|test)_{_A}{{16,}}"),
    Kind("webhook_signing_secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    Kind("square_token", ("sq0", "EAAA"), rf"sq0(?:atp|csp|idp)-{_W}{{22,}}|EAAA{_W}{{60}}"),
    Kind("paypal_token", ("access_token$",), rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\${_H}{{32}}"),
    Kind("shopify_token", ("shp",), rf"shp(?:at|ca|pa|ss|tka)_{_H}{{32}}"),
    Kind("razorpay_key", ("rzp_",), rf"rzp_(?:live|test)_{_A}{{14,}}"),
    Kind("flutterwave_key", ("FLWSECK",), rf"FLWSECK(?:_TEST)?-{_A}{{12,}}(?:-X)?"),
    Kind("plaid_token", ("access-",), rf"access-(?:sandbox|development|production)-{_UUID}"),
    Kind("coinbase_easypost_key", ("EZAK", "EZTK"), rf"EZ[AT]K{_A}{{54}}"),
)

KEYS: Final = (
    Kind(
        "private_key",
        ("private key",),
        r"-----BEGIN (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----(?:[\w\s+/=:,.()\\-]{40,}?-----END (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----|[\w\s+/=:,.()\\-]{40,})",
        around=True,
        open_ended=True,
    ),
    Kind(
        "putty_key",
        ("putty-user-key-file",),
        r"PuTTY-User-Key-File-\d:[^\0]{40,}?Private-(?:MAC|Hash): ?\w{16,}|PuTTY-User-Key-File-\d:[^\0]{200,}",
        around=True,
        open_ended=True,
    ),
    Kind("age_key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    Kind(
        "wireguard_key",
        ("privatekey", "presharedkey"),
        r"(?i:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}(?P<value>[A-Za-z0-9+/]{43}=)",
        around=True,
        open_ended=True,
    ),
    Kind("jwt", ("eyJ",), r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    Kind("encrypted_jwt", ("eyJ",), r"eyJ[\w-]{8,}\.[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"),
)

BY_FORM: Final = (*CLOUDS, *CODE_HOSTS, *REGISTRIES, *CHAT_AND_MAIL, *MODELS_AND_TOOLS, *PAYMENT, *KEYS)
