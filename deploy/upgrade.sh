#!/bin/sh
# Replaces the running processes by those of the image that was built last, without a 503: projections first, whose rows the others read,
# then new processes of the api beside the old ones until they are ready, then the old ones drain, then the jobs. Takes API_SCALE (default 3).
set -eu
cd "$(dirname "$0")/.."
scale=${API_SCALE:-3}

wait_for() {
  tries=0
  for id in $(docker compose ps --quiet "$1"); do
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$id")" = healthy ]; do
      tries=$((tries + 1))
      if [ "$tries" -gt 300 ]; then
        echo "$1 is not ready after ten minutes: see docker compose logs $1. The processes of before serve on." >&2
        exit 1
      fi
      sleep 2
    done
  done
}

docker compose build api
docker compose up --detach --no-deps projections
wait_for projections
old=$(docker compose ps --quiet api)
# Those of an upgrade that was broken off are among the old ones.
docker compose up --detach --no-deps --no-recreate --scale "api=$(($(echo "$old" | wc -w) + scale))" api
wait_for api
for id in $old; do
  docker stop "$id" >/dev/null
  docker rm "$id" >/dev/null
done
docker compose up --detach --no-deps jobs
wait_for jobs
docker compose up --detach --no-deps --no-recreate --scale "api=$scale" api proxy
echo "Upgraded: $scale processes of the api, and one of each other role."
