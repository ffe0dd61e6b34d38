#!/bin/sh
# Prints what an agent should know as a session starts, from a server or from the memories of this machine, which it
# finds where `agent-memory mcp` finds them. A failure ends with a line on standard error that says what to do.
#
#   AGENT_MEMORY_STORE    the memory store (required)
#   AGENT_MEMORY_PROJECT  the project; else the name of the folder that this is started in
#   AGENT_MEMORY_URL      the server, such as https://memory.example.com, with AGENT_MEMORY_TOKEN; else this machine
set -eu
fail() {
    echo "No brief: $1" >&2
    exit 1
}
[ -n "${AGENT_MEMORY_STORE:-}" ] || fail "set AGENT_MEMORY_STORE to the memory store, such as acme~notes."
export AGENT_MEMORY_STORE AGENT_MEMORY_PROJECT="${AGENT_MEMORY_PROJECT:-$(basename "$PWD")}" PYTHONUTF8=1

if [ -n "${AGENT_MEMORY_URL:-}" ]; then
    input=$(python3 -c 'import json, os
names = {"memoryStoreId": "AGENT_MEMORY_STORE", "projectId": "AGENT_MEMORY_PROJECT"}
print(json.dumps({field: os.environ[name] for field, name in names.items()}))')
    set -- -sS -m 10 -H 'Content-Type: application/json' -d "$input"
    [ -z "${AGENT_MEMORY_TOKEN:-}" ] || set -- "$@" -H "Authorization: Bearer $AGENT_MEMORY_TOKEN"
    answer=$(curl "$@" "${AGENT_MEMORY_URL%/}/v1/brief") ||
        fail "check that AGENT_MEMORY_URL ($AGENT_MEMORY_URL) is a server that runs."
else
    command=$(cd "$(dirname "$0")/.." && pwd)/.venv/bin/agent-memory
    [ -x "$command" ] || fail "$command is missing; run make run there once."
    client='{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "session-start", "version": "1"}}'
    answer=$(printf '{"jsonrpc": "2.0", %s}\n' \
        "\"id\": 0, \"method\": \"initialize\", \"params\": $client" \
        '"method": "notifications/initialized"' \
        '"id": 1, "method": "tools/call", "params": {"name": "brief", "arguments": {}}' |
        AGENT_MEMORY_TOOLS=all "$command" mcp | tail -n 1)
fi
printf '%s' "$answer" | python3 -c 'import json, sys
try:
    answer = json.load(sys.stdin)
    result = answer.get("result", answer)
    body = result.get("structuredContent") or (json.loads(result["content"][0]["text"]) if "content" in result else result)
    text = body["markdown"] if "markdown" in body else sys.exit("No brief: " + body["error"]["message"])
except (ValueError, LookupError, AttributeError, TypeError):
    sys.exit("No brief: no answer of Agent Memory came. The lines above say why, or AGENT_MEMORY_URL is another server.")
print(text)'
