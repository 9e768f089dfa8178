import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DepartmentList } from '#contract/catalogue/department.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { buildDepartmentCatalogue } from './catalogue.ts'
import { parseAgencyDirectory } from './parse-agency-directory.ts'
import { replaceAgencyDirectory } from './queries.ts'

const PATIENT = { timeout: 10_000 }

const AGENCIES = [
  { dept_code: '08', dept_name: 'กระทรวงคมนาคม', province: '', affiliation: 'ส่วนราชการทั่วไป' },
  { dept_code: '0806', dept_name: 'กรมทางหลวง', province: '', affiliation: 'ส่วนราชการทั่วไป' },
  { dept_code: '0807', dept_name: 'กรมทางหลวงชนบท', province: '', affiliation: 'ส่วนราชการทั่วไป' },
  { dept_code: '0502', dept_name: 'สำนักงานปลัดกระทรวงการท่องเที่ยวและกีฬา', province: '', affiliation: 'ส่วนราชการทั่วไป' },
  { dept_code: '1', dept_name: 'โรงเรียนบ้านหนองบัว', province: 'ขอนแก่น', affiliation: 'ส่วนราชการประเภทสถานศึกษา' },
  { dept_code: '2', dept_name: 'โรงเรียนบ้านหนองบัว', province: 'เลย', affiliation: 'ส่วนราชการประเภทสถานศึกษา' },
  { dept_code: '001418600', dept_name: 'กรมการแพทย์', province: 'นนทบุรี', affiliation: 'ส่วนราชการประเภทสถานพยาบาล' },
  { dept_code: '2103', dept_name: 'กรมการแพทย์', province: '', affiliation: 'ส่วนราชการทั่วไป' },
]

describe('agency directory', () => {
  const entries = new Map(parseAgencyDirectory(AGENCIES).map((entry) => [entry.name, entry]))

  test('files a department under the ministry of its code, other bodies under their kind', () => {
    expect(entries.get('กรมทางหลวง')?.ministry).toBe('กระทรวงคมนาคม')
    expect(entries.get('โรงเรียนบ้านหนองบัว')?.ministry).toBe('ส่วนราชการประเภทสถานศึกษา')
  })

  test('identifies a ministry without its own row by its permanent secretary', () => {
    expect(entries.get('สำนักงานปลัดกระทรวงการท่องเที่ยวและกีฬา')?.ministry).toBe('กระทรวงการท่องเที่ยวและกีฬา')
  })

  test('merges agencies of one name, without a province when they are in several', () => {
    expect(entries.get('โรงเรียนบ้านหนองบัว')?.province).toBeNull()
    expect(entries.size).toBe(AGENCIES.length - 2)
  })

  test('a government department wins over its hospital of the same name', () => {
    expect(entries.get('กรมการแพทย์')?.ministry).toBe('ส่วนราชการทั่วไป')
  })
})

describe('department catalogue', () => {
  const row = (name: string, sub_name: string, open: number, province: number | null = 10) => ({
    name,
    sub_name,
    province,
    open,
    recent: 0,
  })

  test('merges spellings that fold alike under the most frequent name', () => {
    const { departments } = buildDepartmentCatalogue(
      [row('เทศบาล ตำบลบ้านนำ้', '', 1), row('เทศบาลตำบลบ้านน้ำ', '', 5)],
      [],
    )
    expect(departments).toMatchObject([{ word: 'เทศบาลตำบลบ้านน้ำ', open: 6 }])
  })

  test('treats a unit named like its department as the department', () => {
    const { departments } = buildDepartmentCatalogue(
      [row('กรม ก', 'กรม ก', 1), row('กรม ก', 'กองคลัง', 2), row('กรม ก', '', 4)],
      [],
    )
    expect(departments).toMatchObject([{ word: 'กรม ก', units: 1, open: 7 }])
  })

  test('counts the departments that have a unit of the same name', () => {
    const { unitsOf } = buildDepartmentCatalogue([row('เทศบาล ก', 'กองช่าง', 1), row('เทศบาล ข', 'กองช่าง', 1)], [])
    expect([...unitsOf.values()].flat().map(({ same_name }) => same_name)).toEqual([2, 2])
  })
})

onEachEngine('departments', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let headers: Record<string, string>
  const fetchDepartments = async (query = ''): Promise<DepartmentList> => {
    const answer = await app.inject({ url: `/api/v2/departments${query}`, headers })
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }
  const asking = (params: Record<string, string>) => fetchDepartments(`?${new URLSearchParams(params)}`)

  beforeAll(async () => {
    db = await makeDb()
    const { seedSampleOrganisations } = await import('#sample/accounts/seed-sample.ts')
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => new Date('2026-11-21T05:00:00Z') })
    headers = (await signIn(app, 'sales@tharamek.example')).headers
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '1', dept: 'กรมทางหลวง', unit: 'แขวงทางหลวงเลย', movementOn: '2026-10-23' },
      { id: '2', dept: 'กรมทางหลวง', unit: 'แขวงทางหลวงเลย', movementOn: '2026-10-22' },
      { id: '3', dept: 'กรมทางหลวง', unit: 'กองช่าง', isArchived: true },
      { id: '4', dept: 'เทศบาลเมืองเลย', unit: 'กองช่าง' },
      { id: '5', dept: 'เทศบาลเมืองเลย', unit: '' },
      { id: '6', dept: 'เทศบาลเมืองเลย', unit: '' },
    ])
  })
  afterAll(() => app.close())

  test('without a directory lists departments and units, busiest first, without archived projects', async () => {
    const { ministries, results, total } = await fetchDepartments()
    expect(ministries).toEqual([])
    expect(total).toBe(2)
    expect(results.map(({ word, open, units }) => [word, open, units])).toEqual([
      ['เทศบาลเมืองเลย', 3, 1],
      ['กรมทางหลวง', 2, 2],
    ])
    const units = await asking({ department: 'กรมทางหลวง' })
    expect(units.results).toMatchObject([
      {
        word: 'แขวงทางหลวงเลย',
        department: 'กรมทางหลวง',
        unit: 'แขวงทางหลวงเลย',
        open: 2,
        recent: 1,
        units: 0,
        same_name: 1,
      },
      { word: 'กองช่าง', open: 0, same_name: 2 },
    ])
  })

  test('a search finds departments and units with every query word in the name', async () => {
    expect((await asking({ q: 'เลย' })).results.map(({ word }) => word)).toEqual(['เทศบาลเมืองเลย', 'แขวงทางหลวงเลย'])
    expect((await asking({ q: 'กองช่าง เทศบาล' })).results.map(({ department }) => department)).toEqual([
      'เทศบาลเมืองเลย',
    ])
    expect((await asking({ q: 'ทม.เลย' })).results.map(({ word }) => word)).toEqual(['เทศบาลเมืองเลย'])
    expect(await asking({ q: 'ไม่มีหน่วยงานนี้' })).toEqual({ total: 0, results: [], ministries: [] })
  })

  test('counts update after the next published load', async () => {
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '7', dept: 'กรมใหม่', unit: 'กองใหม่' }])
    await vi.waitFor(
      async () => expect((await fetchDepartments()).results.map(({ word }) => word)).toContain('กรมใหม่'),
      PATIENT,
    )
  })

  test('an import adds ministries and departments without projects, and replaces the previous directory', async () => {
    await db.transaction((tx) =>
      replaceAgencyDirectory(tx, parseAgencyDirectory(AGENCIES), [], new Date('2026-11-21T01:00:00Z')),
    )
    const ministries = await vi.waitFor(async () => {
      const answer = await fetchDepartments()
      expect(answer.ministries).not.toEqual([])
      return answer.ministries
    }, PATIENT)
    expect(ministries[0]).toEqual({ name: 'กระทรวงคมนาคม', departments: 3, open: 2, recent: 2 })
    expect(ministries.at(-1)).toMatchObject({ name: '', departments: 2 })
    const under = await asking({ ministry: 'กระทรวงคมนาคม' })
    expect(under.results.map(({ word, open }) => [word, open])).toEqual([
      ['กรมทางหลวง', 2],
      ['กรมทางหลวงชนบท', 0],
      ['กระทรวงคมนาคม', 0],
    ])
    expect((await asking({ ministry: '' })).results.map(({ word }) => word)).toEqual(['เทศบาลเมืองเลย', 'กรมใหม่'])

    await db.transaction((tx) =>
      replaceAgencyDirectory(tx, parseAgencyDirectory(AGENCIES.slice(0, 2)), [], new Date('2026-11-21T02:00:00Z')),
    )
    await vi.waitFor(async () => expect((await asking({ q: 'โรงเรียน' })).total).toBe(0), PATIENT)
    expect(await db.query(sql`select count(*)::int as n from agency_directory`)).toEqual([{ n: 2 }])
  })
})
