import { expect, test } from 'vitest'
import { findInsecureDatabaseHosts, warnAboutInsecureDatabaseHosts } from './database-encryption.ts'

test.each([
  ['postgres://db.example/t', ['db.example']],
  ['postgres://db.example/t?sslmode=disable', ['db.example']],
  ['postgres://db.example/t?sslmode=no-verify', ['db.example']],
  ['postgres://203.0.113.4/t', ['203.0.113.4']],
  ['postgres://[2001:db8::4]:5432/t', ['2001:db8::4']],
  // With this setting the connection is encrypted, but the server is not verified.
  ['postgres://db.example/t?uselibpqcompat=true&sslmode=require', ['db.example']],
  ['postgres://db.example/t?sslmode=verify-full&sslrootcert=/etc/ca.pem', []],
  ['postgres://db.example/t?sslmode=require', []],
  ['postgres://db.example/t?ssl=true', []],
  ['postgres://db.example/t?uselibpqcompat=true&sslmode=verify-full', []],
  ['postgres://127.0.0.1:5432/t', []],
  ['postgres://10.1.2.3/t', []],
  ['postgres://172.20.0.5/t', []],
  ['postgres://[::1]/t', []],
  ['postgres://[fd00::5]/t', []],
  ['postgres://database/t', []],
  ['postgres:///t?host=/var/run/postgresql', []],
])('%s has the unencrypted hosts %j', (url, hosts) => {
  expect(findInsecureDatabaseHosts([url])).toEqual(hosts)
})

test('lists each host once', () => {
  const url = 'postgres://db.example/t'
  expect(findInsecureDatabaseHosts([url, url, 'postgres://replica.example/t'])).toEqual([
    'db.example',
    'replica.example',
  ])
})

test('warns at start with the remedy, but not for a local or verified database', () => {
  const logLines: string[] = []
  const log = (line: string) => void logLines.push(line)
  warnAboutInsecureDatabaseHosts(
    { databaseUrl: 'postgres://db.example/t', databaseDirectUrl: undefined, replicaUrls: [] },
    { log },
  )
  warnAboutInsecureDatabaseHosts(
    { databaseUrl: 'postgres://db/t', databaseDirectUrl: undefined, replicaUrls: ['postgres://10.0.0.4/t'] },
    { log },
  )
  warnAboutInsecureDatabaseHosts({ databaseUrl: undefined, databaseDirectUrl: undefined, replicaUrls: [] }, { log })
  expect(logLines).toHaveLength(1)
  expect(logLines[0]).toMatch(/db\.example is not encrypted/)
  expect(logLines[0]).toContain('sslmode=verify-full')
})
