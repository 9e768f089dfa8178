import pg from 'pg'
import { DbUnavailableError, toDbError } from '#server/platform/engine/db.ts'

/** SQL that is true if the session refuses writes: a replica, or a server configured as read-only. */
export const IS_READ_ONLY_SQL = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool`

/**
 * Returns the URL whose server accepts writes. Probes all at once, so that an unreachable machine does not delay the
 * others. Rejects with `DbUnavailableError` and the reason of each host when none accepts writes.
 */
export async function findPrimary(urls: readonly string[], timeoutMs: number): Promise<string> {
  try {
    return await Promise.any(
      urls.map(async (url) => {
        await assertAcceptsWrites(url, timeoutMs)
        return url
      }),
    )
  } catch (error) {
    const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message)
    throw new DbUnavailableError(`none of ${urls.length} servers accepts writes now: ${reasons.join('; ')}`)
  }
}

async function assertAcceptsWrites(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'tamngan search',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: boolean }>(`select ${IS_READ_ONLY_SQL} as read_only`)
    if (rows[0]!.read_only) throw new DbUnavailableError('the server is read-only')
  } catch (error) {
    throw error instanceof DbUnavailableError ? error : toDbError(error as Error)
  } finally {
    // Do not await `end`, because on a dead connection it never resolves.
    client.end().catch(() => undefined)
  }
}
