import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { savedFilterNameSchema } from '#contract/account/mark-name.ts'
import { MAX_SAVED_FILTER_NAME_LENGTH, type SavedFilter } from '#contract/account/saved-filter.ts'
import { buildAccessibleSavedFilterName, findSavedFilterWithSameName, suggestSavedFilterName } from './filter-name.ts'

const word = (value: string, negated = false, label = 'ชื่อโครงการ') => ({ label, value, negated })

describe('a suggested name', () => {
  test('describes the filters, with operators in words', () => {
    expect(suggestSavedFilterName([word('กล้อง||CCTV<<ซ่อม'), word('1–50 ล้าน'), word('ใหม่', true)])).toBe(
      'กล้อง หรือ CCTV ไม่รวม ซ่อม · 1–50 ล้าน · ไม่ใช่ ใหม่',
    )
  })
  test('omits what does not fit', () => {
    expect(suggestSavedFilterName([word('ถนน'), word('ก'.repeat(60)), word('สะพาน')])).toBe('ถนน')
  })
  test('cuts a first part that is too long between graphemes', () => {
    const name = suggestSavedFilterName([word('น้ำ'.repeat(40))])
    expect(name).toBe('น้ำ'.repeat(20))
  })
  test('is valid for any filters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), { minLength: 1 }),
        (values) => {
          const name = suggestSavedFilterName(values.map((value) => word(`ก${value}`)))
          expect(nameProblem(name)).toBeUndefined()
        },
      ),
    )
  })
  test('is empty without filters', () => {
    expect(suggestSavedFilterName([])).toBe('')
  })
})

test('buildAccessibleSavedFilterName describes filters in one line', () => {
  expect(buildAccessibleSavedFilterName([word('ติดดาว', false, ''), word('ใหม่', true, 'การเปลี่ยนแปลง')])).toBe(
    'ติดดาว · การเปลี่ยนแปลง ไม่ใช่ ใหม่',
  )
})

const nameProblem = (name: string) => savedFilterNameSchema.safeParse(name).error?.issues[0]?.message

test.each([
  ['', 'ตั้งชื่อตัวกรอง'],
  ['   ', 'ตั้งชื่อตัวกรอง'],
  ['ก'.repeat(MAX_SAVED_FILTER_NAME_LENGTH), undefined],
  [` ${'ก'.repeat(MAX_SAVED_FILTER_NAME_LENGTH)} `, undefined],
  ['ก'.repeat(MAX_SAVED_FILTER_NAME_LENGTH + 1), 'ชื่อตัวกรองยาวได้ไม่เกิน 60 ตัวอักษร'],
])('validates the name %o: %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})

test('detects a name that looks the same, except that of the filter itself', () => {
  const filter: SavedFilter = {
    id: 'a',
    filterName: 'CCTV ภาคกลาง',
    isSend: false,
    isStart: false,
    filterData: { filter: {}, search: [] },
  }
  expect(findSavedFilterWithSameName(' cctv  ภาคกลาง', [filter])).toBe(filter)
  expect(findSavedFilterWithSameName('CCTV ภาคกลาง', [filter], 'a')).toBeUndefined()
  expect(findSavedFilterWithSameName('CCTV ภาคใต้', [filter])).toBeUndefined()
})
