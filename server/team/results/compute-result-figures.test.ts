import { expect, test } from 'vitest'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import { computeTeamResultGroups, toTeamResult } from './compute-result-figures.ts'
import type { StoredTeamResult } from './queries.ts'

const stored = (i: number): StoredTeamResult => ({
  project_id: String(i),
  name: `โครงการ ${i}`,
  department_id: i % 97,
  dept_name: `กรม ${(i * 31) % 97}`,
  dept_sub_name: '',
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
