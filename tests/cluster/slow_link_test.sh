#!/usr/bin/env bash
# A node on a slow link, whose parcels take long to come in once they are announced (which MPI does with those beyond its
# eager limit), does not hold up others.  slow_link_test.sh SLOW_LINK
set -uo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
exec timeout -k 5 120 "$here/cluster.sh" run -n 3 -c 1 --slow=2:1mbit -- "$1" --parcel_bytes=262144
