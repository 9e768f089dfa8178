import type { Browser, Page } from 'playwright'

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Begin, µs by the clock. */
  readonly ts: number
  readonly dur?: number
  /** Processor time of the thread, µs. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export type MainThread = {
  /** Processor time of each frame that was drawn, ms: all tasks from its begin to the begin of the next. */
  readonly frames: readonly number[]
  /** Of everything, ms, whether a frame came of it or not. */
  readonly total: number
  /** Self time by the trace's event names, ms: nested events are not counted. */
  readonly kinds: ReadonlyMap<string, number>
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink']
/** Stands once in each frame of the main thread. */
const FRAME = 'PageAnimator::serviceScriptedAnimations'

/** What the page's main thread computed while `work` ran, out of Chromium's own trace. Processor time: what others do on the machine hardly changes it; a slowed down processor counts as slow. */
export async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  return mainThreadOf(traceEvents)
}

/** Throws where the trace has no thread of a page. */
export function mainThreadOf(events: readonly TraceEvent[]): MainThread {
  const places = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const threads = places.map(({ pid, tid }) =>
    events
      .filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X')
      .toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0)),
  )
  const thread = threads.toSorted((one, other) => other.length - one.length)[0]
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
