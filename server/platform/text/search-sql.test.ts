import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { matchesSearch } from '#contract/search/search-match.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { searchConditionSql } from './search-sql.ts'

const TITLES = [
  'จัดซื้อกล้องวงจรปิด CCTV จำนวน 10 ตัว',
  'จ้างซ่อมกล้อง วงจรปิด ๑๐๐ ตัว',
  'ระบบITกลาง',
  'capital IT2 (e-bidding) 100%',
  'จัดซื้อยางรถยนต์',
  'ประปาน\u0e4d\u0e49\u0e32 ตำบลเเม่ลาน หมู่ท\u0e48\u0e35 ๕',
  'xa-a-a a_b a\\b a%b C# .NET [x] {2} $1 ^y a|b a.b a*b a+b a?b',
  'café Ü straße 10×20 ㎡ ½',
  'aa  bb กข  คง',
  'line\nbreak\ttab',
  "'; drop table t; --",
  '',
]

const EXPRESSIONS = [
  'กล้อง',
  'กล้องวงจรปิด',
  '"กล้องวงจรปิด"',
  '"กล้อง วงจรปิด"',
  'ยา',
  'ยา<<ยาง',
  'IT',
  '"IT"',
  'กล้อง 10',
  '10 ตัว',
  '10',
  'กล้อง##CCTV',
  'กล้อง||IT',
  '<<กล้อง',
  '<<ซ่อม<<ยาง',
  '(กล้อง||ยา)##จัดซื้อ<<CCTV',
  'กล้อง<<(ซ่อม<<100)',
  '(<<กล้อง)||CCTV',
  'น้ำ',
  'แม่',
  'หมู่ที่ 5',
  '100%',
  'a%b',
  'a_b',
  'a\\\\b',
  'a-a',
  'a.b',
  'a*b',
  'a+b',
  'a?b',
  'a\\|b',
  '[x]',
  '{2}',
  '$1',
  '^y',
  'C#',
  '.N',
  '\\(e-',
  '.*',
  '%%',
  '__',
  'caf',
  'café',
  'straß',
  'traße',
  '20 m2',
  'line break',
  '"line break"',
  '"aa bb"',
  'aa bb',
  'กขคง',
  '"กข คง"',
  "'; drop",
  '--',
  '\\\\d',
  '\\\\m',
  '***=a',
  '(?i)'.replace(/[()]/g, '\\$&'),
  '\\\\1',
] as const

function parsed(expression: string): SearchNode {
  const result = parseSearchExpression(expression)
  if (!result.ok) throw new Error(`${expression}: ${result.error.code}`)
  return result.node
}

const text = fc.string({ unit: fc.constantFrom(...'กขงแเ้่ำaAbIT01 -._%\\|*+?[](){}^$#"\'é÷\n'), maxLength: 14 })
const { node: anyNode } = fc.letrec<{ node: SearchNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'node' },
    fc.record({
      kind: fc.constant('term' as const),
      text: text.filter((word) => toNormalisedSearchText(word) !== ''),
      quoted: fc.boolean(),
    }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('node'), { minLength: 2, maxLength: 3, depthIdentifier: 'node' }),
    }),
    fc.record({ kind: fc.constant('not' as const), keep: fc.option(tie('node')), drop: tie('node') }),
  ),
}))

onEachEngine('searchConditionSql finds the titles that matchesSearch finds', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await db.script('create table searched (id int primary key, compact text collate "C", spaced text)')
  })

  const fill = async (titles: readonly string[]) => {
    await db.execute(sql`delete from searched`)
    await db.execute(sql`
      insert into searched
      select id, compact, spaced
      from unnest(${titles.map((_, id) => id)}::int[], ${titles.map(toNormalisedSearchText)}::text[], ${titles.map(normaliseThai)}::text[]) as t (id, compact, spaced)`)
  }
  const find = async (node: SearchNode, scanned: boolean) => {
    const condition = searchConditionSql(node, { compact: sql`compact`, spaced: sql`spaced`, scanned })
    const rows = await db.query<{ id: number }>(sql`select id from searched where ${condition} order by id`)
    return rows.map((row) => row.id)
  }
  const expected = (node: SearchNode, titles: readonly string[]) =>
    titles.flatMap((title, id) => (matchesSearch(node, title) ? [id] : []))

  it('for every expression of the table, by LIKE and by strpos', async () => {
    await fill(TITLES)
    for (const expression of EXPRESSIONS) {
      const node = parsed(expression)
      for (const scanned of [false, true]) {
        expect(await find(node, scanned), expression).toEqual(expected(node, TITLES))
      }
    }
  })

  it('for random searches over random titles, including words cut from the titles', async () => {
    const titles = fc.sample(fc.oneof(text, fc.constantFrom(...TITLES)), 200)
    await fill(titles)
    const cut = fc
      .tuple(fc.constantFrom(...titles), fc.nat(60), fc.integer({ min: 1, max: 8 }), fc.boolean())
      .map(
        ([title, from, length, quoted]): SearchNode => ({
          kind: 'term',
          text: title.slice(from, from + length),
          quoted,
        }),
      )
      .filter((node) => node.kind === 'term' && toNormalisedSearchText(node.text) !== '')
    let partialMatches = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyNode, cut), fc.boolean(), async (node, scanned) => {
        const ids = await find(node, scanned)
        expect(ids).toEqual(expected(node, titles))
        if (ids.length > 0 && ids.length < titles.length) partialMatches += 1
      }),
      { numRuns: 300 },
    )
    expect(partialMatches).toBeGreaterThan(80)
  })

  it('reads a null column as an empty text', async () => {
    await db.execute(sql`delete from searched`)
    await db.execute(sql`insert into searched values (1, null, null)`)
    expect(await find(parsed('กล้อง'), true)).toEqual([])
    expect(await find(parsed('<<กล้อง'), true)).toEqual([1])
    expect(await find(parsed('<<10##"กล้อง"'), false)).toEqual([1])
  })
})

describe('the generated SQL', () => {
  it('carries every word as a parameter', () => {
    const { text: statement, values } = searchConditionSql(parsed('กล้อง##\'; drop<<"10 %"'), {
      compact: sql`c`,
      spaced: sql`s`,
    })
    expect(statement).toBe(
      '((c like $1 and (c like $2 and c ~ $3)) and (c like $4 and s like $5 and s ~ $6) is not true)',
    )
    expect(values).toEqual([
      '%กล้อง%',
      "%'; drop%",
      "\\'\\; drop($|[^0-9a-zß-öø-ɏ])",
      '%10 \\%%',
      '%10 \\%%',
      '(^|[^0-9a-zß-öø-ɏ])10 \\%',
    ])
  })
})
