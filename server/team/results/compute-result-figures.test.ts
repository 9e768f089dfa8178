import { expect, test } from 'vitest'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import { computeTeamResultGroups, toTeamResult } from './compute-result-figures.ts'
import type { StoredTeamResult } from './queries.ts'

const stored = (i: number): StoredTeamResult => ({
  project_id: String(i),
  name: `โครงการ ${i}`,
  dept_name: `กรม ${(i * 31) % 97}`,
  dept_sub_name: '',
  dept_province: null,
  owner_id: i % 4,
  owner_name: `คน ${i % 4}`,
  stage: DEFAULT_PURSUIT_STAGES[i % DEFAULT_PURSUIT_STAGES.length]!.id,
  reason: null,
  lost_reason: null,
  price_satang: 90_00 + i,
  estimate_satang: 100_00 + i,
  winner_name: null,
  winner_satang: i,
  is_price_in_doubt: false,
  announced_on: '2026-01-05',
  created_on: `2026-0${1 + (i % 9)}-10`,
  decided_on: null,
  words: [`คำ ${i % 5}`],
})

test('the first groups are those of all groups, with their number', () => {
  const reader = { stages: DEFAULT_PURSUIT_STAGES, seesPrice: true }
  const results = Array.from({ length: 250 }, (_, i) => toTeamResult(stored(i), reader))
  for (const by of ['department', 'owner', 'word', 'month'] as const) {
    const all = computeTeamResultGroups(results, by, { seesPrice: true })
    for (const limit of [1, 3, 40, 60, 500]) {
      const expected = by === 'month' ? all.results.slice(-limit) : all.results.slice(0, limit)
      expect(computeTeamResultGroups(results, by, { seesPrice: true, limit })).toEqual({
        total: all.total,
        results: expected,
      })
    }
  }
})

test.each([
  ['องค์การบริหารส่วนตำบลดู่', '', 'องค์การบริหารส่วนตำบลดู่ จ.น่าน', 'องค์การบริหารส่วนตำบลดู่ จ.สุรินทร์'],
  ['องค์การบริหารส่วนตำบลดู่', 'อบต.ดู่', 'อบต.ดู่ จ.น่าน', 'อบต.ดู่ จ.สุรินทร์'],
  ['องค์การบริหารส่วนตำบลดู่', 'กองช่าง', 'องค์การบริหารส่วนตำบลดู่ จ.น่าน › กองช่าง', 'องค์การบริหารส่วนตำบลดู่ จ.สุรินทร์ › กองช่าง'],
  ['สำนักงานการศึกษา', 'โรงเรียนบ้านดู่', 'โรงเรียนบ้านดู่ จ.น่าน', 'โรงเรียนบ้านดู่ จ.สุรินทร์'],
  ['กรมทางหลวง', 'แขวงทางหลวงน่านที่ 1', 'แขวงทางหลวงน่านที่ 1', 'แขวงทางหลวงน่านที่ 1'],
])('names %s %s by its province if other bodies have its name', (dept_name, dept_sub_name, inNan, inSurin) => {
  const reader = { stages: DEFAULT_PURSUIT_STAGES, seesPrice: true }
  const namesIn = (dept_province: number) => {
    const { row, groups } = toTeamResult({ ...stored(1), dept_name, dept_sub_name, dept_province }, reader)
    return [row.department, ...groups.department.map(({ name }) => name)]
  }
  expect(namesIn(55)).toEqual([inNan, inNan])
  expect(namesIn(32)).toEqual([inSurin, inSurin])
})

test('a central body with units in several provinces is one group, bodies of one name are several', () => {
  const results = [
    { dept_name: 'กรมทางหลวง', dept_province: 55 },
    { dept_name: 'กรมทางหลวง', dept_province: 32 },
    { dept_name: 'เทศบาลเมืองดู่', dept_province: 55 },
    { dept_name: 'เทศบาลเมืองดู่', dept_province: 32 },
  ].map((body, i) => toTeamResult({ ...stored(i), ...body }, { stages: DEFAULT_PURSUIT_STAGES, seesPrice: true }))
  const groups = computeTeamResultGroups(results, 'department', { seesPrice: true }).results
  expect(groups.map(({ name, pursued }) => [name, pursued])).toEqual([
    ['กรมทางหลวง', 2],
    ['เทศบาลเมืองดู่ จ.น่าน', 1],
    ['เทศบาลเมืองดู่ จ.สุรินทร์', 1],
  ])
})
