import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from './thai-date.ts'
import { addWorkingDays, countWorkingDays, isWorkingDay } from './working-day.ts'

test.each([
  ['2026-11-20', true, 'a Friday'],
  ['2026-11-21', false, 'a Saturday'],
  ['2026-11-22', false, 'a Sunday'],
  ['2026-11-23', true, 'a Monday'],
  ['2026-12-10', false, 'Constitution Day, a Thursday'],
  ['1969-12-31', false, 'a holiday before 1970'],
  ['1969-12-30', true, 'a Tuesday before 1970'],
])('%s: %s, %s', (iso, open) => {
  expect(isWorkingDay(iso)).toBe(open)
})

test('respects additional holidays', () => {
  expect(isWorkingDay('2026-03-04')).toBe(true)
  expect(isWorkingDay('2026-03-04', new Set(['2026-03-04']))).toBe(false)
  expect(countWorkingDays('2026-03-02', '2026-03-06', new Set(['2026-03-04']))).toBe(3)
})

test('counts both ends', () => {
  expect(countWorkingDays('2026-11-16', '2026-11-22')).toBe(5)
  expect(countWorkingDays('2026-11-21', '2026-11-22')).toBe(0)
  expect(countWorkingDays('2026-11-23', '2026-11-20')).toBe(0)
  // These 30 days have 22 weekdays, of which three are holidays: the 7th (in lieu of the 5th), the 10th and the 31st.
  expect(countWorkingDays('2026-12-02', '2026-12-31')).toBe(19)
})

test.each([
  ['2026-11-20', 1, '2026-11-23', 'over a weekend'],
  ['2026-12-04', 1, '2026-12-08', 'over a weekend and its day in lieu'],
  ['2026-12-28', 7, '2027-01-08', 'over New Year'],
  ['2026-11-28', -3, '2026-11-25', 'back from a Saturday'],
  ['2026-12-09', -3, '2026-12-03', 'back over a day in lieu'],
  ['2026-11-21', 0, '2026-11-21', 'no step'],
])('%s plus %i working days is %s: %s', (from, days, to) => {
  expect(addWorkingDays(from, days)).toBe(to)
  expect(days === 0 || isWorkingDay(to)).toBe(true)
})

test('agrees with counting day by day', () => {
  const day = fc.integer({ min: -400, max: 24_000 }).map((days) => addDays('1970-01-01', days))
  const announced = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 5 })
  fc.assert(
    fc.property(day, fc.integer({ min: -10, max: 900 }), announced, (from, length, extra) => {
      const to = addDays(from, length)
      const closed = new Set(extra.map((days) => addDays(from, days)))
      let open = 0
      for (let at = 0; at <= length; at += 1) if (isWorkingDay(addDays(from, at), closed)) open += 1
      expect(countWorkingDays(from, to, closed)).toBe(open)
    }),
  )
})
