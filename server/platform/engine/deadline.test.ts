import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, expect, test, vi } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import { type OpenDb, QueryTimeoutError } from './db.ts'
import {
  getRemainingTimeMs,
  runUntilDeadline,
  withDeadline,
  withoutDeadline,
  withoutDeadlineForRequest,
  yieldToEventLoop,
} from './deadline.ts'
import { runWithoutTenant } from './tenant.ts'

test('the earlier deadline wins, and work for others has none', async () => {
  expect(getRemainingTimeMs(15_000)).toBe(15_000)
  expect(withDeadline(5_000, () => getRemainingTimeMs(15_000))).toBe(5_000)
  expect(withDeadline(5_000, () => getRemainingTimeMs(2_000))).toBe(2_000)
  expect(withDeadline(5_000, () => getRemainingTimeMs(0))).toBe(5_000)
  expect(withDeadline(2_000, () => withDeadline(9_000, () => getRemainingTimeMs(0)))).toBe(2_000)
  expect(withDeadline(2_000, () => withoutDeadline(() => getRemainingTimeMs(0)))).toBe(0)
  expect(withDeadline(2_000, () => runWithoutTenant(() => getRemainingTimeMs(0)))).toBe(0)
  expect(withDeadline(2_000, () => withoutDeadlineForRequest(() => getRemainingTimeMs(0)))).toBe(0)
})

test('work that a request waits for has quick slices, and work in the background pauses', async () => {
  const pauses = vi.spyOn(globalThis, 'setTimeout')
  const countPauses = async (detach: <T>(work: () => T) => T) => {
    pauses.mockClear()
    await runUntilDeadline(10_000, () =>
      detach(async () => {
        for (let slice = 0; slice < 10; slice += 1) await yieldToEventLoop()
      }),
    )
    // One timer is that of the deadline.
    return pauses.mock.calls.length - 1
  }
  try {
    expect(await countPauses(withoutDeadlineForRequest)).toBe(0)
    expect(await countPauses(withoutDeadline)).toBeGreaterThanOrEqual(10)
  } finally {
    pauses.mockRestore()
  }
})

test('R49: computing stops at the deadline of its query', async () => {
  let rounds = 0
  const compute = async () => {
    for (;;) {
      rounds += 1
      await yieldToEventLoop()
    }
  }
  await expect(runUntilDeadline(50, compute)).rejects.toBeInstanceOf(QueryTimeoutError)
  const counted = rounds
  await sleep(30)
  expect(rounds - counted).toBeLessThanOrEqual(1)

  // A millisecond timer may fire early, but the computation must still end together with the response.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const early = expect(runUntilDeadline(60_000, compute)).rejects.toBeInstanceOf(QueryTimeoutError)
    vi.advanceTimersByTime(60_000)
    await early
  } finally {
    vi.useRealTimers()
  }
  const countedEarly = rounds
  await sleep(30)
  expect(rounds - countedEarly).toBeLessThanOrEqual(1)
})

test('long computations yield between slices while another query runs, and all finish', async () => {
  // The first 24 slices of each computation run without a pause.
  const [QUICK, SLICES] = [24, 36]
  const compute = async () => {
    for (let slice = 0; slice < SLICES; slice += 1) {
      const until = performance.now() + (slice < QUICK ? 0 : 5)
      isLong ||= slice >= QUICK
      while (performance.now() < until);
      await yieldToEventLoop()
    }
  }
  // Simulates a short request that needs many turns of the event loop, and counts the turns it gets meanwhile.
  let turns = 0
  let isOver = false
  let isLong = false
  const plain = runUntilDeadline(10_000, async () => {
    while (!isOver) {
      await nextTick()
      if (isLong) turns += 1
    }
  })
  await Promise.all([runUntilDeadline(10_000, compute), runUntilDeadline(10_000, compute)])
  isOver = true
  await plain
  // If computations yielded without pausing, the request would get one turn per slice; a pause of 5 ms allows hundreds.
  expect(turns).toBeGreaterThan(2 * (SLICES - QUICK) * 5)
})

test('waiting without a deadline still fails when the outer time is over', async () => {
  const endless = new Promise<never>(() => undefined)
  await expect(runUntilDeadline(20, () => withoutDeadline(() => endless))).rejects.toBeInstanceOf(QueryTimeoutError)
})

onEachEngine('the deadline of a query', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })

  test('R49: is shared by several statements; one without time left is not sent', async () => {
    const statements = withDeadline(30, async () => {
      await db.query(sql`select 1`)
      await sleep(40)
      await db.query(sql`select 1`)
    })
    await expect(statements).rejects.toBeInstanceOf(QueryTimeoutError)
    const inside = withDeadline(30, () =>
      db.transaction(async (tx) => {
        await sleep(40)
        await tx.query(sql`select 1`)
      }),
    )
    await expect(inside).rejects.toBeInstanceOf(QueryTimeoutError)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})
