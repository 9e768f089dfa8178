#!/bin/sh
# Patroni runs it once, on the first primary, with its address: the user of the application is no superuser, and the role that requests are sent as (decision 0025)
# is there before the first migration looks for it. pg_monitor: the server may count the standbys.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_DATABASE_PASSWORD" "$1" <<'SQL'
create role tamngan_tenant nologin;
create role tamngan login nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
grant tamngan_tenant, pg_monitor to tamngan;
create database tamngan owner tamngan;
revoke connect on database tamngan from public;
SQL
