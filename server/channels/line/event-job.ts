import { defineJob, JobFailedError } from '#server/platform/queue/job.ts'
import { handleLineEvent } from './handle-line-event.ts'
import { LineApiError } from './line-api.ts'
import type { LineDependencies } from './line-dependencies.ts'
import type { LineEvent } from './line-event.ts'
import { discardLineEventContent, findLineEvent, LINE_EVENT_JOB_TYPE, pruneLineEvents } from './line-event-queries.ts'

/**
 * Handles LINE events, one after another per person or group. Changes are committed before the reply, so a retry after
 * the death of a worker recognises them. LINE accepts one reply per event, so no event is answered twice.
 */
export const lineEventJob = defineJob<{ event: string }, { readonly line?: LineDependencies | undefined }>({
  ...LINE_EVENT_JOB_TYPE,
  concurrency: 4,
  // Reply tokens expire after a minute, so later attempts cannot reply; the requested change is applied regardless.
  maxAttempts: 4,
  backoff: { firstMs: 2_000, maxMs: 30_000 },
  diesQuietly: true,
  async run({ db, parts, now, signal, finish }, { event: id }) {
    if (!parts.line) return undefined
    const sealed = await findLineEvent(db, id)
    const text = sealed === undefined ? undefined : parts.line.identity.open(sealed)
    const event = text === undefined ? undefined : (JSON.parse(text) as LineEvent)
    let answered = false
    if (event) {
      try {
        const messages = await handleLineEvent({ db, parts: parts.line, now: now(), signal }, event)
        answered = await reply(parts.line, event, messages, signal)
      } catch (error) {
        if (error instanceof LineApiError) throw new JobFailedError(error.message)
        throw error
      }
    }
    return await db.transaction(async (tx) => {
      await finish(tx)
      await discardLineEventContent(tx, id, now())
      return { type: event?.type ?? 'unreadable', answered }
    })
  },
  died: async (tx, { event }, at) => await discardLineEventContent(tx, event, at),
  prune: pruneLineEvents,
})

/** Returns whether LINE accepted the reply. LINE refuses late or repeated replies; the change remains in effect. */
async function reply(
  { api }: LineDependencies,
  { replyToken }: LineEvent,
  messages: Awaited<ReturnType<typeof handleLineEvent>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!messages || replyToken === undefined) return false
  try {
    await api.reply(replyToken, messages, signal)
    return true
  } catch (error) {
    if (error instanceof LineApiError && error.failure === 'refused') return false
    throw error
  }
}
