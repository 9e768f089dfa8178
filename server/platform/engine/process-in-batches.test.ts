import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPageReader, mapInTimeSlices, prefetchSlices, processInBatches } from './process-in-batches.ts'

function counted(count: number, fails?: { step: 'read' | 'prepare' | 'write'; at: number }) {
  const log: string[] = []
  const step = (name: 'read' | 'prepare' | 'write', ms: number) => async (n: number) => {
    log.push(`${name} ${n}`)
    await sleep(ms)
    log.push(`${name} ${n} done`)
    if (fails?.step === name && fails.at === n) throw new Error(`${name} ${n}`)
    return n
  }
  const read = step('read', 5)
  const write = step('write', 20)
  return {
    log,
    steps: {
      read: async (before: number | undefined) => {
        const next = before === undefined ? 0 : before + 1
        return next < count ? await read(next) : undefined
      },
      prepare: step('prepare', 10),
      write: async (n: number) => void (await write(n)),
    },
  }
}

test('reads the next batch and writes the previous one while preparing one, in order', async () => {
  const { log, steps } = counted(4)
  await processInBatches(steps)
  const position = (line: string) => log.indexOf(line)
  expect(log.filter((line) => /^write \d$/.test(line))).toEqual(['write 0', 'write 1', 'write 2', 'write 3'])
  expect(position('read 1')).toBeLessThan(position('prepare 0 done'))
  expect(position('prepare 1')).toBeLessThan(position('write 0 done'))
  for (const n of [1, 2, 3]) expect(position(`write ${n - 1} done`)).toBeLessThan(position(`write ${n}`))
  expect(log.at(-1)).toBe('write 3 done')
})

test('runs one step at a time at a slow pace', async () => {
  const { log, steps } = counted(3)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return await turn
  }
  await processInBatches(steps, { isSlow: () => true, run: inTurn })
  expect(log).toHaveLength(18)
  for (let at = 0; at < log.length; at += 2) expect(log[at + 1]).toBe(`${log[at]} done`)
  expect(log.filter((line) => /^write \d$/.test(line))).toEqual(['write 0', 'write 1', 'write 2'])
})

test('does nothing without rows', async () => {
  const { log, steps } = counted(0)
  await processInBatches(steps)
  expect(log).toEqual([])
})

test.each(['read', 'prepare', 'write'] as const)(
  'throws a failed %s only after all started steps ended',
  async (step) => {
    const { log, steps } = counted(5, { step, at: 2 })
    await expect(processInBatches(steps)).rejects.toThrow(`${step} 2`)
    const begun = log.filter((line) => !line.endsWith('done'))
    expect(begun.every((line) => log.includes(`${line} done`))).toBe(true)
    const atTheEnd = [...log]
    await sleep(60)
    expect(log).toEqual(atTheEnd)
    expect(log).not.toContain('write 4')
  },
)

test('reads each batch after the last row of the previous one, until one is not full', async () => {
  const cursors: (number | undefined)[] = []
  const next = createPageReader(2, async (last: number | undefined) => {
    cursors.push(last)
    return [1, 2, 3, 4, 5].filter((n) => n > (last ?? 0)).slice(0, 2)
  })
  const seen: (readonly number[])[] = []
  for (let rows = await next(undefined); rows; rows = await next(rows)) seen.push(rows)
  expect(seen).toEqual([[1, 2], [3, 4], [5]])
  expect(cursors).toEqual([undefined, 2, 4])
  expect(await createPageReader(2, async () => [])(undefined)).toBeUndefined()
})

test.each([
  { what: 'many quick rows', rows: 1_000, ms: 0 },
  { what: 'few slow rows', rows: 10, ms: 4 },
])('mapping $what yields to other work and keeps the order', async ({ rows, ms }) => {
  let turns = 0
  let isOver = false
  const countTurn = () => {
    turns += 1
    if (!isOver) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const made = await mapInTimeSlices(numbers, (n) => {
    for (const begun = performance.now(); performance.now() < begun + ms; );
    return n * 2
  })
  isOver = true
  expect(turns).toBeGreaterThan(5)
  expect(made).toEqual(numbers.map((n) => n * 2))
})

test('reads one slice ahead of the consumer, and none after it stopped', async () => {
  const begun: number[] = []
  const read = async (slice: number) => {
    begun.push(slice)
    await sleep(1)
    return slice * 10
  }
  const seen: (readonly [rows: number, begun: number])[] = []
  for await (const rows of prefetchSlices([1, 2, 3], read)) seen.push([rows, begun.length])
  expect(seen).toEqual([
    [10, 2],
    [20, 3],
    [30, 3],
  ])
  begun.length = 0
  for await (const _ of prefetchSlices([1, 2, 3, 4], read)) break
  expect(begun).toEqual([1, 2])
  expect(await prefetchSlices([], read).next()).toEqual({ done: true, value: undefined })
})

test('a failed read fails its consumer in turn, without an unhandled rejection', async () => {
  const read = async (slice: number) => {
    if (slice === 2) throw new Error('the database went away')
    return slice
  }
  const rows = prefetchSlices([1, 2, 3], read)
  expect(await rows.next()).toEqual({ done: false, value: 1 })
  await sleep(5)
  await expect(rows.next()).rejects.toThrow('the database went away')
})
