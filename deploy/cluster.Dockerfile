# What stands around the application in compose.cluster.yaml, from Debian's packages: PostgreSQL 15 under Patroni, etcd, HAProxy, PgBouncer.
FROM debian:12-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends etcd-server haproxy patroni pgbouncer postgresql-15 python3-etcd \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15 \
  && mkdir -p /data && chown postgres:postgres /data
COPY deploy/init-cluster.sh /usr/local/bin/init-cluster.sh
USER postgres
