import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTING_NAMES } from '#server/start/settings.ts'
import { buildHaproxyConfig, buildPatroniConfig, buildPgbouncerConfig } from './configs.ts'
import {
  assignPorts,
  DATABASE_NODES,
  databaseSettings,
  NODES,
  PATRONI,
  PGBOUNCER,
  SERVER_NODES,
  SERVER_SETTINGS,
} from './plan.ts'

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
const ports = assignPorts(4720)

/** Drops lines that differ between local processes and containers: addresses, host names, ports and paths. */
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

test('has exactly the nodes of the cluster without containers', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual([...NODES].toSorted())
})

test('defines every config it names and uses every config it defines', () => {
  const used = Object.values(compose.services).flatMap(({ configs = [] }) => configs.map(({ source }) => source))
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.configs).toSorted())
})

test('Patroni has the same configuration', () => {
  const local = JSON.parse(buildPatroniConfig('pg1', ports, '/x', '/y'))
  const container = parse(contentOf('patroni'))
  expect(container.bootstrap.dcs).toEqual(PATRONI)
  expect(local.bootstrap.dcs).toEqual(PATRONI)
  expect(container.bootstrap.initdb).toEqual(local.bootstrap.initdb)
  for (const name of DATABASE_NODES) {
    const environment = environmentOf(name)
    expect([environment.PATRONI_NAME, environment.PATRONI_SCOPE]).toEqual([name, local.scope])
    expect(environment.PATRONI_POSTGRESQL_CONNECT_ADDRESS).toBe(`${name}:5432`)
  }
  // All connections over the network require a password.
  expect(
    container.postgresql.pg_hba.filter((line: string) => !line.startsWith('local') && !line.endsWith('scram-sha-256')),
  ).toEqual([])
})

test('HAProxy checks the same servers in the same way', () => {
  expect(bare(contentOf('haproxy'))).toEqual(bare(buildHaproxyConfig(ports)))
})

test('PgBouncer has the same configuration', () => {
  const container = contentOf('pgbouncer')
  for (const [name, value] of Object.entries(PGBOUNCER)) {
    expect(container.split('\n')).toContain(`${name} = ${value}`)
    expect(buildPgbouncerConfig(ports, '/x').split('\n')).toContain(`${name} = ${value}`)
  }
})

test('servers and worker have the same three addresses and only known settings', () => {
  const addresses = databaseSettings(
    'tamngan:${APP_DATABASE_PASSWORD}',
    { host: 'pgbouncer', port: 6432 },
    DATABASE_NODES.map((host) => ({ host, port: 5432 })),
  )
  for (const name of [...SERVER_NODES, 'worker']) {
    expect(environmentOf(name)).toMatchObject(addresses)
    for (const setting of Object.keys(environmentOf(name))) expect(SETTING_NAMES).toContain(setting)
  }
  for (const name of SERVER_NODES) expect(environmentOf(name)).toMatchObject(SERVER_SETTINGS)
  expect(service('worker').command).toEqual(['node', 'server/main.ts', 'work'])
})
