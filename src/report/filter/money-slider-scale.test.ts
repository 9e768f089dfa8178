import { expect, test } from 'vitest'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import {
  buildMoneyAxisTicks,
  computeMoneySliderStops,
  getMoneyRangeForBar,
  getMoneyRangeForSlider,
  getMoneySliderPosition,
  mergeBinsIntoBars,
} from './money-slider-scale.ts'

const stops = computeMoneySliderStops(50_000_000)

test('ends the stops at the ceiling of the organisation', () => {
  expect(stops[0]).toBe(0)
  expect(stops.at(-1)).toBe(50_000_000)
  expect(stops.at(-2)).toBe(32_000_000)
})

test('the default ceiling has one bar for each bin', () => {
  expect(computeMoneySliderStops(10_000_000_000)).toHaveLength(MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 2)
})

test('counts every project in a bar when bins exceed the ceiling', () => {
  const bins = [...MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.map(() => 1), 5]
  const bars = mergeBinsIntoBars(bins, stops)
  expect(bars).toHaveLength(stops.length - 1)
  expect(bars.reduce((sum, bar) => sum + bar, 0)).toBe(MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 5)
})

test('maps a stop to its own position and amounts between stops in between', () => {
  stops.forEach((stop, index) => {
    expect(getMoneySliderPosition(stop, stops)).toBeCloseTo(index)
  })
  const position = getMoneySliderPosition(1_341_640, stops)
  expect(position).toBeGreaterThan(getMoneySliderPosition(1_000_000, stops))
  expect(position).toBeLessThan(getMoneySliderPosition(1_800_000, stops))
  expect(getMoneySliderPosition(9e12, stops)).toBe(stops.length - 1)
})

test('treats both thumbs at the ends as no filter, and one at its end as an open bound', () => {
  expect(getMoneyRangeForSlider([0, stops.length - 1], stops)).toBeUndefined()
  expect(getMoneyRangeForSlider([5, stops.length - 1], stops)).toEqual({ min: 1_000_000, max: null })
  expect(getMoneyRangeForSlider([0, 5], stops)).toEqual({ min: null, max: 1_000_000 })
})

test('includes the upper bound of a bar but not the lower; the outer bars are open', () => {
  expect(getMoneyRangeForBar(0, stops)).toEqual({ min: null, max: 100_000 })
  expect(getMoneyRangeForBar(5, stops)).toEqual({ min: 1_000_000.01, max: 1_800_000 })
  expect(getMoneyRangeForBar(stops.length - 2, stops)).toEqual({ min: 32_000_000.01, max: null })
})

test('labels the decades within reach of the slider, each at its stop', () => {
  expect(buildMoneyAxisTicks(stops).map(({ text }) => text)).toEqual(['1 แสน', '1 ล้าน', '10 ล้าน'])
  expect(
    buildMoneyAxisTicks(computeMoneySliderStops(10_000_000_000))
      .map(({ text }) => text)
      .at(-1),
  ).toBe('พันล้าน')
  expect(buildMoneyAxisTicks(stops)[1]!.at).toBeCloseTo(
    (getMoneySliderPosition(1_000_000, stops) / (stops.length - 1)) * 100,
  )
})
