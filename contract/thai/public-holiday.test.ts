import { describe, expect, test } from 'vitest'
import { getHolidayCertainty, HOLIDAY_LIST_YEARS, isPublicHoliday, PUBLIC_HOLIDAYS } from './public-holiday.ts'
import { parseIsoDate } from './thai-date.ts'
import { isWorkingDay } from './working-day.ts'

const weekday = (iso: string) => new Date(`${iso}T00:00:00Z`).getUTCDay()

describe('holiday list', () => {
  test('contains valid, ordered, unique days within the covered years', () => {
    const dates = PUBLIC_HOLIDAYS.map(({ date }) => date)
    expect(dates.filter((date) => parseIsoDate(date) === undefined)).toEqual([])
    expect(dates).toEqual([...new Set(dates)].sort())
    expect(new Set(dates.map((date) => Number(date.slice(0, 4))))).toEqual(HOLIDAY_LIST_YEARS)
  })

  test.each([2026, 2027])('closes offices in %i on as many weekdays as the official list has', (year) => {
    const closed = PUBLIC_HOLIDAYS.filter(({ date }) => date.startsWith(`${year}`) && ![0, 6].includes(weekday(date)))
    // From the `holidays` package: weekdays of both categories, without Labour Day and its day in lieu.
    expect(closed).toHaveLength({ 2026: 20, 2027: 18 }[year]!)
  })

  test('moves a holiday on a weekend to the next free weekday', () => {
    const onWeekends = PUBLIC_HOLIDAYS.filter(({ date }) => [0, 6].includes(weekday(date)))
    expect(onWeekends.map(({ date }) => date)).toEqual([
      '2026-05-31',
      '2026-12-05',
      '2027-02-21',
      '2027-07-18',
      '2027-10-23',
      '2027-12-05',
    ])
    for (const { name } of onWeekends)
      expect(PUBLIC_HOLIDAYS.some((holiday) => holiday.name === `ชดเชย${name}`)).toBe(true)
  })
})

describe('long weekends', () => {
  test.each([
    ['2025-12-31', '2026-01-04', 'New Year with the extra day of the cabinet'],
    ['2026-04-11', '2026-04-15', 'Songkran'],
    ['2026-05-30', '2026-06-01', 'Visakha Bucha with its day in lieu'],
    ['2026-07-28', '2026-07-30', 'the birthday of the King, Asanha Bucha and Lent'],
    ['2026-12-05', '2026-12-07', "Father's Day with its day in lieu"],
    ['2026-12-31', '2027-01-03', 'New Year 2027'],
    ['2027-02-20', '2027-02-22', 'Makha Bucha with its day in lieu'],
    ['2027-07-17', '2027-07-20', 'Asanha Bucha, Lent and the day in lieu after it'],
    ['2027-10-23', '2027-10-25', 'Chulalongkorn Day with its day in lieu'],
    ['2027-12-04', '2027-12-06', "Father's Day with its day in lieu"],
  ])('from %s to %s offices are closed: %s', (from, to) => {
    const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10)
    const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
    for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
      expect(isWorkingDay(new Date(at).toISOString().slice(0, 10))).toBe(false)
    expect(isWorkingDay(before)).toBe(true)
    expect(isWorkingDay(after)).toBe(true)
  })

  test('offices are open on Labour Day and on days the cabinet did not grant', () => {
    for (const day of ['2026-05-01', '2026-06-02', '2026-07-31']) expect(isWorkingDay(day)).toBe(true)
  })
})

test('knows the fixed holidays of a year without a list', () => {
  expect(isPublicHoliday('2031-04-13')).toBe(true)
  expect(isPublicHoliday('2031-05-06')).toBe(false)
})

test.each([
  ['2026-11-21', '2026-12-31', 'announced'],
  ['2026-11-21', '2027-01-04', 'computed'],
  ['2027-12-01', '2028-01-10', 'unknown'],
  ['2025-12-01', '2026-01-10', 'unknown'],
  ['2027-03-01', '2026-03-01', 'announced'],
])('between %s and %s the holidays are %s', (from, to, certainty) => {
  expect(getHolidayCertainty(from, to)).toBe(certainty)
})
