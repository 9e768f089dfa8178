import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildRulesPage } from '../../scripts/rules-page.ts'

test('docs/rules.md is written from the rule table', () => {
  expect(readFileSync('docs/rules.md', 'utf8')).toBe(buildRulesPage())
})
