import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKeywordProblem } from '#contract/matching/keyword.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { BUSINESS_TYPES } from '#server/account/registration/business-types.ts'
import { STARTER_KEYWORDS } from '#server/matching/starter-keyword/routes.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { onOneEngine } from './server/databases.ts'
import { appOn, signIn } from './server/http-app.ts'

const groups = Object.entries(STARTER_KEYWORDS)

describe('starter words', () => {
  test('exist for every active business subtype, and for no other number', () => {
    const active = BUSINESS_TYPES.filter((type) => type.is_active).flatMap(({ subtypes }) =>
      subtypes.filter((subtype) => subtype.is_active).map(({ id }) => String(id)),
    )
    expect(groups.map(([id]) => id).sort()).toEqual(active.sort())
  })

  test.each(groups)(
    '%s: 4 to 10 words, 1 to 3 semantic, at most 4 exclusions, all valid and distinct',
    (_id, words) => {
      const { include, ai, exclude } = words
      expect(include.length).toBeGreaterThanOrEqual(4)
      expect(include.length).toBeLessThanOrEqual(10)
      expect(ai.length).toBeGreaterThanOrEqual(1)
      expect(ai.length).toBeLessThanOrEqual(3)
      expect(exclude.length).toBeLessThanOrEqual(4)
      const wrong = [
        ...include.filter((word) => !findKeywordProblem('include', word).ok),
        ...ai.filter((word) => !findKeywordProblem('ai_include', word).ok),
        ...exclude.filter((word) => !findKeywordProblem('exclude', word).ok),
      ]
      expect(wrong).toEqual([])
      for (const list of [include, ai, exclude])
        expect(new Set(list.map(toNormalisedSearchText)).size).toBe(list.length)
    },
  )

  test('contain no exclusion that hides every match of a word of another subtype', () => {
    const included = groups.flatMap(([, { include }]) => include)
    const clashes = groups.flatMap(([id, { exclude }]) =>
      exclude.flatMap((word) =>
        included
          .filter((includedWord) => toNormalisedSearchText(includedWord).includes(toNormalisedSearchText(word)))
          .map((includedWord) => [id, word, includedWord]),
      ),
    )
    expect(clashes).toEqual([])
  })
})

const file = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const isThere = existsSync(file)
if (!isThere) console.warn(`\n*** NO real titles at ${file}: the starter words are NOT counted in them. ***\n`)

describe.skipIf(!isThere)('starter words in 53,736 real tenders', () => {
  test('find tenders for every subtype, and no word finds a quarter of them', { timeout: 300_000 }, () => {
    const rows = parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as { project_name: string }[]
    const words = groups.flatMap(([id, { include }]) =>
      include.map((word) => ({ id: { group: id, word }, expression: word })),
    )
    const matcher = compileKeywordMatcher(words)
    const byWord = new Map<string, number>()
    const byGroup = new Map(groups.map(([id]) => [id, 0]))
    for (const { project_name: title } of rows) {
      const matched = matcher.match(toNormalisedSearchText(title), normaliseThai(title)).map(({ id }) => id)
      for (const { word } of matched) byWord.set(word, (byWord.get(word) ?? 0) + 1)
      for (const group of new Set(matched.map(({ group }) => group))) byGroup.set(group, byGroup.get(group)! + 1)
    }
    // Demolition (8 titles) and petrol (9) are the rarest trades, because they are mostly bought without competition.
    expect([...byGroup].filter(([, count]) => count < 5)).toEqual([])
    expect([...byWord].filter(([, count]) => count > rows.length / 4)).toEqual([])
  })
})

onOneEngine('starter words', (makeDb) => {
  let app: RouteApp
  let headers: Record<string, string>
  beforeAll(async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    headers = (await signIn(app, 'sales@tharamek.example')).headers
  })
  afterAll(() => app.close())

  test('returns the requested groups, named like the subtypes, and omits unknown numbers', async () => {
    const answer = await app.inject({ url: '/api/v2/organisations/starter-words?types=404,501,999,x', headers })
    expect(answer.json().groups).toMatchObject([
      { business_type_id: 404, name: 'กล้องวงจรปิดและรักษาความปลอดภัย', include: expect.arrayContaining(['CCTV']) },
      { business_type_id: 501, exclude: expect.arrayContaining(['ซื้อยาง']) },
    ])
    expect((await app.inject({ url: '/api/v2/organisations/starter-words', headers })).json()).toEqual({ groups: [] })
  })
})
