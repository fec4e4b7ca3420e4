#!/bin/sh
# Puts a back-up into an empty data folder of EventStoreDB and an empty database. Neither EventStoreDB nor the service may run.
# Takes the back-up's folder, and EVENTSTORE_FOLDER and DATABASE_URL.
set -eu
from=${1:?the folder of a back-up, for example /backup/2026-11-25T02-00-00Z}
if [ -n "$(ls -A "$EVENTSTORE_FOLDER")" ]; then
  echo "$EVENTSTORE_FOLDER is not empty: a restore never writes over a log." >&2
  exit 1
fi
if [ "$(psql --no-psqlrc --tuples-only --no-align --command "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'" "$DATABASE_URL")" != 0 ]; then
  echo "The database has tables: a restore never writes over them." >&2
  exit 1
fi
cp -R "$from/eventstore/." "$EVENTSTORE_FOLDER/"
# The server cuts the log where the copied checkpoint says that it was whole.
cp "$EVENTSTORE_FOLDER/chaser.chk" "$EVENTSTORE_FOLDER/truncate.chk"
# The user of EventStoreDB's image.
[ -z "${EVENTSTORE_OWNER:-}" ] || chown -R "$EVENTSTORE_OWNER" "$EVENTSTORE_FOLDER"
pg_restore --exit-on-error --no-owner --dbname="$DATABASE_URL" "$from/postgres.dump"
echo "Restored. Before the service starts: keys reapply-erasures, so that what was erased since stays erased."
