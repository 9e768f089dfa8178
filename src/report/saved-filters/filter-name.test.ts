import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_FILTER_NAME, type SavedFilter } from '#contract/account/saved-filter.ts'
import { nameProblem, namesake, spokenFilterName, suggestedName } from './filter-name.ts'

const word = (value: string, negated = false, label = 'ชื่อโครงการ') => ({ label, value, negated })

describe('a suggested name', () => {
  test('says the filters, operators in words', () => {
    expect(suggestedName([word('กล้อง||CCTV<<ซ่อม'), word('1–50 ล้าน'), word('ใหม่', true)])).toBe(
      'กล้อง หรือ CCTV ไม่รวม ซ่อม · 1–50 ล้าน · ไม่ใช่ ใหม่',
    )
  })
  test('leaves out what does not fit', () => {
    expect(suggestedName([word('ถนน'), word('ก'.repeat(60)), word('สะพาน')])).toBe('ถนน')
  })
  test('cuts a first part that is too long between the characters that a reader sees', () => {
    const name = suggestedName([word('น้ำ'.repeat(40))])
    expect(name).toBe('น้ำ'.repeat(20))
  })
  test('is one that can be saved, whatever the filters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), { minLength: 1 }),
        (values) => {
          const name = suggestedName(values.map((value) => word(`ก${value}`)))
          expect(nameProblem(name)).toBeUndefined()
        },
      ),
    )
  })
  test('of no filters is none', () => {
    expect(suggestedName([])).toBe('')
  })
})

test('filters are said in one line', () => {
  expect(spokenFilterName([word('ติดดาว', false, ''), word('ใหม่', true, 'การเปลี่ยนแปลง')])).toBe(
    'ติดดาว · การเปลี่ยนแปลง ไม่ใช่ ใหม่',
  )
})

test.each([
  ['', 'ตั้งชื่อตัวกรอง'],
  ['   ', 'ตั้งชื่อตัวกรอง'],
  ['ก'.repeat(MAX_FILTER_NAME), undefined],
  [` ${'ก'.repeat(MAX_FILTER_NAME)} `, undefined],
  ['ก'.repeat(MAX_FILTER_NAME + 1), 'ชื่อตัวกรองยาวได้ไม่เกิน 60 ตัวอักษร'],
])('what is wrong with the name %o: %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})

test('a name is taken when a reader would not see the difference, but not by the filter itself', () => {
  const filter: SavedFilter = {
    id: 'a',
    filterName: 'CCTV ภาคกลาง',
    isSend: false,
    isStart: false,
    filterData: { filter: {}, search: [] },
  }
  expect(namesake(' cctv  ภาคกลาง', [filter])).toBe(filter)
  expect(namesake('CCTV ภาคกลาง', [filter], 'a')).toBeUndefined()
  expect(namesake('CCTV ภาคใต้', [filter])).toBeUndefined()
})
