import { expect, test } from 'vitest'
import { MONEY_BINS } from '#contract/report/report.ts'
import { barsOf, moneyStops, placeOf, rangeOfPlaces } from './money-filter.tsx'

const stops = moneyStops(50_000_000)

test('stops end at the ceiling of the organisation', () => {
  expect(stops[0]).toBe(0)
  expect(stops.at(-1)).toBe(50_000_000)
  expect(stops.at(-2)).toBe(20_000_000)
})

test('the default ceiling has one bar for each bin', () => {
  expect(moneyStops(10_000_000_000)).toHaveLength(MONEY_BINS.length + 2)
})

test('no project is lost from the bars when bins lie past the ceiling', () => {
  const bins = [...MONEY_BINS.map(() => 1), 5]
  const bars = barsOf(bins, stops)
  expect(bars).toHaveLength(stops.length - 1)
  expect(bars.reduce((sum, bar) => sum + bar, 0)).toBe(MONEY_BINS.length + 5)
})

test('a stop stands on its own place and amounts between stops lie between them', () => {
  stops.forEach((stop, index) => {
    expect(placeOf(stop, stops)).toBeCloseTo(index)
  })
  const place = placeOf(1_414_213, stops)
  expect(place).toBeGreaterThan(placeOf(1_000_000, stops))
  expect(place).toBeLessThan(placeOf(2_000_000, stops))
  expect(placeOf(9e12, stops)).toBe(stops.length - 1)
})

test('thumbs at both ends are no filter, one at its end leaves that side open', () => {
  expect(rangeOfPlaces([0, stops.length - 1], stops)).toBeUndefined()
  expect(rangeOfPlaces([4, stops.length - 1], stops)).toEqual({ min: 1_000_000, max: null })
  expect(rangeOfPlaces([0, 4], stops)).toEqual({ min: null, max: 1_000_000 })
})
