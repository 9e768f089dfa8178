import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { putWonProjects, type WonProject } from '../../../test/world/won-projects.ts'
import { loadCompanyDetail } from './company-detail.ts'
import { findCompany } from './find-company.ts'
import { updateCompanyFacts } from './update-company-facts.ts'

const NAME = 'ร้านนานาภัณฑ์'
const [A, B] = ['p:aaaaaaaaaaaaaaaa', 'p:bbbbbbbbbbbbbbbb']

const won = (id: string, tin: string | null, province: number, name = NAME): WonProject => ({
  id,
  year: 2568,
  dept: `เทศบาลเมือง ${province}`,
  unit: '',
  deptProvince: province,
  province,
  contracts: [{ name, tin, amount: 100_000, signedOn: '2025-02-01' }],
})

onEachEngineInTurn('sellers of one name', (makeDb) => {
  let db: OpenDb
  const shops = async () =>
    (
      await db.query<{ key: string; name: string; wins: number }>(sql`
        select c.key, c.name, count(f.project_id)::int as wins from companies c left join company_projects f on f.company_id = c.id
        where c.key like 'n:%' group by c.id order by c.key collate "C"`)
    ).map(({ key, name, wins }) => [key, name, wins])
  const recountAll = async () => {
    await db.execute(sql`update loads set companies_version = 0`)
    await db.execute(sql`update companies set is_stale = true`)
    await updateCompanyFacts(db)
  }

  beforeAll(async () => {
    db = await makeDb()
    await putWonProjects(db, await addLoad(db), [
      won('68010000001', A, 51),
      won('68010000002', A, 51),
      won('68010000003', B, 50),
      won('68010000004', null, 50),
      // A fully masked personal id identifies no person.
      won('68010000005', 'p:', 21),
      won('68010000006', A, 51, 'ร้านเดียว'),
      won('68010000007', null, 50, 'ร้านเดียว'),
    ])
    await updateCompanyFacts(db)
  })

  test('are distinguished by their tax ids, else by province; a single id splits nothing', async () => {
    const base = 'n:none:ร้านนานาภัณฑ์'
    const rows = await shops()
    expect(rows.map(([key, , wins]) => [key, wins])).toEqual([
      [`${base}#21`, 1],
      [`${base}#50`, 1],
      [`${base}#${A}`, 2],
      [`${base}#${B}`, 1],
      ['n:none:ร้านเดียว', 2],
    ])
    expect(new Set(rows.map(([, name]) => name)).size).toBe(5)
    expect(rows.filter(([, name]) => String(name).includes('ลำพูน'))).toHaveLength(1)
  })

  test('have their own pages and names; the plain name leads to the one with the most wins', async () => {
    const names = await db.query<{ id: number; name: string }>(
      sql`select c.id, c.name from companies c where c.split_from is not null`,
    )
    for (const { id, name } of names) expect((await findCompany(db, name, undefined))?.id).toBe(id)
    const company = (await findCompany(db, NAME, undefined))!
    expect(company.name).toMatch(/^ร้านนานาภัณฑ์ \(รายที่ \d, ลำพูน\)$/)
    const page = await loadCompanyDetail(db, company, { search: {}, organisationId: 1 }, '2026-11-21')
    expect([page.figures.wins, page.namesakes, page.aliases]).toEqual([2, 3, [NAME]])
  })

  test('stay separate after a full recount, and merge when their ids turn out to be one', async () => {
    const before = await shops()
    await recountAll()
    expect(await shops()).toEqual(before)
    await db.execute(sql`update contracts set winner_tin = ${A} where winner_tin = ${B}`)
    await recountAll()
    expect((await shops()).map(([key, name, wins]) => [key, name, wins])).toEqual([
      ['n:none:ร้านนานาภัณฑ์', NAME, 5],
      ['n:none:ร้านเดียว', 'ร้านเดียว', 2],
    ])
  })
})
