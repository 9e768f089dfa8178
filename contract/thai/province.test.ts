import { describe, expect, test } from 'vitest'
import { getProvincesInRegion, regionUrlListAbbreviator, separateCompleteRegions } from './province.ts'

const EAST = getProvincesInRegion('east')
const WEST = getProvincesInRegion('west')

describe('separateCompleteRegions', () => {
  test('finds a region when all its provinces are present, in any order', () => {
    const { whole, rest } = separateCompleteRegions([...WEST.toReversed(), 'ภูเก็ต', ...EAST, 'กระบี่'])
    expect(whole.map(({ code, th }) => [code, th])).toEqual([
      ['east', 'ภาคตะวันออก'],
      ['west', 'ภาคตะวันตก'],
    ])
    expect(rest).toEqual(['ภูเก็ต', 'กระบี่'])
  })

  test('returns an incomplete region and unknown provinces as the rest, unchanged', () => {
    const incompleteEast = EAST.slice(1)
    expect(separateCompleteRegions([...incompleteEast, 'ไม่ทราบ', incompleteEast[0]!])).toEqual({
      whole: [],
      rest: [...incompleteEast, 'ไม่ทราบ'],
    })
    expect(separateCompleteRegions([])).toEqual({ whole: [], rest: [] })
  })
})

test('replaces a complete region by its code at its first province, and expands it again', () => {
  const written = regionUrlListAbbreviator.close(['ภูเก็ต', ...EAST, 'กระบี่', ...WEST.slice(1)])
  expect(written).toEqual(['ภูเก็ต', 'east', 'กระบี่', ...WEST.slice(1)])
  expect(regionUrlListAbbreviator.open(written)).toEqual(['ภูเก็ต', ...EAST, 'กระบี่', ...WEST.slice(1)])
})
