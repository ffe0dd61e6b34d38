#!/bin/sh
# Prints what an agent should know as a session starts, from a server or from the store of this machine.
#
#   AGENT_MEMORY_STORE    the memory store (required)
#   AGENT_MEMORY_PROJECT  the project; else the name of the folder that this is started in
#   AGENT_MEMORY_URL      the server, such as https://memory.example.com, with AGENT_MEMORY_TOKEN; else this machine
set -eu
: "${AGENT_MEMORY_STORE:?must name the memory store}"
project=${AGENT_MEMORY_PROJECT:-$(basename "$PWD")}
input=$(printf '{"action": "brief", "memoryStoreId": "%s", "projectId": "%s"}' "$AGENT_MEMORY_STORE" "$project")

if [ -n "${AGENT_MEMORY_URL:-}" ]; then
    set -- -fsS -m 10 -H 'Content-Type: application/json' -d "$input"
    [ -z "${AGENT_MEMORY_TOKEN:-}" ] || set -- "$@" -H "Authorization: Bearer $AGENT_MEMORY_TOKEN"
    answer=$(curl "$@" "$AGENT_MEMORY_URL/v1/brief")
else
    home=$(cd "$(dirname "$0")/.." && pwd)
    export CRAWLEE_STORAGE_DIR="${CRAWLEE_STORAGE_DIR:-$HOME/.agent-memory/storage}"
    export APIFY_LOCAL_STORAGE_DIR="$CRAWLEE_STORAGE_DIR" APIFY_LOG_LEVEL=ERROR
    run="$CRAWLEE_STORAGE_DIR/key_value_stores/default"
    mkdir -p "$run"
    printf '%s' "$input" > "$run/INPUT.json"
    "$home/.venv/bin/agent-memory" run > /dev/null
    answer=$(cat "$run/OUTPUT")
fi
printf '%s' "$answer" | python3 -c 'import json, sys; print(json.load(sys.stdin)["markdown"])'
