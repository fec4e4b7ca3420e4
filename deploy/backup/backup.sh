#!/bin/sh
# Copies the event log, then Postgres: a data key is committed before the first event that uses it, so every event of the copy finds its key.
# Registers each copy in the table backups, by which `npm run keys -- backups` and the metric backups_overdue know it.
# Takes EVENTSTORE_FOLDER (the data folder of EventStoreDB or KurrentDB), DATABASE_URL, BACKUP_FOLDER, KEPT_DAYS (default 30, at most 89)
# and SECONDARY_INDEXES (off: KurrentDB runs with SecondaryIndexing:Enabled=false).
set -eu
umask 077
kept=${KEPT_DAYS:-30}
if [ "$kept" -gt 89 ]; then
  echo "KEPT_DAYS takes at most 89, but is $kept: an erasure promises that back-ups end within 90, and the next run deletes." >&2
  exit 2
fi
# KurrentDB 25.1 and newer has this file. While it writes secondary indexes, a copy of its files is none that it supports.
if [ -e "$EVENTSTORE_FOLDER/kurrent.ddb" ] && [ "${SECONDARY_INDEXES:-on}" != off ]; then
  echo "This KurrentDB has secondary indexes ($EVENTSTORE_FOLDER/kurrent.ddb), and then supports no copy of its files: take a snapshot of the" >&2
  echo "volume instead, or run it with SecondaryIndexing:Enabled=false and this script with SECONDARY_INDEXES=off." >&2
  exit 3
fi
while name=$(date -u +%Y-%m-%dT%H-%M-%SZ) && [ -e "$BACKUP_FOLDER/$name" ]; do sleep 1; done
partial="$BACKUP_FOLDER/$name.partial"
sql() { psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --variable=name="$1" "$DATABASE_URL"; }
gone() { echo "UPDATE backups SET gone_at = now() WHERE name = :'name' AND gone_at IS NULL" | sql "$1"; }
# What is not whole is no back-up, and fills the disk.
trap 'if [ -e "$partial" ]; then rm -rf "$partial"; gone "$name" || true; fi' EXIT
mkdir -p "$partial/eventstore"
# Before the copy, so that the copy knows itself.
echo "INSERT INTO backups (name, taken_at) VALUES (:'name', now()) ON CONFLICT (name) DO UPDATE SET taken_at = now(), gone_at = NULL" | sql "$name"

# The order of EventStoreDB's own procedure: checkpoints before what they point to, of the index and then of the log.
cd "$EVENTSTORE_FOLDER"
copy() { find . -type f "$@" -exec cp --parents --preserve=timestamps --target-directory="$partial/eventstore" {} +; }
# Files of the index that are merged meanwhile vanish; the server makes it again from the log.
copy -path './index/*' -name '*.chk' || true
copy -path './index/*' ! -name '*.chk' || true
copy ! -path './index/*' -name '*.chk'
copy ! -path './index/*' ! -name '*.chk' ! -name 'kurrent.ddb*'

pg_dump --format=custom --no-owner --file="$partial/postgres.dump" "$DATABASE_URL"
printf 'holds: the event log (eventstore/), Postgres with the data keys (postgres.dump)\nmust be gone by: %s\n' \
  "$(date -u -d '90 days' +%Y-%m-%dT%H:%M:%SZ)" >"$partial/MANIFEST"
mv "$partial" "$BACKUP_FOLDER/$name"
find "$BACKUP_FOLDER" -mindepth 1 -maxdepth 1 -mmin "+$((kept * 1440))" | while read -r old; do
  # An empty folder remains until it is noted, so that the next run goes on where this one ended.
  find "$old" -mindepth 1 -delete
  touch --date=@0 "$old"
  gone "$(basename "${old%.partial}")"
  rm -rf "$old"
done
echo "$BACKUP_FOLDER/$name: $(du -sh "$BACKUP_FOLDER/$name" | cut -f1). The keys (KEY_FILE) are not in it: keep them elsewhere."
