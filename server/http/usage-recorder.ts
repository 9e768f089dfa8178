import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { recordUsageEvents, type UsageEvent } from '#server/platform/route/usage-events.ts'

/** Searches of one user within this time are merged, because typing one search sends many queries. */
const SETTLE_MS = 5_000
/** A repetition within this time comes from an open tab that refetches, not from a user, so it is not counted. */
const REPEAT_MS = 10 * 60_000
const MAX_REMEMBERED = 10_000

type UsageRecorder = {
  note(event: UsageEvent): void
  flush(): Promise<void>
}

/**
 * Buffers usage log lines of reads and writes them every few seconds, so that a read needs no extra database write; if
 * the process is killed, the last seconds are lost. Changes are logged immediately with the change itself.
 */
export function createUsageRecorder(db: Db, onFailure: (error: unknown) => void): UsageRecorder {
  let waiting: UsageEvent[] = []
  const searches = new Map<number, UsageEvent>()
  const lastReads = new Map<string, { readonly content: string; readonly at: number }>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const events = [...waiting, ...searches.values()].toSorted((a, b) => a.at.getTime() - b.at.getTime())
    waiting = []
    searches.clear()
    // Without a tenant: the events belong to several organisations, and any request may have started the timer.
    await runWithoutTenant(() => recordUsageEvents(db, events)).catch(onFailure)
  }

  return {
    flush,
    note(event) {
      const { userId, type, at } = event
      const key = `${userId} ${type}`
      const content = JSON.stringify([event.description, event.info])
      const before = lastReads.get(key)
      if (before?.content === content && at.getTime() - before.at < REPEAT_MS) return
      if (lastReads.size >= MAX_REMEMBERED) lastReads.clear()
      lastReads.set(key, { content, at: at.getTime() })
      if (type === 'search') searches.set(userId, event)
      else waiting.push(event)
      timer ??= setTimeout(() => void flush(), SETTLE_MS).unref()
    },
  }
}

export function registerUsageRecorderForReads(api: RouteApp, context: RouteContext): void {
  const recorder = createUsageRecorder(context.db, (error) => api.log.warn({ err: error }, 'usage events not stored'))
  api.addHook('onResponse', async (request, reply) => {
    const { usage } = request.routeOptions.config
    if (!usage || request.method !== 'GET' || reply.statusCode !== 200) return
    const entry = usage(request)
    const actor = entry && (await context.actorOf(request).catch(() => undefined))
    if (entry && actor && !actor.isDemo && !actor.scopes)
      recorder.note({ organisationId: actor.organisationId, userId: actor.userId, at: context.now(), ...entry })
  })
  api.addHook('onClose', () => recorder.flush())
}
