import pg from 'pg'
import { DbUnavailable } from '#server/platform/engine/db.ts'
import { ANSWER_WITHIN_MS, type AskIdle } from '#server/platform/engine/postgres-watch.ts'
import { findPrimary } from './find-primary.ts'
import { readHosts } from './hosts.ts'

/** Others than these three do nothing, or are not there; a state that is hidden from us or not kept says nothing. */
const AT_WORK = `
  select pid from pg_stat_activity
  where pid = any($1::int[]) and coalesce(state, 'disabled') not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`

/**
 * Asks over a connection of its own: the open ones may all be broken without a word. Through a pooler that has no connection to spare, the question waits like all others:
 * whoever let us in is there, so that this is no silence.
 */
export function askIdleAt(url: string): AskIdle {
  const { urls, readWrite } = readHosts(url)
  return async (pids) => {
    const client = new pg.Client({
      connectionString: readWrite && urls.length > 1 ? await findPrimary(urls, ANSWER_WITHIN_MS) : urls[0],
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      application_name: 'tamngan watch',
    })
    client.on('error', () => undefined)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new DbUnavailable('no answer in time')), ANSWER_WITHIN_MS)
    try {
      const asked = client.connect().then(() => client.query<{ pid: number }>(AT_WORK, [pids]))
      // When it is too late, nobody waits for how it ends.
      asked.catch(() => undefined)
      const atWork = new Set((await Promise.race([asked, late.promise])).rows.map(({ pid }) => pid))
      return new Set(pids.filter((pid) => !atWork.has(pid)))
    } catch (error) {
      throw isSilence(error) ? new DbUnavailable('nobody answers', { cause: error }) : error
    } finally {
      clearTimeout(timer)
      // Not awaited: a connection over which nothing comes back does not end either.
      client.end().catch(() => undefined)
    }
  }
}

/** A refusal, by the database or by its machine, comes from somebody who would have broken the old connections too. */
function isSilence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return error instanceof DbUnavailable || code === undefined || /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)
}
