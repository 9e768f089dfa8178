import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/thai/thai-date.ts'
import { computeAnnouncementSeason } from './compute-announcement-season.ts'

const TODAY = '2026-11-23'
const inMonth = (month: number, years: readonly number[]) =>
  years.map((year) => `${year}-${String(month).padStart(2, '0')}-10`)

test('reports a usual time for five or more purchases, never for four', () => {
  const days = inMonth(2, [2021, 2022, 2023, 2024, 2025])
  expect(computeAnnouncementSeason(days.slice(1), TODAY)).toEqual({ n: 4, years: 4, usual: null })
  expect(computeAnnouncementSeason(days, TODAY)).toEqual({
    n: 5,
    years: 5,
    usual: { month: 1, hits: 5, certainty: 'medium', next_from: '2027-01-01', next_to: '2027-03-31' },
  })
})

test('more years raise the certainty; a single year is marked as such', () => {
  const eight = [...inMonth(2, [2021, 2022, 2023, 2024]), ...inMonth(3, [2021, 2022, 2023, 2024])]
  expect(computeAnnouncementSeason(eight, TODAY).usual).toMatchObject({ hits: 8, certainty: 'high' })
  const ofOneYear = inMonth(2, [2025, 2025, 2025, 2025, 2025, 2025])
  expect(computeAnnouncementSeason(ofOneYear, TODAY)).toMatchObject({ years: 1, usual: { certainty: 'one_year' } })
})

test('reports nothing that chance often produces', () => {
  // Three of five purchases within three months prove nothing: five random days often contain such a window.
  const spread = ['2021-01-05', '2022-02-05', '2023-03-05', '2024-07-05', '2025-10-05']
  expect(computeAnnouncementSeason(spread, TODAY)).toEqual({ n: 5, years: 5, usual: null })
})

test('a window may span the end of the year; the current window counts as the next', () => {
  const winter = [...inMonth(12, [2021, 2022, 2023]), ...inMonth(1, [2022, 2023, 2024]), ...inMonth(11, [2023, 2024])]
  expect(computeAnnouncementSeason(winter, '2026-11-23').usual).toMatchObject({
    month: 11,
    next_from: '2026-11-01',
    next_to: '2027-01-31',
  })
  expect(computeAnnouncementSeason(winter, '2027-01-31').usual).toMatchObject({ next_from: '2026-11-01' })
  expect(computeAnnouncementSeason(winter, '2027-02-01').usual).toMatchObject({
    next_from: '2027-11-01',
    next_to: '2028-01-31',
  })
})

test('rarely finds a rhythm in random days', () => {
  let rhythmCount = 0
  const days = fc.array(fc.integer({ min: 0, max: 3_650 }), { minLength: 5, maxLength: 30 })
  fc.assert(
    fc.property(days, (offsets) => {
      const { n, usual } = computeAnnouncementSeason(
        offsets.map((offset) => addDays('2016-01-01', offset)),
        TODAY,
      )
      if (usual) rhythmCount += 1
      return n === offsets.length && (usual === null || (usual.hits <= n && usual.next_to >= TODAY))
    }),
    { numRuns: 1_000, seed: 9 },
  )
  expect(rhythmCount).toBeLessThan(100)
})
