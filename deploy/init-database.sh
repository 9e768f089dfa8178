#!/bin/sh
# Runs once, when the database's folder is empty: the user of the application is no superuser, and the role that requests are sent as (decision 0025)
# is there before the first migration looks for it.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role tamngan_tenant nologin;
create role tamngan login nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
grant tamngan_tenant to tamngan;
create database tamngan owner tamngan;
revoke connect on database tamngan from public;
SQL
