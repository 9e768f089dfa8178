import pg from 'pg'
import { CONNECTION_PROBE_TIMEOUT_MS, type IdleSessionFinder } from '#server/platform/engine/connection-watch.ts'
import { DbUnavailableError } from '#server/platform/engine/db.ts'
import { findPrimary } from './find-primary.ts'
import { parsePostgresHosts } from './postgres-hosts.ts'

/**
 * SQL that returns which of these sessions are active; all others are idle or gone. A state that is hidden from us or
 * not tracked proves nothing, so such sessions count as active.
 */
const ACTIVE_BACKENDS = `
  select pid from pg_stat_activity
  where pid = any($1::int[]) and coalesce(state, 'disabled') not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`

/**
 * Uses a separate connection, since the open ones may all be silently broken. If a pooler has no free connection, the
 * query waits in its queue: the pooler accepted the connection, so the host is not silent.
 */
export function createIdleSessionFinder(url: string): IdleSessionFinder {
  const { urls, readWrite } = parsePostgresHosts(url)
  return async (pids) => {
    const client = new pg.Client({
      connectionString: readWrite && urls.length > 1 ? await findPrimary(urls, CONNECTION_PROBE_TIMEOUT_MS) : urls[0],
      connectionTimeoutMillis: CONNECTION_PROBE_TIMEOUT_MS,
      application_name: 'tamngan watch',
    })
    client.on('error', () => undefined)
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => timeout.reject(new DbUnavailableError('no answer in time')),
      CONNECTION_PROBE_TIMEOUT_MS,
    )
    try {
      const lookup = client.connect().then(() => client.query<{ pid: number }>(ACTIVE_BACKENDS, [pids]))
      lookup.catch(() => undefined)
      const active = new Set((await Promise.race([lookup, timeout.promise])).rows.map(({ pid }) => pid))
      return new Set(pids.filter((pid) => !active.has(pid)))
    } catch (error) {
      throw isSilence(error) ? new DbUnavailableError('the host does not respond', { cause: error }) : error
    } finally {
      clearTimeout(timer)
      // Do not await `end`, because on a dead connection it never resolves.
      client.end().catch(() => undefined)
    }
  }
}

/**
 * True if the host did not respond at all. A refusal, by the database or its machine, proves that the host is up; such
 * a host would also have reset the old connections.
 */
function isSilence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (
    error instanceof DbUnavailableError || code === undefined || /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)
  )
}
