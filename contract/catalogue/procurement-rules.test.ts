import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  findProcurementRule,
  findRuleTier,
  getCurrentProcurementRule,
  PROCUREMENT_RULES,
  type ProcurementRuleName,
} from './procurement-rules.ts'

const NAMES = Object.keys(PROCUREMENT_RULES) as ProcurementRuleName[]

test('versions of a rule follow each other without a gap or an overlap of confirmed ones', () => {
  for (const name of NAMES) {
    const confirmed = PROCUREMENT_RULES[name].versions.filter(({ isConfirmed }) => isConfirmed)
    for (const [index, { validFrom }] of confirmed.entries()) {
      const until = confirmed[index - 1]?.validUntil
      if (until !== undefined) {
        expect(until, name).not.toBeNull()
        expect(Date.parse(validFrom) - Date.parse(until!), name).toBe(86_400_000)
      }
    }
    expect(getCurrentProcurementRule(name).value, name).toBeDefined()
  }
})

test('the day of the announcement chooses the version, and an unconfirmed one is never chosen', () => {
  expect(findProcurementRule('antiCorruptionFromBaht', '2024-10-31')?.value).toBe(500_000_000)
  expect(findProcurementRule('antiCorruptionFromBaht', '2024-11-01')?.value).toBe(300_000_000)
  expect(findProcurementRule('hearingForfeitsAppeal', '2025-04-18')).toBeUndefined()
  expect(findProcurementRule('appealWorkingDays', '2017-08-22')).toBeUndefined()
  expect(findProcurementRule('priceAdvantagePercent', '2026-11-29')?.source.clause).toBe('27/1–27/4')
})

test('a tier starts above its amount', () => {
  const { value } = getCurrentProcurementRule('publicationWorkingDays')
  expect(
    [500_000, 500_001, 5_000_000, 10_000_001, 50_000_000, 50_000_001].map((baht) => findRuleTier(value, baht)),
  ).toEqual([undefined, 5, 5, 12, 12, 20])
})

test('no text states a number of working days or a section of the law by itself', () => {
  const files = execFileSync('git', ['ls-files', 'contract', 'src', 'server'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|procurement-rules/.test(file))
  const stated = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^ *(?:\*|\/[/*])/.test(line))
      .flatMap((line) => [...line.matchAll(/\d{1,3} วันทำการ|\(ม\. ?\d{2,3}\)/g)].map(([words]) => `${file}: ${words}`)),
  )
  expect(stated).toEqual([])
})
