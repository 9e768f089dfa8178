import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createFairRequestScheduler,
  type FairRequestSchedulerOptions,
  type QueuedRouteCostClass,
} from './fair-turn-scheduler.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const waits = (ms: number) => ({ page: ms, costly: ms, file: ms })
const OPTIONS = { atOnce: 4, maxEach: 4, minEach: 1, waitingEach: 100, waitMs: waits(2_000) }
const WORK_MS = 10

function world(options: Partial<FairRequestSchedulerOptions> = {}) {
  const turns = createFairRequestScheduler({ ...OPTIONS, ...options })
  const started: string[] = []
  let running = 0
  let maxRunning = 0
  async function work(
    organisation: string,
    ms = WORK_MS,
    { signal, cost = 'page' }: { signal?: AbortSignal; cost?: QueuedRouteCostClass } = {},
  ): Promise<void> {
    const giveBack = await turns.take(organisation, { signal, cost })
    started.push(organisation)
    running += 1
    maxRunning = Math.max(maxRunning, running)
    try {
      await new Promise((resolve) => setTimeout(resolve, ms))
    } finally {
      running -= 1
      giveBack()
    }
  }
  return { turns, started, work, most: () => maxRunning }
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

describe('turns among organisations (R42)', () => {
  test('caps concurrent work, and lets a single active organisation use all of it', async () => {
    const { work, most: maxRunning, started } = world()
    const all = Promise.all(times(20, () => work('flood')))
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toHaveLength(4)
    await vi.runAllTimersAsync()
    await all
    expect([started.length, maxRunning()]).toEqual([20, 4])
  })

  test('while throttled serves a long queue one by one and a short queue in full, then recovers', async () => {
    let isThrottled = true
    const { work, started } = world({ isThrottled: () => isThrottled })
    const submit = (count: number) => times(count, (i) => work(`organisation ${i % 6}`))
    const short = submit(20)
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toHaveLength(4)
    await vi.runAllTimersAsync()
    await Promise.all(short)
    const long = submit(40)
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toHaveLength(24)
    await vi.advanceTimersByTimeAsync(WORK_MS)
    expect(started).toHaveLength(25)
    await vi.advanceTimersByTimeAsync(WORK_MS)
    expect(started).toHaveLength(26)
    isThrottled = false
    await vi.advanceTimersByTimeAsync(WORK_MS)
    expect(started).toHaveLength(30)
    await vi.runAllTimersAsync()
    await Promise.all(long)
  })

  test('reserves a turn for a second organisation, which starts at once', async () => {
    const { work, started } = world({ maxEach: 3 })
    const flood = times(8, () => work('flood', 60_000))
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual(['flood', 'flood', 'flood'])
    const otherWork = work('other')
    expect(started).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(0)
    expect(started.at(-1)).toBe('other')
    const refusals = Promise.allSettled(flood)
    await vi.runAllTimersAsync()
    await Promise.all([otherWork, refusals])
  })

  test('starts a request of another organisation within one turn, however long the queue', async () => {
    const { work, started } = world()
    const flood = times(80, () => work('flood'))
    await vi.advanceTimersByTimeAsync(25)
    const before = started.length
    const otherWork = work('other')
    await vi.advanceTimersByTimeAsync(WORK_MS)
    expect(started.slice(before)).toContain('other')
    await vi.runAllTimersAsync()
    await Promise.all([...flood, otherWork])
  })

  test('keeps the share of a recently active organisation free', async () => {
    const { work, started, turns } = world()
    const flood = times(16, () => work('flood', 100))
    await vi.advanceTimersByTimeAsync(150)
    const first = work('other')
    await vi.advanceTimersByTimeAsync(300)
    await first
    expect(turns.counts().running).toBe(2)
    const before = started.length
    const otherWork = [work('other'), work('other')]
    await vi.advanceTimersByTimeAsync(0)
    expect(started.slice(before)).toEqual(['other', 'other'])
    await vi.runAllTimersAsync()
    await Promise.all([...flood, ...otherWork])
  })

  test('guarantees a minimum number of turns, however many organisations are active', async () => {
    const { work, started } = world({ minEach: 2 })
    const otherWork = Promise.all(times(8, () => '').map((_, i) => work(`organisation ${i}`)))
    await vi.advanceTimersByTimeAsync(500)
    await otherWork
    const flood = times(4, () => work('one'))
    await vi.advanceTimersByTimeAsync(0)
    expect(started.filter((name) => name === 'one')).toHaveLength(2)
    await vi.runAllTimersAsync()
    await Promise.all(flood)
  })

  test('throttles an organisation without credit while others are active, but not when it is alone', async () => {
    const { work, started, turns } = world({ waitMs: waits(600_000), waitingEach: 1_000 })
    const countIn = async (name: string, ms: number) => {
      const before = started.length
      await vi.advanceTimersByTimeAsync(ms)
      return started.slice(before).filter((started) => started === name).length
    }
    const flood = times(400, () => work('flood', 100))
    // The organisation is alone and runs 4 turns of 100 ms at once, each costing 25 ms, so 30 rounds finish in 3 s and
    // the next four turns have started.
    expect(await countIn('flood', 3_000)).toBe(124)
    const timer = setInterval(() => void work('other', 10), 100)
    await vi.advanceTimersByTimeAsync(1_000)
    // The organisation gets a quarter of the time, which is one second in four, in turns of 100 ms of which two may run
    // at once.
    const rested = await countIn('flood', 4_000)
    expect(rested).toBeGreaterThanOrEqual(17)
    expect(rested).toBeLessThanOrEqual(21)
    expect(await countIn('other', 4_000)).toBe(40)
    clearInterval(timer)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(turns.counts().running).toBe(4)
    await vi.runAllTimersAsync()
    await Promise.all(flood)
  })

  test('throttles no organisation that stays within its share, even under full load', async () => {
    const { work, started, turns } = world({ minEach: 2 })
    const names = times(8, () => '').map((_, i) => `organisation ${i}`)
    // Eight organisations continuously demand four turns. Each gets an eighth of the time, which is less than the
    // quarter that it earns back.
    const use = names.map((name) => setInterval(() => void work(name, 100), 200))
    await vi.advanceTimersByTimeAsync(60_000)
    for (const timer of use) clearInterval(timer)
    await vi.runAllTimersAsync()
    for (const name of names)
      expect(started.filter((organisation) => organisation === name).length).toBeGreaterThanOrEqual(299)
    expect(turns.counts().refused).toEqual({ full: 0, late: 0 })
  })

  test('delays the next request after one long response by at most 1.5 seconds', async () => {
    const { work, started, turns } = world()
    const timer = setInterval(() => void work('other'), 200)
    const long = work('long', 20_000)
    await vi.advanceTimersByTimeAsync(20_000)
    const next = work('long')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(started.filter((name) => name === 'long')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(600)
    expect(started.filter((name) => name === 'long')).toHaveLength(2)
    clearInterval(timer)
    await vi.runAllTimersAsync()
    await Promise.all([long, next])
    expect(turns.counts().refused).toEqual({ full: 0, late: 0 })
  })

  test('serves every organisation once per round, so none starves', async () => {
    const { work, started } = world({ waitMs: waits(60_000) })
    const names = times(9, () => '').map((_, i) => `organisation ${i}`)
    const all = names.flatMap((name, i) => times(i === 0 ? 60 : 5, () => work(name)))
    await vi.runAllTimersAsync()
    await Promise.all(all)
    const lastOfOthers = Math.max(...names.slice(1).map((name) => started.lastIndexOf(name)))
    expect(lastOfOthers).toBeLessThan(4 + 5 * 9)
    expect(started).toHaveLength(60 + 8 * 5)
  })

  test('refuses at once with 429 when the queue of an organisation is full, but not other organisations', async () => {
    const { work, turns } = world({ waitingEach: 2 })
    const flood = times(6, () => work('flood'))
    await expect(work('flood')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 2 })
    const otherWork = work('other')
    await vi.runAllTimersAsync()
    await Promise.all([...flood, otherWork])
    expect(turns.counts().refused).toEqual({ full: 1, late: 0 })
  })

  test('refuses with 503 after the maximum wait and gives the place to the next request', async () => {
    const { work, turns, started } = world({ atOnce: 1 })
    const slow = work('slow', 3_000)
    const late = expect(work('late')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
    await vi.advanceTimersByTimeAsync(1_500)
    const next = work('next')
    await vi.runAllTimersAsync()
    await Promise.all([slow, late, next])
    expect(started).toEqual(['slow', 'next'])
    expect(turns.counts()).toMatchObject({ running: 0, waiting: 0, refused: { full: 0, late: 1 } })
  })

  test('a request aborted while waiting takes no turn', async () => {
    const { work, turns, started } = world({ atOnce: 1 })
    const gone = new AbortController()
    const first = work('one')
    const left = expect(work('two', WORK_MS, { signal: gone.signal })).rejects.toThrow('gone')
    const third = work('three')
    gone.abort(new Error('gone'))
    await expect(work('four', WORK_MS, { signal: gone.signal })).rejects.toThrow('gone')
    await vi.runAllTimersAsync()
    await Promise.all([first, left, third])
    expect(started).toEqual(['one', 'three'])
    expect(turns.counts()).toMatchObject({ running: 0, waiting: 0 })
  })

  test('releasing a turn twice counts once', async () => {
    const { turns } = world({ atOnce: 1 })
    const giveBack = await turns.take('one')
    giveBack()
    giveBack()
    await turns.take('two')
    expect(turns.counts().running).toBe(1)
  })

  test('serves pages before figures and figures before files, across organisations', async () => {
    const { turns, started, work } = world({ atOnce: 1 })
    const first = work('busy')
    const line = [
      work('a', WORK_MS, { cost: 'file' }),
      work('b', WORK_MS, { cost: 'costly' }),
      work('c', WORK_MS, { cost: 'page' }),
      work('b', WORK_MS, { cost: 'page' }),
    ]
    await vi.runAllTimersAsync()
    await Promise.all([first, ...line])
    expect(started).toEqual(['busy', 'b', 'c', 'b', 'a'])
    expect(turns.counts().refused).toEqual({ full: 0, late: 0 })
  })

  test('under pressure refuses files first, then figures, and pages last', async () => {
    const { work } = world({ atOnce: 1, waitMs: { page: 8_000, costly: 4_000, file: 2_000 } })
    const ended: string[] = []
    const slow = work('busy', 10_000)
    const line = (['page', 'costly', 'file'] as const).map((cost) =>
      work('other', WORK_MS, { cost }).catch(() => ended.push(cost)),
    )
    await vi.advanceTimersByTimeAsync(3_000)
    expect(ended).toEqual(['file'])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(ended).toEqual(['file', 'costly'])
    await vi.runAllTimersAsync()
    await Promise.all([slow, ...line])
    expect(ended).toEqual(['file', 'costly', 'page'])
  })

  test('limits files to half of the turns, and to one per organisation', async () => {
    const { turns, started, work } = world({ minEach: 2, waitMs: waits(60_000) })
    const files = ['a', 'a', 'b', 'c'].map((name) => work(name, 1_000, { cost: 'file' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual(['a', 'b'])
    const pages = times(2, () => work('a', 100))
    await vi.advanceTimersByTimeAsync(50)
    expect(turns.counts().running).toBeGreaterThanOrEqual(3)
    await vi.runAllTimersAsync()
    await Promise.all([...files, ...pages])
    expect(started.toSorted((a, b) => a.localeCompare(b))).toEqual(['a', 'a', 'a', 'a', 'b', 'c'])
  })

  test('continuing a response waits without a limit', async () => {
    const { turns, work } = world({ atOnce: 1 })
    const slow = work('busy', 30_000)
    const piece = turns.take('other', { cost: 'file', isExemptFromWaitLimits: true })
    await vi.runAllTimersAsync()
    await slow
    ;(await piece)()
    expect(turns.counts()).toMatchObject({ running: 0, waiting: 0, refused: { full: 0, late: 0 } })
  })

  test('a cooldown that ends while its request joins the queue is served at once', async () => {
    const { turns, work } = world()
    const longWork = work('tired', 2_100)
    await vi.advanceTimersByTimeAsync(2_100)
    await longWork
    ;(await turns.take('active'))()
    // 2,100 ms exceed the credit by 100 ms, which are earned back in 400.
    await vi.advanceTimersByTimeAsync(399)
    const clock = performance.now()
    let readings = 0
    const slowClock = vi.spyOn(performance, 'now').mockImplementation(() => {
      readings += 1
      return clock + readings * 0.6
    })
    const taken = turns.take('tired').then((release) => release())
    slowClock.mockRestore()
    expect(readings).toBeGreaterThan(1)
    await vi.advanceTimersByTimeAsync(50)
    expect(turns.counts()).toMatchObject({ running: 0, waiting: 0 })
    await taken
  })
})
