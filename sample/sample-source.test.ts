import { expect, test } from 'vitest'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { dayNumberToIsoDate, isoDateToDayNumber } from './day-numbers.ts'
import { getFeedRecordAsOf, hasProjectHistoryStepOnDay, type SimulatedProjectHistory } from './project-history.ts'
import { createSampleCatalogue, generateSimulatedProjectHistories } from './sample-projects.ts'
import { createSampleDaySource, createSampleSource } from './sample-source.ts'

async function recordsOf(source: FeedSource, after = 0): Promise<FeedRecord[]> {
  const records: FeedRecord[] = []
  for await (const item of source.records(after)) if ('record' in item) records.push(item.record)
  return records
}

test('the same seed and day give byte-identical records', async () => {
  const options = { seed: 7, today: '2026-05-20', days: 60 }
  const once = JSON.stringify(await recordsOf(createSampleSource(options)))
  expect(JSON.stringify(await recordsOf(createSampleSource(options)))).toBe(once)
  expect(JSON.stringify(await recordsOf(createSampleSource({ ...options, seed: 8 })))).not.toBe(once)
})

test('an interrupted read resumes after its last line', async () => {
  const options = { seed: 7, today: '2026-05-20', days: 30 }
  const all = await recordsOf(createSampleSource(options))
  expect(all.length).toBeGreaterThan(300)
  expect(await recordsOf(createSampleSource(options), 200)).toEqual(all.slice(200))
})

test.each(['2026-02-10', '2026-09-29', '2029-12-30'])(
  'two daily loads over %s equal a full load of the second day',
  async (start) => {
    const first = isoDateToDayNumber(start)
    // Records are compared as strings, because deep comparison of thousands of records takes minutes.
    const byId = (records: FeedRecord[]) => records.map((record) => [record.projectId, JSON.stringify(record)] as const)
    const loaded = new Map(byId(await recordsOf(createSampleSource({ seed: 3, today: start, days: 100 }))))
    for (const later of [1, 2]) {
      const day = await recordsOf(
        createSampleDaySource({ seed: 3, day: dayNumberToIsoDate(first + later), days: 100 + later }),
      )
      for (const [id, record] of byId(day)) loaded.set(id, record)
    }
    const fullLoad = byId(
      await recordsOf(createSampleSource({ seed: 3, today: dayNumberToIsoDate(first + 2), days: 102 })),
    )
    expect(loaded.size).toBe(fullLoad.length)
    expect(fullLoad.filter(([id, record]) => loaded.get(id) !== record)).toEqual([])
  },
)

test('a day yields exactly the projects that differ from the day before', () => {
  const start = isoDateToDayNumber('2025-11-03')
  const histories = [...generateSimulatedProjectHistories(createSampleCatalogue(5), start, start + 60)]
  for (const day of [start + 3, start + 39, start + 60, start + 150]) {
    const isDifferent = (history: SimulatedProjectHistory) =>
      JSON.stringify(getFeedRecordAsOf(history, day)) !== JSON.stringify(getFeedRecordAsOf(history, day - 1))
    const changedHistories = histories.filter((history) => hasProjectHistoryStepOnDay(history, day))
    expect(changedHistories.length).toBeGreaterThan(10)
    expect(changedHistories.map((history) => history.projectId)).toEqual(
      histories.filter(isDifferent).map((history) => history.projectId),
    )
  }
})

test('a working day has new projects, moved dates, corrected sums, winners and deliveries', async () => {
  const day = '2026-03-12'
  const before = new Map(
    (await recordsOf(createSampleSource({ seed: 1, today: '2026-03-11', days: 200 }))).map((record) => [
      record.projectId,
      record,
    ]),
  )
  const now = await recordsOf(createSampleDaySource({ seed: 1, day, days: 201 }))
  const old = (record: FeedRecord) => before.get(record.projectId)
  const differing = (field: keyof FeedRecord) =>
    now.filter(
      (record) => old(record) !== undefined && JSON.stringify(old(record)![field]) !== JSON.stringify(record[field]),
    )
  expect(now.filter((record) => old(record) === undefined).length).toBeGreaterThan(20)
  expect(differing('winnerName').length).toBeGreaterThan(10)
  expect(differing('contracts').length).toBeGreaterThan(10)
  expect(differing('attachments').length).toBeGreaterThan(20)
  expect(differing('estimateSatang').length).toBeGreaterThan(0)
  expect(differing('submissionEndsOn').length).toBeGreaterThan(0)
})

test('rejects an invalid day', () => {
  expect(() => createSampleSource({ seed: 1, today: '21/11/2569' })).toThrow(RangeError)
})
