#!/bin/sh
# Run once, when the database is made: the owner of the tables, the role of the program, which must
# not own them, and the role of the standby.
set -eu
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-drydock}" \
  -v owner="$OWNER_PASSWORD" -v app="$APP_PASSWORD" -v replication="$REPLICATION_PASSWORD" <<'SQL'
set password_encryption = 'scram-sha-256';
create role drydock_owner login password :'owner';
-- To see whether the standby follows, for the metrics.
grant pg_read_all_stats to drydock_owner;
create role drydock_app login password :'app';
create role drydock_standby login replication password :'replication';
select format('alter database %I owner to drydock_owner', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to drydock_app', current_database()) \gexec
select pg_create_physical_replication_slot('standby');
-- From the next start on a change is answered when the standby has it too, so that nothing
-- acknowledged is lost with the primary's disk. While the standby is away, changes wait.
alter system set synchronous_standby_names = 'standby';
SQL
# The image trusts every role on the socket, which other containers share.
sed -i '/^local/d' "$PGDATA/pg_hba.conf"
cat >> "$PGDATA/pg_hba.conf" <<'HBA'
local all postgres peer
local all all scram-sha-256
HBA
echo "host replication drydock_standby samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
