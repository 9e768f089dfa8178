import { isIP } from 'node:net'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { parsePostgresHosts } from '#server/platform/engine/postgres/postgres-hosts.ts'
import type { Settings } from './settings.ts'

/**
 * Returns the hosts of database URLs whose connection is unencrypted, or encrypted without verifying the server.
 * Excludes this machine, sockets, private networks and names without dots (container networks). node-postgres checks
 * the certificate for every `sslmode` except `disable` and `no-verify`; with `uselibpqcompat` only for `verify-ca` and
 * `verify-full`.
 */
export function findInsecureDatabaseHosts(urls: readonly string[]): string[] {
  const insecureHosts = urls
    .flatMap((url) => parsePostgresHosts(url).urls)
    .filter((url) => !isLocalNetwork(hostOf(url)) && !isVerified(url))
    .map(hostOf)
  return [...new Set(insecureHosts)]
}

export function warnAboutInsecureDatabaseHosts(
  { databaseUrl, databaseDirectUrl, replicaUrls }: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'replicaUrls'>,
  terminal: Pick<CommandLineOutput, 'log'>,
): void {
  const urls = [databaseUrl, databaseDirectUrl, ...replicaUrls]
  const hosts = findInsecureDatabaseHosts(urls.filter((url) => url !== undefined))
  if (hosts.length === 0) return
  terminal.log(
    `The connection to the database ${hosts.join(', ')} is not encrypted, or the identity of the server is not verified: add sslmode=verify-full to its address (docs/operations.md).`,
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '')

const PRIVATE_V4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./
const PRIVATE_V6 = /^(?:::1$|f[cd]|fe80:)/i

function isLocalNetwork(host: string): boolean {
  if (isIP(host) === 4) return PRIVATE_V4.test(host)
  if (isIP(host) === 6) return PRIVATE_V6.test(host)
  return !host.includes('.') || host.startsWith('/') || host.startsWith('%2F')
}

function isVerified(url: string): boolean {
  const { searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === null) return ['true', '1'].includes(searchParams.get('ssl') ?? '')
  if (searchParams.get('uselibpqcompat') === 'true') return mode === 'verify-full' || mode === 'verify-ca'
  return mode !== 'disable' && mode !== 'no-verify'
}
