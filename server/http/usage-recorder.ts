import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { recordUsage, type UsageEvent } from '#server/platform/route/usage-events.ts'

/** Searches of one user within this time are one: somebody who types asks many times for what they mean once. */
const SETTLE_MS = 5_000
/** The same thing again within this time is an open tab that asks anew, not a person. */
const REPEAT_MS = 10 * 60_000
const MOST_REMEMBERED = 10_000

type UsageRecorder = {
  note(event: UsageEvent): void
  /** Writes what is waiting; resolves when it is stored. */
  flush(): Promise<void>
}

/**
 * Lines of the usage log for what people read. They wait some seconds and are written together, so that reading costs the database nothing; a
 * process that is killed loses those seconds. What people change is written with the change itself and waits for nothing.
 */
export function createUsageRecorder(db: Db, onFailure: (error: unknown) => void): UsageRecorder {
  let waiting: UsageEvent[] = []
  const searches = new Map<number, UsageEvent>()
  const last = new Map<string, { readonly content: string; readonly at: number }>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const events = [...waiting, ...searches.values()].toSorted((one, other) => one.at.getTime() - other.at.getTime())
    waiting = []
    searches.clear()
    // Of several organisations, and in whichever request's time the timer was set.
    await asOwner(() => recordUsage(db, events)).catch(onFailure)
  }

  return {
    flush,
    note(event) {
      const { userId, type, at } = event
      const key = `${userId} ${type}`
      const content = JSON.stringify([event.description, event.info])
      const before = last.get(key)
      if (before?.content === content && at.getTime() - before.at < REPEAT_MS) return
      if (last.size >= MOST_REMEMBERED) last.clear()
      last.set(key, { content, at: at.getTime() })
      if (type === 'search') searches.set(userId, event)
      else waiting.push(event)
      timer ??= setTimeout(() => void flush(), SETTLE_MS).unref()
    },
  }
}

/** Notes what routes of this scope say of their answers (`config.usage`); the rest is written when the server closes. */
export function recordReading(api: RouteApp, context: RouteContext): void {
  const recorder = createUsageRecorder(context.db, (error) => api.log.warn({ err: error }, 'usage log'))
  api.addHook('onResponse', async (request, reply) => {
    const { usage } = request.routeOptions.config
    if (!usage || request.method !== 'GET' || reply.statusCode !== 200) return
    const entry = usage(request)
    const actor = entry && (await context.actorOf(request).catch(() => undefined))
    // What programs fetch is no line of a person's.
    if (entry && actor && !actor.isDemo && !actor.scopes)
      recorder.note({ organisationId: actor.organisationId, userId: actor.userId, at: context.now(), ...entry })
  })
  api.addHook('onClose', () => recorder.flush())
}
