import type { RefinementCtx } from 'zod'
import { parsePostgresHosts } from '#server/platform/engine/postgres/postgres-hosts.ts'
import { SettingsError } from './settings-error.ts'

type DatabaseEnv = {
  readonly [name in 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL']?: string | undefined
}

export const splitCommaSeparatedList = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Validates a database URL with one or several hosts, as in libpq. Error messages never repeat a URL, which may contain
 * a password.
 */
export function validateDatabaseHosts(url: string | undefined, context: RefinementCtx): void {
  if (url === undefined) return
  try {
    parsePostgresHosts(url)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
}

export function parseDirectDatabaseUrl({ DATABASE_DIRECT_URL, DATABASE_URL }: DatabaseEnv): string | undefined {
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined)
    throw new SettingsError('DATABASE_DIRECT_URL: needs DATABASE_URL, the address through the pooler')
  return DATABASE_DIRECT_URL
}

export function parseReplicaUrls({ DATABASE_REPLICA_URL, DATABASE_URL }: DatabaseEnv): string[] {
  const urls = splitCommaSeparatedList(DATABASE_REPLICA_URL)
  if (urls.length > 0 && DATABASE_URL === undefined)
    throw new SettingsError('DATABASE_REPLICA_URL: needs DATABASE_URL, the address of the primary')
  if (!urls.every((url) => /^postgres(ql)?:\/\//.test(url)))
    throw new SettingsError('DATABASE_REPLICA_URL: each address must begin with postgres://')
  return urls
}
