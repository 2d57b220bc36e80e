#!/bin/sh
# Copies the primary once, then follows it. Kept as it is when it has a copy.
set -eu
export PGDATA=/var/lib/postgresql/standby
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Under another name until it is whole: a copy that was cut off is begun anew.
  rm -rf "$PGDATA" "$PGDATA.part"
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --pgdata "$PGDATA.part" --slot standby --wal-method stream \
    --write-recovery-conf --checkpoint fast \
    --dbname "host=postgres user=drydock_standby application_name=standby"
  chmod 700 "$PGDATA.part"
  mv "$PGDATA.part" "$PGDATA"
fi
exec postgres -c hot_standby=on -c synchronous_standby_names=
