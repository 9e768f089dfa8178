import { expect, test } from 'vitest'
import { parsePostgresHosts } from './postgres-hosts.ts'

const RW = 'target_session_attrs=read-write'

test.each([
  ['postgres://u:p@a:1,b:2/db?target_session_attrs=read-write', ['postgres://u:p@a:1/db', 'postgres://u:p@b:2/db']],
  [
    `postgresql://a,b/db?sslmode=verify-full&${RW}`,
    ['postgresql://a/db?sslmode=verify-full', 'postgresql://b/db?sslmode=verify-full'],
  ],
  [`postgres://a,b/db?${RW}&sslmode=disable`, ['postgres://a/db?sslmode=disable', 'postgres://b/db?sslmode=disable']],
  [
    `postgres://a,b/db?x=1&${RW}&sslmode=disable`,
    ['postgres://a/db?x=1&sslmode=disable', 'postgres://b/db?x=1&sslmode=disable'],
  ],
  [`postgres://u%2C%40@[::1]:5432,[::2]/db?${RW}`, ['postgres://u%2C%40@[::1]:5432/db', 'postgres://u%2C%40@[::2]/db']],
  ['postgres://u,v@c/db?target_session_attrs=primary', ['postgres://u,v@c/db']],
])('%s resolves to the host that accepts writes', (url, urls) => {
  expect(parsePostgresHosts(url)).toEqual({ urls, readWrite: true })
})

test.each(['postgres://u:p@a:1/db', 'postgres:///db?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/db'])(
  '%s stays unchanged and accepts any host',
  (url) => {
    expect(parsePostgresHosts(url)).toEqual({ urls: [url], readWrite: false })
  },
)

test.each([
  ['mysql://u:secret@a/db', /must begin/],
  ['postgres://u:secret@a,b/db', /add target_session_attrs=read-write/],
  ['postgres://u:secret@a,b/db?target_session_attrs=any', /add target_session_attrs=read-write/],
  ['postgres://u:secret@a/db?target_session_attrs=standby', /DATABASE_REPLICA_URL/],
  [`postgres://u:secret@a,,b/db?${RW}`, /empty host/],
  [`postgres://u:secret@a:1,b:x/db?${RW}`, /cannot be parsed/],
])('%s is refused with a reason that does not repeat the address', (url, reason) => {
  expect(() => parsePostgresHosts(url)).toThrow(reason)
  expect(() => parsePostgresHosts(url)).not.toThrow(/secret/)
})
