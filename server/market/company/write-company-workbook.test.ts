import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompanyList, companyListSchema } from '#contract/market/company.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { COMPANY_FIGURES_VERSION } from './company-scope.ts'
import { generateCompanyFacts, storeCompanyFactFixtures } from './facts-for-tests.ts'

const EMAIL = 'sales@tharamek.example'

onEachEngineInTurn('files of companies', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn

  const get = (path: string, query: Readonly<Record<string, string>>, user = me) =>
    app.inject({ url: `/api/v2/${path}?${new URLSearchParams(query)}`, headers: user.headers })
  const sheetsOf = async (path: string, query: Readonly<Record<string, string>>) => {
    const answer = await get(path, query)
    expect(answer.statusCode, answer.body).toBe(200)
    return (await readXlsx(new Uint8Array(answer.rawPayload))).sheets
  }
  const listOf = async (query: Readonly<Record<string, string>>): Promise<CompanyList> =>
    companyListSchema.parse((await get('companies', query)).json())

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    me = await signIn(app, EMAIL)
    await storeCompanyFactFixtures(db, generateCompanyFacts(7), EMAIL)
    await db.execute(
      sql`update loads set companies_version = ${COMPANY_FIGURES_VERSION}::smallint where id = ${await addLoad(db)}::bigint`,
    )
  })
  afterAll(() => app.close())

  test('the list has every company that the search finds, in its order, on all pages', async () => {
    const query = { keyword_group__in: '901', ordering: '-median_discount' }
    const list = await listOf({ ...query, page_size: '100' })
    const [companies, about] = await sheetsOf('company-files/list', { ...query, page: '2', page_size: '20' })
    expect(list.total).toBeGreaterThan(20)
    expect(companies!.rows.slice(1).map(([name, taxId, _, wins, value]) => [name, taxId, wins, value])).toEqual(
      list.results.map(({ name, tax_id, wins, value }) => [name, tax_id, wins, value]),
    )
    expect(about!.rows).toContainEqual(['กลุ่มคำติดตาม', 'กลุ่ม 901'])
    expect(about!.rows).toContainEqual(['ไม่รวมในยอด', `${list.scope.amounts_in_doubt} ราคาที่น่าสงสัย`])
    expect(about!.rows.map(([name]) => name)).toEqual(expect.arrayContaining(['ขอบเขต', 'ข้อมูล ณ', 'ส่งออกเมื่อ', 'ที่มา']))
  })

  test('the file of one company has the figures of its page', async () => {
    const [row] = (await listOf({ page_size: '20' })).results
    const sheets = await sheetsOf('company-files/company', { name: row!.name })
    expect(sheets.map(({ name }) => name)).toEqual(['สรุป', 'หน่วยงาน', 'คู่แข่ง', 'โครงการ', 'ขอบเขต'])
    expect(sheets[0]!.rows[1]!.slice(0, 4)).toEqual([row!.name, row!.tax_id, row!.wins, row!.value])
  })

  test('is 400 without a name, 404 for an unknown company and 403 for the demo (C6)', async () => {
    expect((await get('company-files/company', {})).statusCode).toBe(400)
    expect((await get('company-files/company', { name: 'ไม่มีบริษัทนี้' })).statusCode).toBe(404)
    const visitor = await enterDemo(app)
    for (const path of ['company-files/list', 'company-files/company'])
      expect((await get(path, { name: 'x' }, visitor)).statusCode, path).toBe(403)
  })

  test('R59: a download writes an audit row', async () => {
    await db.execute(sql`delete from audit_events`)
    await sheetsOf('company-files/list', {})
    const traces = await db.query<{ detail: object }>(
      sql`select detail from audit_events where kind = 'export_fetched'`,
    )
    expect(traces).toEqual([{ detail: { list: 'companies', total: expect.any(Number) } }])
  })
})
