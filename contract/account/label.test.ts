import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { userPatchSchema } from '../report/user-patch.ts'
import { buildLabelMetadata, createClientGeneratedId, isSameDisplayName, pickNextLabelColor } from './label.ts'
import { LABEL_COLORS } from './label-palette.ts'

describe('ids of labels and saved filters', () => {
  test('consist of the lower-cased name with hyphens for blanks, and a timestamp', () => {
    expect(createClientGeneratedId('  CCTV ภาคกลาง ', 1_732_153_500_000)).toBe('cctv-ภาคกลาง-1732153500000')
  })

  test('pass the server schema for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        const label_action = { action: 'delete_label', label_id: createClientGeneratedId(name, 1_732_153_500_000) }
        expect(userPatchSchema.safeParse({ label_action }).success).toBe(true)
      }),
    )
  })
})

test('a new label gets the first unused colour, and the first colour when all are used', () => {
  expect(pickNextLabelColor([])).toBe('sky')
  expect(pickNextLabelColor([{ color: 'sky' }, { color: 'emerald' }, { color: 'unknown' }])).toBe('amber')
  expect(pickNextLabelColor(LABEL_COLORS.map((color) => ({ color })))).toBe('sky')
})

test.each([
  ['งานถนน', 'งานถนน ', true],
  ['CCTV', 'cctv', true],
  ['น้ำ', 'นํ้า', true],
  ['งาน ถนน', 'งาน  ถนน', true],
  ['งานถนน', 'งานถนน 2', false],
])('%j and %j: sameName returns %s', (name, otherName, same) => {
  expect(isSameDisplayName(name, otherName)).toBe(same)
})

test('buildLabelMetadata never returns negative remaining slots', () => {
  expect(buildLabelMetadata(20, 19)).toEqual({
    maxLabels: 20,
    currentCount: 19,
    canCreateMore: true,
    remainingSlots: 1,
  })
  expect(buildLabelMetadata(2, 5)).toEqual({ maxLabels: 2, currentCount: 5, canCreateMore: false, remainingSlots: 0 })
})
