#!/bin/sh
# Makes what `docker compose up` needs beside the images: certificates of the event store, the service's keys, and a .env with
# passwords. Run it again at any time: what exists stays as it is.
set -eu
umask 077

cd "$(dirname "$0")/.."
secrets=${SECRETS_FOLDER:-secrets}
env_file=${ENV_FILE:-.env}
# The user of the service's image, and that of the event store's (1001 in KurrentDB's from 26.0 on).
owner=1000
store_owner=${EVENTSTORE_USER:-1000}
days=3650

command -v openssl >/dev/null || { echo 'openssl is missing: install it, and run this again' >&2; exit 1; }

# Containers run as these users. Root gives the files away; anybody else must be that user, or say how to.
give() {
  to=$1
  shift
  if [ "$(id -u)" = 0 ]; then chown "$to:$to" "$@"
  elif [ "$(id -u)" != "$to" ]; then echo "run: sudo chown $to:$to $*" >&2
  fi
}

mkdir -p "$secrets/ca" "$secrets/keys"
chmod 755 "$secrets" "$secrets/ca"
chmod 700 "$secrets/keys"

if [ ! -e "$secrets/ca/ca.crt" ]; then
  openssl req -x509 -newkey rsa:3072 -sha256 -nodes -days "$days" -subj '/CN=kyc event store authority' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout "$secrets/ca.key" -out "$secrets/ca/ca.crt" 2>/dev/null
  chmod 644 "$secrets/ca/ca.crt"
  echo "made $secrets/ca/ca.crt and $secrets/ca.key: keep the key elsewhere"
fi

if [ ! -e "$secrets/node.crt" ]; then
  extensions=$(mktemp)
  trap 'rm -f "$extensions" "$secrets/node.csr"' EXIT
  printf '%s\n' 'subjectAltName=DNS:eventstore,DNS:localhost,IP:127.0.0.1' 'extendedKeyUsage=serverAuth,clientAuth' \
    'keyUsage=critical,digitalSignature,keyEncipherment' 'basicConstraints=critical,CA:FALSE' >"$extensions"
  # The name that EventStoreDB expects of the nodes of a cluster.
  openssl req -newkey rsa:3072 -nodes -subj '/CN=eventstoredb-node' -keyout "$secrets/node.key" -out "$secrets/node.csr" 2>/dev/null
  # Before the certificate, by which a later run knows that this step was done.
  chmod 400 "$secrets/node.key"
  give "$store_owner" "$secrets/node.key"
  openssl x509 -req -sha256 -days "$days" -in "$secrets/node.csr" -CA "$secrets/ca/ca.crt" -CAkey "$secrets/ca.key" \
    -CAcreateserial -CAserial "$secrets/ca.srl" -extfile "$extensions" -out "$secrets/node.crt" 2>/dev/null
  chmod 644 "$secrets/node.crt"
  echo "made $secrets/node.crt and $secrets/node.key"
fi

if [ ! -e "$secrets/keys/keys.json" ]; then
  # Assigned first: a command that fails within an argument would leave an empty key.
  index_root=$(openssl rand -base64 32)
  encryption_key=$(openssl rand -base64 32)
  printf '{"index_root": "%s", "encryption_keys": {"1": "%s"}}\n' "$index_root" "$encryption_key" >"$secrets/keys/keys.json.new"
  give "$owner" "$secrets/keys" "$secrets/keys/keys.json.new"
  mv "$secrets/keys/keys.json.new" "$secrets/keys/keys.json"
  echo "made $secrets/keys/keys.json: back it up, without it no personal data can be read"
fi

[ -e "$env_file" ] || : >"$env_file"
# It may be there already, made by hand and readable by all.
chmod 600 "$env_file"
add() { grep -q "^#\{0,1\} \{0,1\}$1=" "$env_file" || printf '%s\n' "$2" >>"$env_file"; }
# Hexadecimal, so that they may stand in a URL as they are.
for name in EVENTSTORE_PASSWORD EVENTSTORE_OPS_PASSWORD POSTGRES_PASSWORD GRAFANA_PASSWORD; do
  password=$(openssl rand -hex 24)
  add "$name" "$name=$password"
done
for name in PUBLIC_URL OIDC_ISSUER OIDC_JWKS_URL OIDC_AUDIENCE STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET SMTP_URL MAIL_FROM; do
  add "$name" "# $name="
done
add API_PORT '# API_PORT=3000'
missing=$(sed -n 's/^# \([A-Z_]*\)=$/\1/p' "$env_file" | tr '\n' ' ')
[ -z "$missing" ] || echo "fill in $env_file: $missing"
