import type { Db } from '#server/platform/engine/db.ts'
import { LineError } from './line-api.ts'
import { recordChannelFailure, recordLineChannel } from './line-channel-queries.ts'
import type { LineParts } from './line-parts.ts'

export async function refreshLineChannel(
  db: Db,
  { api }: Pick<LineParts, 'api'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  try {
    await recordLineChannel(db, await api.channel(signal), now)
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    await recordChannelFailure(db, error.message, now)
  }
}
