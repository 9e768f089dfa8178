import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { behind, inBatches, mapInTurns, readAhead } from './in-batches.ts'

/** Steps over the numbers below `count`, one per batch, logging the start and end of each step. */
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

test('while a batch is prepared, the next is read and the one before written, in order', async () => {
  const { log, steps } = counted(4)
  await inBatches(steps)
  const place = (line: string) => log.indexOf(line)
  expect(log.filter((line) => /^write \d$/.test(line))).toEqual(['write 0', 'write 1', 'write 2', 'write 3'])
  expect(place('read 1')).toBeLessThan(place('prepare 0 done'))
  expect(place('prepare 1')).toBeLessThan(place('write 0 done'))
  for (const n of [1, 2, 3]) expect(place(`write ${n - 1} done`)).toBeLessThan(place(`write ${n}`))
  expect(log.at(-1)).toBe('write 3 done')
})

test('at a slow pace one step is done at a time', async () => {
  const { log, steps } = counted(3)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return await mine
  }
  await inBatches(steps, { isSlow: () => true, run: inTurn })
  expect(log).toHaveLength(18)
  for (let at = 0; at < log.length; at += 2) expect(log[at + 1]).toBe(`${log[at]} done`)
  expect(log.filter((line) => /^write \d$/.test(line))).toEqual(['write 0', 'write 1', 'write 2'])
})

test('nothing to read is nothing to do', async () => {
  const { log, steps } = counted(0)
  await inBatches(steps)
  expect(log).toEqual([])
})

test.each(['read', 'prepare', 'write'] as const)(
  'a failed %s is thrown when all that was begun has ended',
  async (step) => {
    const { log, steps } = counted(5, { step, at: 2 })
    await expect(inBatches(steps)).rejects.toThrow(`${step} 2`)
    const begun = log.filter((line) => !line.endsWith('done'))
    expect(begun.every((line) => log.includes(`${line} done`))).toBe(true)
    const atTheEnd = [...log]
    await sleep(60)
    expect(log).toEqual(atTheEnd)
    expect(log).not.toContain('write 4')
  },
)

test('rows are read behind the last one before, and a batch that is not full is the last', async () => {
  const asked: (number | undefined)[] = []
  const next = behind(2, async (last: number | undefined) => {
    asked.push(last)
    return [1, 2, 3, 4, 5].filter((n) => n > (last ?? 0)).slice(0, 2)
  })
  const seen: (readonly number[])[] = []
  for (let rows = await next(undefined); rows; rows = await next(rows)) seen.push(rows)
  expect(seen).toEqual([[1, 2], [3, 4], [5]])
  expect(asked).toEqual([undefined, 2, 4])
  expect(await behind(2, async () => [])(undefined)).toBeUndefined()
})

test.each([
  { what: 'many quick rows', rows: 1_000, ms: 0 },
  { what: 'few slow rows', rows: 10, ms: 4 },
])('mapping $what gives others their turns and keeps the order', async ({ rows, ms }) => {
  let turns = 0
  let isOver = false
  const look = () => {
    turns += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const made = await mapInTurns(numbers, (n) => {
    for (const begun = performance.now(); performance.now() < begun + ms; );
    return n * 2
  })
  isOver = true
  expect(turns).toBeGreaterThan(5)
  expect(made).toEqual(numbers.map((n) => n * 2))
})

test('the next slice is read while the consumer works on one, and nothing after it stopped', async () => {
  const begun: number[] = []
  const read = async (slice: number) => {
    begun.push(slice)
    await sleep(1)
    return slice * 10
  }
  const seen: (readonly [rows: number, begun: number])[] = []
  for await (const rows of readAhead([1, 2, 3], read)) seen.push([rows, begun.length])
  expect(seen).toEqual([
    [10, 2],
    [20, 3],
    [30, 3],
  ])
  begun.length = 0
  for await (const _ of readAhead([1, 2, 3, 4], read)) break
  expect(begun).toEqual([1, 2])
  expect(await readAhead([], read).next()).toEqual({ done: true, value: undefined })
})

test('a slice that cannot be read fails its consumer once it is its turn, and is no unhandled rejection', async () => {
  const read = async (slice: number) => {
    if (slice === 2) throw new Error('the database went away')
    return slice
  }
  const rows = readAhead([1, 2, 3], read)
  expect(await rows.next()).toEqual({ done: false, value: 1 })
  await sleep(5)
  await expect(rows.next()).rejects.toThrow('the database went away')
})
