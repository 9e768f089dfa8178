import type { Db } from '#server/platform/engine/db.ts'
import { recordLineAccountFailure, recordLineAccountStatus } from './line-account-queries.ts'
import { LineApiError } from './line-api.ts'
import type { LineDependencies } from './line-dependencies.ts'

export async function refreshLineAccountStatus(
  db: Db,
  { api }: Pick<LineDependencies, 'api'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  try {
    await recordLineAccountStatus(db, await api.channel(signal), now)
  } catch (error) {
    if (!(error instanceof LineApiError)) throw error
    await recordLineAccountFailure(db, error.message, now)
  }
}
