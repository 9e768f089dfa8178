import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { putWonProjects, type WonProject } from '../../../test/world/won-projects.ts'
import { companyDetail } from './detail.ts'
import { findCompany } from './find-company.ts'
import { updateCompanies } from './update-companies.ts'

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
  const countAnew = async () => {
    await db.execute(sql`update loads set companies_version = 0`)
    await db.execute(sql`update companies set is_stale = true`)
    await updateCompanies(db)
  }

  beforeAll(async () => {
    db = await makeDb()
    await putWonProjects(db, await addLoad(db), [
      won('68010000001', A, 51),
      won('68010000002', A, 51),
      won('68010000003', B, 50),
      won('68010000004', null, 50),
      // A fully masked id identifies no person.
      won('68010000005', 'p:', 21),
      won('68010000006', A, 51, 'ร้านเดียว'),
      won('68010000007', null, 50, 'ร้านเดียว'),
    ])
    await updateCompanies(db)
  })

  test('are told apart by the ids beside it, else by province; one id tells nobody apart', async () => {
    const base = 'n:none:ร้านนานาภัณฑ์'
    const found = await shops()
    expect(found.map(([key, , wins]) => [key, wins])).toEqual([
      [`${base}#21`, 1],
      [`${base}#50`, 1],
      [`${base}#${A}`, 2],
      [`${base}#${B}`, 1],
      ['n:none:ร้านเดียว', 2],
    ])
    expect(new Set(found.map(([, name]) => name)).size).toBe(5)
    expect(found.filter(([, name]) => String(name).includes('ลำพูน'))).toHaveLength(1)
  })

  test('have a page each, by a name that leads to it; the plain name leads to the one that won most', async () => {
    const names = await db.query<{ id: number; name: string }>(
      sql`select c.id, c.name from companies c where c.split_from is not null`,
    )
    for (const { id, name } of names) expect((await findCompany(db, name, undefined))?.id).toBe(id)
    const most = (await findCompany(db, NAME, undefined))!
    expect(most.name).toMatch(/^ร้านนานาภัณฑ์ \(รายที่ \d, ลำพูน\)$/)
    const page = await companyDetail(db, most, { search: {}, organisationId: 1 }, '2026-11-21')
    expect([page.figures.wins, page.namesakes, page.aliases]).toEqual([2, 3, [NAME]])
  })

  test('stay apart when everything is counted anew, and are one when their ids turn out to be one', async () => {
    const before = await shops()
    await countAnew()
    expect(await shops()).toEqual(before)
    await db.execute(sql`update contracts set winner_tin = ${A} where winner_tin = ${B}`)
    await countAnew()
    expect((await shops()).map(([key, name, wins]) => [key, name, wins])).toEqual([
      ['n:none:ร้านนานาภัณฑ์', NAME, 5],
      ['n:none:ร้านเดียว', 'ร้านเดียว', 2],
    ])
  })
})
