import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTING_NAMES } from '#server/start/settings.ts'
import { haproxyConfig, patroniConfig, pgbouncerConfig } from './configs.ts'
import { DATABASES, databaseSettings, NODES, PATRONI, PGBOUNCER, portsFrom, SERVER_SETTINGS, SERVERS } from './plan.ts'

const root = path.join(import.meta.dirname, '../..')
type Service = {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly configs?: readonly { readonly source: string }[]
}
const compose = parse(readFileSync(path.join(root, 'deploy/compose.cluster.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
}
const service = (name: string) => compose.services[name]!
const contentOf = (name: string) => compose.configs[name]!.content
const environmentOf = (name: string) => service(name).environment!
const ports = portsFrom(4720)

/** Lines without what differs between a machine and containers: addresses, names that are looked up, ports, files. */
const bare = (text: string) =>
  text
    .split('\n')
    .map((line) =>
      line
        .split(/([ ,=@/]+)/)
        .map((word) => (/:\d+$/.test(word) ? ':' : word))
        .join('')
        .replace(/ resolvers docker init-addr none/, '')
        .replace(/port \d+/, 'port')
        .trim(),
    )
    .filter((line) => line !== '' && !/^(resolvers|nameserver) /.test(line))

test('has the nodes of the cluster that runs without containers, and no other', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual([...NODES].toSorted())
})

test('every config that is named is there, and every one that is there is used', () => {
  const used = Object.values(compose.services).flatMap(({ configs = [] }) => configs.map(({ source }) => source))
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.configs).toSorted())
})

test('Patroni is told the same', () => {
  const own = JSON.parse(patroniConfig('pg1', ports, '/x', '/y'))
  const theirs = parse(contentOf('patroni'))
  expect(theirs.bootstrap.dcs).toEqual(PATRONI)
  expect(own.bootstrap.dcs).toEqual(PATRONI)
  expect(theirs.bootstrap.initdb).toEqual(own.bootstrap.initdb)
  for (const name of DATABASES) {
    const told = environmentOf(name)
    expect([told.PATRONI_NAME, told.PATRONI_SCOPE]).toEqual([name, own.scope])
    expect(told.PATRONI_POSTGRESQL_CONNECT_ADDRESS).toBe(`${name}:5432`)
  }
  // Nobody comes over the network without a password.
  expect(
    theirs.postgresql.pg_hba.filter((line: string) => !line.startsWith('local') && !line.endsWith('scram-sha-256')),
  ).toEqual([])
})

test('HAProxy looks at the same servers in the same way', () => {
  expect(bare(contentOf('haproxy'))).toEqual(bare(haproxyConfig(ports)))
})

test('PgBouncer is told the same', () => {
  const theirs = contentOf('pgbouncer')
  for (const [name, value] of Object.entries(PGBOUNCER)) {
    expect(theirs.split('\n')).toContain(`${name} = ${value}`)
    expect(pgbouncerConfig(ports, '/x').split('\n')).toContain(`${name} = ${value}`)
  }
})

test('servers and worker have the same three addresses, and settings that exist', () => {
  const addresses = databaseSettings(
    'tamngan:${APP_DATABASE_PASSWORD}',
    { host: 'pgbouncer', port: 6432 },
    DATABASES.map((host) => ({ host, port: 5432 })),
  )
  for (const name of [...SERVERS, 'worker']) {
    expect(environmentOf(name)).toMatchObject(addresses)
    for (const setting of Object.keys(environmentOf(name))) expect(SETTING_NAMES).toContain(setting)
  }
  for (const name of SERVERS) expect(environmentOf(name)).toMatchObject(SERVER_SETTINGS)
  expect(service('worker').command).toEqual(['node', 'server/main.ts', 'work'])
})
