#!/bin/sh
# Replaces the running processes by those of the image that was built last, without a 503: projections first, whose rows the others read,
# then twice as many of the api until the new ones are ready, then the old ones drain, then the jobs. Takes API_SCALE (default 3).
set -eu
cd "$(dirname "$0")/.."
scale=${API_SCALE:-3}

wait_for() {
  for id in $(docker compose ps --quiet "$1"); do
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$id")" = healthy ]; do sleep 2; done
  done
}

docker compose build api
docker compose up --detach --no-deps projections
wait_for projections
old=$(docker compose ps --quiet api)
docker compose up --detach --no-deps --no-recreate --scale "api=$((2 * scale))" api
wait_for api
for id in $old; do
  docker stop "$id" >/dev/null
  docker rm "$id" >/dev/null
done
docker compose up --detach --no-deps jobs
wait_for jobs
docker compose up --detach --no-deps --no-recreate --scale "api=$scale" api proxy
echo "Upgraded: $scale processes of the api, and one of each other role."
