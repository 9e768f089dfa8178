import { describe, expect, test } from 'vitest'
import { provincesOf, regionGroups, splitRegions } from './province.ts'

const EAST = provincesOf('east')
const WEST = provincesOf('west')

describe('splitRegions', () => {
  test('a region counts as whole when every province of it is there, in whatever order', () => {
    const { whole, rest } = splitRegions([...WEST.toReversed(), 'ภูเก็ต', ...EAST, 'กระบี่'])
    expect(whole.map(({ code, th }) => [code, th])).toEqual([
      ['east', 'ภาคตะวันออก'],
      ['west', 'ภาคตะวันตก'],
    ])
    expect(rest).toEqual(['ภูเก็ต', 'กระบี่'])
  })

  test('one province less is no region, and what is no province is left as it came', () => {
    const most = EAST.slice(1)
    expect(splitRegions([...most, 'ไม่ทราบ', most[0]!])).toEqual({ whole: [], rest: [...most, 'ไม่ทราบ'] })
    expect(splitRegions([])).toEqual({ whole: [], rest: [] })
  })
})

test('an address writes a whole region as its code, where the first of its provinces stood, and reads it back', () => {
  const written = regionGroups.close(['ภูเก็ต', ...EAST, 'กระบี่', ...WEST.slice(1)])
  expect(written).toEqual(['ภูเก็ต', 'east', 'กระบี่', ...WEST.slice(1)])
  expect(regionGroups.open(written)).toEqual(['ภูเก็ต', ...EAST, 'กระบี่', ...WEST.slice(1)])
})
