import { expect, test } from 'vitest'
import { MONEY_BINS } from '#contract/report/report.ts'
import { axisOf, barsOf, moneyStops, placeOf, rangeOfBar, rangeOfPlaces } from './money-scale.ts'

const stops = moneyStops(50_000_000)

test('stops end at the ceiling of the organisation', () => {
  expect(stops[0]).toBe(0)
  expect(stops.at(-1)).toBe(50_000_000)
  expect(stops.at(-2)).toBe(32_000_000)
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
  const place = placeOf(1_341_640, stops)
  expect(place).toBeGreaterThan(placeOf(1_000_000, stops))
  expect(place).toBeLessThan(placeOf(1_800_000, stops))
  expect(placeOf(9e12, stops)).toBe(stops.length - 1)
})

test('thumbs at both ends are no filter, one at its end leaves that side open', () => {
  expect(rangeOfPlaces([0, stops.length - 1], stops)).toBeUndefined()
  expect(rangeOfPlaces([5, stops.length - 1], stops)).toEqual({ min: 1_000_000, max: null })
  expect(rangeOfPlaces([0, 5], stops)).toEqual({ min: null, max: 1_000_000 })
})

test('a bar stands for what it counts: its upper bound and not its lower one; those at the ends are open', () => {
  expect(rangeOfBar(0, stops)).toEqual({ min: null, max: 100_000 })
  expect(rangeOfBar(5, stops)).toEqual({ min: 1_000_000.01, max: 1_800_000 })
  expect(rangeOfBar(stops.length - 2, stops)).toEqual({ min: 32_000_000.01, max: null })
})

test('the axis names the decades that the slider reaches, each at its own stop', () => {
  expect(axisOf(stops).map(({ text }) => text)).toEqual(['1 แสน', '1 ล้าน', '10 ล้าน'])
  expect(
    axisOf(moneyStops(10_000_000_000))
      .map(({ text }) => text)
      .at(-1),
  ).toBe('พันล้าน')
  expect(axisOf(stops)[1]!.at).toBeCloseTo((placeOf(1_000_000, stops) / (stops.length - 1)) * 100)
})
