import { expect, test } from 'vitest'
import { openDatabaseHosts, tellOpenDatabases } from './database-encryption.ts'

test.each([
  ['postgres://u:p@db.example.com/t', ['db.example.com']],
  ['postgres://u:p@db.example.com/t?sslmode=disable', ['db.example.com']],
  ['postgres://u:p@db.example.com/t?sslmode=no-verify', ['db.example.com']],
  ['postgres://u:p@203.0.113.4/t', ['203.0.113.4']],
  ['postgres://u:p@[2001:db8::4]:5432/t', ['2001:db8::4']],
  // Encrypted, but to whoever answers.
  ['postgres://u:p@db.example.com/t?uselibpqcompat=true&sslmode=require', ['db.example.com']],
  ['postgres://u:p@db.example.com/t?sslmode=verify-full&sslrootcert=/etc/ca.pem', []],
  ['postgres://u:p@db.example.com/t?sslmode=require', []],
  ['postgres://u:p@db.example.com/t?ssl=true', []],
  ['postgres://u:p@db.example.com/t?uselibpqcompat=true&sslmode=verify-full', []],
  ['postgres://u:p@127.0.0.1:5432/t', []],
  ['postgres://u:p@10.1.2.3/t', []],
  ['postgres://u:p@172.20.0.5/t', []],
  ['postgres://u:p@[::1]/t', []],
  ['postgres://u:p@[fd00::5]/t', []],
  ['postgres://u:p@database/t', []],
  ['postgres:///t?host=/var/run/postgresql', []],
])('%s is open to %j', (url, hosts) => {
  expect(openDatabaseHosts([url])).toEqual(hosts)
})

test('each host is named once', () => {
  const url = 'postgres://u:p@db.example.com/t'
  expect(openDatabaseHosts([url, url, 'postgres://u:p@replica.example.com/t'])).toEqual([
    'db.example.com',
    'replica.example.com',
  ])
})

test('the start says it, with the way out and without the password; of a near or checked database nothing', () => {
  const told: string[] = []
  const log = (line: string) => void told.push(line)
  tellOpenDatabases({ databaseUrl: 'postgres://u:p4ss@db.example.com/t', replicaUrls: [] }, { log })
  tellOpenDatabases({ databaseUrl: 'postgres://u:p4ss@db/t', replicaUrls: ['postgres://u:p4ss@10.0.0.4/t'] }, { log })
  tellOpenDatabases({ databaseUrl: undefined, replicaUrls: [] }, { log })
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/db\.example\.com.*sslmode=verify-full/)
  expect(told[0]).not.toContain('p4ss')
})
