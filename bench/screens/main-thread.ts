import type { Browser, Page } from 'playwright'

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Start of the event in µs of elapsed time. */
  readonly ts: number
  readonly dur?: number
  /** CPU time of the thread during the event, in µs. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

type MainThread = {
  /** CPU time of each drawn frame, ms: all tasks from its start to the start of the next. */
  readonly frames: readonly number[]
  readonly total: number
  /** Self time by trace event name, ms, excluding nested events. */
  readonly kinds: ReadonlyMap<string, number>
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink']
/** Name of the trace event that occurs exactly once per main-thread frame. */
const FRAME = 'PageAnimator::serviceScriptedAnimations'

/**
 * Returns what the page's main thread computed while `work` ran, from Chromium's trace. CPU time: other load hardly
 * affects it, but CPU throttling does.
 */
export async function traceMainThread(browser: Browser, page: Page, work: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  return summarizeMainThread(traceEvents)
}

function summarizeMainThread(events: readonly TraceEvent[]): MainThread {
  const threadEvents = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const threads = threadEvents.map(({ pid, tid }) =>
    events
      .filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X')
      .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0)),
  )
  const thread = threads.toSorted((a, b) => b.length - a.length)[0]
  if (!thread) throw new Error('the trace has no main thread of a page')
  const begins = events
    .filter(({ name, pid, tid }) => name === FRAME && pid === thread[0]?.pid && tid === thread[0].tid)
    .map(({ ts }) => ts)
  const frames = begins.map(() => 0)
  const kinds = new Map<string, number>()
  let total = 0
  const open: { readonly end: number; readonly name: string }[] = []
  const add = (name: string, ms: number) => kinds.set(name, (kinds.get(name) ?? 0) + ms)
  let at = -1
  for (const { name, ts, dur = 0, tdur = 0 } of thread) {
    while (open.length > 0 && ts >= open.at(-1)!.end) open.pop()
    while (at + 1 < begins.length && begins[at + 1]! <= ts + dur) at += 1
    const ms = tdur / 1000
    const around = open.at(-1)
    if (around) add(around.name, -ms)
    else {
      total += ms
      if (at >= 0) frames[at]! += ms
    }
    add(name, ms)
    open.push({ end: ts + dur, name })
  }
  return { frames, total, kinds }
}
