import pg from 'pg'
import { DbUnavailable, toDbError } from '#server/platform/engine/db.ts'

/** Whether the session it is asked in refuses writes: a replica, or a server that was told to take none. */
export const IS_READ_ONLY = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool`

/**
 * The address of these whose server takes writes. All are asked at once, so that one whose machine is gone (nobody refuses, nobody answers) does not cost the time in
 * which the others would have answered. Rejects with `DbUnavailable`: none of them takes writes, and what each of them said.
 */
export async function findPrimary(urls: readonly string[], withinMs: number): Promise<string> {
  try {
    return await Promise.any(
      urls.map(async (url) => {
        await assertTakesWrites(url, withinMs)
        return url
      }),
    )
  } catch (error) {
    const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message)
    throw new DbUnavailable(`none of ${urls.length} servers takes writes now: ${reasons.join('; ')}`)
  }
}

async function assertTakesWrites(url: string, withinMs: number): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: 'tamngan search',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: boolean }>(`select ${IS_READ_ONLY} as read_only`)
    if (rows[0]!.read_only) throw new DbUnavailable('one is read-only')
  } catch (error) {
    throw error instanceof DbUnavailable ? error : toDbError(error as Error)
  } finally {
    // Not awaited: a connection over which nothing comes back does not end either.
    client.end().catch(() => undefined)
  }
}
