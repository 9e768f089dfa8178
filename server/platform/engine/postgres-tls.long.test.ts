import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createServerFolder, type RestartablePostgres, startPostgresIn } from '../../../test/server/postgres-server.ts'
import { openPostgres } from './postgres.ts'

/** Tests `sslmode` of the URL against a server with a `localhost` certificate of a private CA. */
describe.skipIf(inject('postgres') === undefined)('PostgreSQL over TLS', () => {
  const folder = createServerFolder()
  const authority = path.join(folder, 'tls', 'authority.pem')
  const otherAuthority = path.join(folder, 'tls', 'other.pem')
  let server: RestartablePostgres
  let port: string

  beforeAll(async () => {
    mkdirSync(path.join(folder, 'tls'))
    certificates(path.join(folder, 'tls'))
    server = (await startPostgresIn(folder, ['fsync=off']))!
    const folderStat = statSync(path.join(folder, 'data'))
    for (const name of ['server.pem', 'server.key']) {
      chownSync(path.join(folder, 'tls', name), folderStat.uid, folderStat.gid)
      chmodSync(path.join(folder, 'tls', name), 0o600)
    }
    chmodSync(path.join(folder, 'tls'), 0o755)
    await query(server.url, `alter system set ssl_cert_file = '${path.join(folder, 'tls/server.pem')}'`)
    await query(server.url, `alter system set ssl_key_file = '${path.join(folder, 'tls/server.key')}'`)
    await query(server.url, 'alter system set ssl = on')
    await server.stop('fast')
    await server.start()
    port = new URL(server.url).port
  })
  afterAll(async () => {
    await server?.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })

  const address = (host: string, query: string) => `postgres://postgres@${host}:${port}/postgres?${query}`
  const ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'

  test('verify-full connects encrypted with the right authority and host name', async () => {
    const url = address('localhost', `sslmode=verify-full&sslrootcert=${authority}`)
    expect(await query(url, ENCRYPTED)).toEqual([{ ssl: true }])
  })

  test.each([
    ['another authority', () => address('localhost', `sslmode=verify-full&sslrootcert=${otherAuthority}`)],
    ['no authority that the system knows', () => address('localhost', 'sslmode=verify-full')],
    [
      'another name than the certificate has',
      () => address('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`),
    ],
  ])('refuses to connect: %s', async (_what, url) => {
    await expect(query(url(), 'select 1')).rejects.toThrow()
  })

  test('connects unencrypted without sslmode', async () => {
    expect(await query(address('localhost', ''), ENCRYPTED)).toEqual([{ ssl: false }])
  })
})

async function query(url: string, text: string): Promise<unknown[]> {
  const engine = await openPostgres(url, { connectTimeoutMs: 10_000 })
  try {
    const { session, release } = await engine.lease(10_000)
    const { rows } = await session.run({ text, values: [] }, 10_000)
    release()
    return rows
  } finally {
    await engine.close()
  }
}

/** Creates a CA with a certificate for `localhost`, and another CA that signed nothing. */
function certificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const rsa = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  for (const name of ['authority', 'other'])
    openssl('req', '-x509', ...rsa, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`)
  openssl(
    'req',
    ...rsa.slice(0, 3),
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
  )
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'authority.pem',
    '-CAkey',
    'authority.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-copy_extensions',
    'copy',
    '-out',
    'server.pem',
  )
}
