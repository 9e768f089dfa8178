import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { type CompanyDetail, companyDetailSchema, companySuggestionsSchema } from '#contract/market/company.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { findCompanies } from './find-company.ts'

const SARA_AM = 'บริษัท นำชัย จำกัด'
/** The same name with sara am decomposed into nikhahit and sara aa. */
const SPLIT = SARA_AM.replaceAll('\u0e33', '\u0e4d\u0e32')

type Named = {
  readonly id: number
  readonly name: string
  readonly tin: string | null
  readonly wins: number
  readonly old?: readonly string[]
}
const NASTY = [
  'บริษัท ก/ข จำกัด',
  'ร้าน 100% แท้',
  'ร้าน อะไร?',
  'ร้าน #1',
  'ร้าน \\ขีด',
  '.',
  '..',
  '...',
  'ร้าน ~2E',
  'ก / ข / ค',
  'a&b=c+d;e',
  'ก//ข',
  '\\\\เครื่อง\\ก',
  'หจก.',
  'บริษัท ก จำกัด (มหาชน)!',
  'ย'.repeat(2000),
]
const COMPANIES: readonly Named[] = [
  { id: 1, name: SARA_AM, tin: '0105500000001', wins: 3, old: ['บจก. นำชัยเดิม'] },
  { id: 2, name: 'ห้างหุ้นส่วนจำกัด นำชัย', tin: '0103500000002', wins: 9 },
  { id: 3, name: 'บริษัท ซ้ำชื่อ จำกัด', tin: '0105500000003', wins: 1 },
  { id: 4, name: 'บริษัท ซ้ำชื่อ จำกัด', tin: '0105500000004', wins: 5 },
  { id: 5, name: 'บริษัท ซ้ำชื่อ จำกัด', tin: null, wins: 2 },
  { id: 6, name: 'บริษัท เลข ๑๒ จำกัด (มหาชน)', tin: '0107500000006', wins: 1 },
  { id: 7, name: 'บริษัท นำชัยเดิม จำกัด', tin: '0105500000007', wins: 0 },
  ...NASTY.map((name, i) => ({ id: 20 + i, name, tin: String(9_900_000_000_020 + i).replace(/^9/, '0'), wins: 1 })),
]

onEachEngineInTurn('companies by name', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn

  const request = (path: string) => app.inject({ url: `/api/v2/companies/${path}`, headers: me.headers })
  const open = async (path: string): Promise<CompanyDetail['company'] | number> => {
    const answer = await request(path)
    return answer.statusCode === 200 ? companyDetailSchema.parse(answer.json()).company : answer.statusCode
  }
  const idAt = async (path: string) => {
    const company = await open(path)
    return typeof company === 'number' ? company : company.id
  }
  const idOf = (name: string) => idAt(encodeURIComponent(name))

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => new Date('2026-11-21T02:00:00Z') })
    me = await signIn(app, 'sales@tharamek.example')
    for (const { id, name, tin, wins, old = [] } of COMPANIES) {
      await db.execute(sql`
        insert into companies (id, key, tax_id, name, name_key) overriding system value
        values (${id}::int, ${`test:${id}`}, ${tin}, ${name}, ${toCompanyNameKey(name)})`)
      for (const spelling of [name, ...old])
        await db.execute(sql`
          insert into company_names (company_id, name, name_key, uses) values (${id}::int, ${spelling}, ${toCompanyNameKey(spelling)}, 1)`)
      await db.execute(sql`
        insert into company_figures (company_id, fiscal_year, projects, wins, value_satang, discount_n, departments, coverage_full, coverage_names, coverage_winner)
        values (${id}::int, 0, ${wins}::int, ${wins}::int, ${wins * 100}::bigint, 0, 0, 0, 0, 0)`)
    }
  })
  afterAll(() => app.close())

  test('finds the company for every spelling, and the right one for each legal form', async () => {
    for (const spelling of [
      SARA_AM,
      SPLIT,
      'บริษัท  นำชัย  จำกัด',
      'บริษัทนำชัยจำกัด',
      'บจก.นำชัย',
      'บจก. นำชัย',
      '0105500000001',
      '0-1055-00000-00-1',
    ])
      expect([spelling, await idOf(spelling)]).toEqual([spelling, 1])
    for (const spelling of ['ห้างหุ้นส่วนจำกัด นำชัย', 'หจก. นำชัย', 'หจก.นำชัย'])
      expect([spelling, await idOf(spelling)]).toEqual([spelling, 2])
    // Without a legal form, the name resolves to the company with the most wins.
    expect(await idOf('นำชัย')).toBe(2)
    for (const spelling of ['บริษัท เลข 12 จำกัด (มหาชน)', 'บมจ. เลข ๑๒'])
      expect([spelling, await idOf(spelling)]).toEqual([spelling, 6])
  })

  test('finds a company by a former spelling, but a current bearer of the name first', async () => {
    expect(await idOf('บจก. นำชัยเดิม')).toBe(1)
    expect(await idOf('บริษัท นำชัยเดิม จำกัด')).toBe(7)
    expect(await idOf('บริษัทนำชัยเดิมจำกัด')).toBe(7)
    await db.execute(sql`delete from companies where id = 7`)
    expect(await idOf('บริษัท นำชัยเดิม จำกัด')).toBe(1)
  })

  test('chooses among companies of one name by tax id, else by the most wins', async () => {
    const name = encodeURIComponent('บริษัท ซ้ำชื่อ จำกัด')
    expect(await open(name)).toMatchObject({ id: 4, is_shared_name: true })
    for (const [tin, id] of [
      ['0105500000003', 3],
      ['0105500000004', 4],
      ['-', 5],
    ] as const)
      expect(await open(`${name}?tin=${tin}`)).toMatchObject({ id, is_shared_name: true })
    expect(await idAt(`${name}?tin=0105500000009`)).toBe(404)
    expect(await idAt(`${name}?tin=abc`)).toBe(404)
    expect(await open(`${encodeURIComponent('ชื่อเก่า')}?tin=0105500000001`)).toMatchObject({
      id: 1,
      is_shared_name: false,
    })
  })

  test('finds names with slashes, percent signs and dots, encoded or decoded by a proxy', async () => {
    for (const { id, name } of COMPANIES.filter((company) => company.id >= 20)) {
      expect([name, await idAt(encodeURIComponent(encodeNameForUrlPath(name)))]).toEqual([name, id])
      // Older links contain plain slashes, which are now written as `~2F`.
      const part = name.replace(/~(?=2E|7E)/g, '~7E').replace(/(?<=^|\/)\.+/g, (dots) => dots.replaceAll('.', '~2E'))
      expect([name, await idAt(encodeURIComponent(part))]).toEqual([name, id])
      if (name.includes('/')) {
        expect([name, await idAt(part.split('/').map(encodeURIComponent).join('/'))]).toEqual([name, id])
        for (const subpage of ['projects', 'timeline']) {
          const answer = await request(`${part.split('/').map(encodeURIComponent).join('/')}/${subpage}`)
          expect([name, subpage, answer.json()]).toEqual([
            name,
            subpage,
            expect.objectContaining({ total: 0, results: [] }),
          ])
        }
      }
    }
    expect(await idAt('a/b/c')).toBe(404)
  })

  test('ignores direction marks and other invisible characters of an address', async () => {
    for (const spelling of [
      `\u202e${SARA_AM}`,
      `\u2066${SARA_AM}\u2069`,
      SARA_AM.replace('นำ', 'นำ\u200b'),
      `${SARA_AM}\ufeff`,
    ])
      expect([spelling, await idOf(spelling)]).toEqual([spelling, 1])
    // As links of a chat or a copied search result write it.
    expect(await idAt(`${encodeURIComponent(SARA_AM)}%20`)).toBe(1)
    expect(await idAt(encodeURIComponent(SARA_AM).replaceAll('%20', '%C2%A0'))).toBe(1)
  })

  test.each([
    '%00',
    `%E0%B8%81%00`,
    '%ED%A0%80',
    '%E0%B8',
    '%25',
    '%2525',
    '%2F%2F',
    '%2F..%2F..%2Fadmin',
    '%5C%5Chost',
    '%E2%80%AE',
    '%E2%81%A6%E2%81%A9',
    '%7F',
    '~00',
    '~',
    '%27%20or%201=1--',
  ])('%s is no company, and never an error of the server', async (part) => {
    for (const path of [part, `${part}/projects`, `${part}?tin=%00`]) {
      const answer = await request(path)
      expect([path, [400, 404].includes(answer.statusCode), answer.statusCode]).toEqual([path, true, answer.statusCode])
      expect(answer.body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
  })

  test('a person opens no company of a similar name', async () => {
    const shop = { id: 60, name: 'นส.สมหญิง' }
    await db.execute(sql`
      insert into companies (id, key, tax_id, name, name_key) overriding system value
      values (${shop.id}::int, 'test:60', '0105500000060', ${shop.name}, ${toCompanyNameKey(shop.name)})`)
    await db.execute(sql`
      insert into company_names (company_id, name, name_key, uses) values (${shop.id}::int, ${shop.name}, ${toCompanyNameKey(shop.name)}, 1)`)
    expect(await idOf(shop.name)).toBe(60)
    for (const person of ['น.ส. สมหญิง', 'นาย นำชัย', 'นางสาวนำชัย จำกัด', 'ว่าที่ ร.ต. นำชัย', 'บุคคลธรรมดา-1a2b3c4d'])
      expect([person, await idOf(person)]).toEqual([person, 404])
    const [looked] = await findCompanies(db, ['นาย นำชัย'])
    expect([looked!.company, looked!.similar]).toEqual([undefined, []])
    await db.execute(sql`delete from companies where id = ${shop.id}::int`)
  })

  test('a comparison names each requested company, and similar ones for an unknown name', async () => {
    const [byName, byTin, unknown, noMatch] = await findCompanies(db, [
      'บจก.นำชัย',
      '0105500000004',
      'บริษัท นำชัยย จำกัด',
      'zzzz',
    ])
    expect(byName).toEqual({
      asked: 'บจก.นำชัย',
      company: { id: 1, name: SARA_AM, tax_id: '0105500000001', is_shared_name: false, is_sme: null },
      similar: [],
    })
    expect(byTin!.company?.id).toBe(4)
    expect([unknown!.company, unknown!.similar.map(({ id }) => id)]).toEqual([
      undefined,
      expect.arrayContaining([1, 2]),
    ])
    expect([noMatch!.company, noMatch!.similar]).toEqual([undefined, []])
  })

  test('suggestions contain the typed text, most wins first', async () => {
    const suggest = async (q: string) => {
      const answer = await app.inject({
        url: `/api/v2/company-suggestions?q=${encodeURIComponent(q)}`,
        headers: me.headers,
      })
      return companySuggestionsSchema.parse(answer.json()).results.map(({ id, wins }) => [id, wins])
    }
    expect(await suggest('ซ้ำ')).toEqual([
      [4, 5],
      [5, 2],
      [3, 1],
    ])
    expect(await suggest('บจก. นำช')).toEqual([
      [2, 9],
      [1, 3],
    ])
    expect(await suggest('00000004')).toEqual([[4, 5]])
    expect(await suggest('100%')).toEqual([[21, 1]])
    for (const nothing of ['', ' ', '%', 'ไม่มีใครชื่อนี้'])
      expect([nothing, (await suggest(nothing)).length <= 1]).toEqual([nothing, true])
  })
})
