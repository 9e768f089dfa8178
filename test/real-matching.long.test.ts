import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import {
  compileMatchRules,
  type OrganisationMatchRules,
  type ProjectToMatch,
} from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { computeReferenceVerdict } from '#server/matching/rules-for-tests.ts'

const file = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const isThere = existsSync(file)
if (!isThere) console.warn(`\n*** NO real titles at ${file}: matching is NOT tested on them. ***\n`)

type Row = {
  readonly project_id: string
  readonly project_name: string
  readonly dept_name: string
  readonly dept_sub_name: string
}
/** The test uses every 13th title, 4,133 in all. */
const EVERY = 13
const TITLES_A_RUN = 150

describe.skipIf(!isThere)('matching on real titles', () => {
  const rows = isThere ? (parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as Row[]) : []
  const projects = rows
    .filter((_, index) => index % EVERY === 0)
    .map((row): ProjectToMatch => {
      const spaced = normaliseThai(row.project_name)
      return {
        project_id: row.project_id,
        name_search: removeSpacesNextToThai(spaced),
        name_spaced: spaced,
        dept_name: row.dept_name,
        dept_sub_name: row.dept_sub_name,
        dept_province: null,
        project_province: 10,
        budget_satang: null,
        movement_on: null,
      }
    })
  const at = fc.nat({ max: Math.max(0, projects.length - 1) })
  /** A fragment of a real title as a user might type it: 2 to 20 characters from any position, blanks included. */
  const piece = fc.tuple(at, fc.nat({ max: 400 }), fc.integer({ min: 2, max: 20 })).map(([project, from, length]) => {
    const name = projects[project]?.name_spaced ?? ''
    return name.slice(from % name.length, (from % name.length) + length)
  })
  const operand = fc.tuple(piece, fc.constantFrom('', '', '"')).map(([text, quote]) => {
    const plain = text.replace(/[#|<()"\\]/g, ' ')
    return quote + plain + quote
  })
  const expression = fc
    .tuple(
      operand,
      fc.array(fc.tuple(fc.constantFrom('##', '||', '<<'), operand), { maxLength: 3 }),
      fc.constantFrom('', '', '', '<<'),
    )
    .map(
      ([first, operations, leading]) =>
        leading + first + operations.map(([operator, text]) => operator + text).join(''),
    )
    .filter((text) => parseSearchExpression(text).ok)
  const terms = fc.array(
    fc.record({
      term: piece,
      source: fc.constantFrom('literal', 'learned', 'user'),
      state: fc.constantFrom('auto', 'approved', 'suggested', 'rejected'),
      facet: fc.constantFrom(0, 0, 1, 2),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const unit = at.map((index) => projects[index]?.dept_sub_name || (projects[index]?.dept_name ?? ''))
  const keyword = fc.oneof(
    fc.record({ list: fc.constantFrom('include', 'exclude'), word: expression }),
    fc.record({ list: fc.constantFrom('ai_include', 'ai_exclude'), word: piece, terms }),
    fc.record({ list: fc.constant('deptsub_include'), word: unit }),
  )
  const organisation = fc.array(keyword, { minLength: 3, maxLength: 12 }).map(
    (keywords): OrganisationMatchRules => ({
      id: 1,
      config: { search_by_name: true, search_by_ai: true, search_by_deptsub: true },
      areas: { central: ['กรุงเทพมหานคร'] },
      keywords: keywords.map((entry, index) => ({ id: index + 1, approved: true, ...entry })),
      rescued: [],
    }),
  )

  it('agrees with the definition word by word, for random expressions, terms and units', () => {
    const seen = { match: 0, excluded: 0, outside_window: 0, nothing: 0 }
    fc.assert(
      fc.property(fc.array(organisation, { minLength: 1, maxLength: 4 }), at, (organisations, from) => {
        const numbered = organisations.map((input, id) => ({ ...input, id }))
        const rules = compileMatchRules(numbered)
        for (let step = 0; step < TITLES_A_RUN; step += 1) {
          const project = projects[(from + step * 27) % projects.length]!
          const verdicts = new Map(
            evaluateProjectMatch(rules, project).map((verdict) => [verdict.organisation_id, verdict]),
          )
          for (const candidate of numbered) {
            const expected = computeReferenceVerdict(candidate, project)
            const verdict = verdicts.get(candidate.id)
            seen[expected.kind] += 1
            expect(verdict?.kind ?? 'nothing').toBe(expected.kind)
            if (verdict?.kind === 'match' && expected.kind === 'match')
              expect(verdict.reasons.map((reason) => reason.keyword).sort((a, b) => a - b)).toEqual(expected.keywords)
          }
        }
      }),
      { numRuns: 100 },
    )
    for (const kind of ['match', 'excluded', 'nothing'] as const) expect(seen[kind]).toBeGreaterThan(100)
  }, 120_000)
})
