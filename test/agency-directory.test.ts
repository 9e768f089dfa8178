import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from './server/databases.ts'
import { appOn, signIn } from './server/http-app.ts'

const HEADER = 'dept_code,dept_name,short_type,type_group,province,district,affiliation'
const real = path.join(import.meta.dirname, '../../shared/data/agencies-64114.csv.gz')
const isThere = existsSync(real)
if (!isThere) console.warn(`\n*** NO directory at ${real}: its import is NOT tested on the real one. ***\n`)

onEachEngineInTurn('import --source egp-agencies', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let folder: string
  const load = async (text: string) => {
    const file = path.join(folder, 'agencies.csv')
    await writeFile(file, text)
    return importDataFile(db, { file, source: 'egp-agencies' }, { dataDir: folder })
  }
  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    folder = await mkdtemp(path.join(tmpdir(), 'tamngan-agencies-'))
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  test('finds an agency without projects, which can be watched', async () => {
    const report = await load(
      `${HEADER}\n08,กระทรวงคมนาคม,,,,,ส่วนราชการทั่วไป\n0812,กรมการขนส่งทางราง,,,,,ส่วนราชการทั่วไป\nx,"เสีย\n`,
    )
    expect(report).toMatchObject({ read: 3, broken: 1, agencies: 2, ministries: 1 })
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const response = await app.inject({ url: `/api/v2/departments?q=${encodeURIComponent('ขนส่งทางราง')}`, headers })
    expect(response.json().results).toMatchObject([{ word: 'กรมการขนส่งทางราง', ministry: 'กระทรวงคมนาคม', open: 0 }])
    const added = await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me/keywords/check',
      headers,
      payload: { deptsub_include_keywords: [{ word: 'กรมการขนส่งทางราง' }, { word: 'กรมที่ไม่มีจริง' }] },
    })
    expect(added.json().lines).toMatchObject([{ word: 'กรมที่ไม่มีจริง', code: 'unknown_department' }])
  })

  test('reads both directories below title lines, and codes that went through a spreadsheet', async () => {
    const report = await load(
      `"รายชื่อหน่วยงาน, ปี 2569",,,,,,\n\n${HEADER}\n08,กระทรวงคมนาคม,,,,,ส่วนราชการทั่วไป\n'0812.0,กรมการขนส่งทางราง,,,,,ส่วนราชการทั่วไป\n`,
    )
    expect(report).toMatchObject({ read: 2, broken: 0, agencies: 2, ministries: 1 })
    const file = path.join(folder, 'units.csv')
    const units = ['812000001', '0812000002', '๐๘๑๒๐๐๐๐๐๓', '812'].map((code) => `${code},กรมการขนส่งทางราง`)
    await writeFile(file, `หน่วยย่อย, ณ 21 พ.ย. 2569\nsub_dept_code,dept_name\n${units.join('\n')}\n`)
    expect(await importDataFile(db, { file, source: 'egp-units' }, { dataDir: folder })).toMatchObject({
      ...{ read: 4, broken: 1, units: 3, unplaced: 0 },
    })
    expect(await db.query(sql`select agency, code from intake_units order by code`)).toEqual(
      ['0812000001', '0812000002', '0812000003'].map((code) => ({ agency: '0812', code })),
    )
  })

  test('rejects a file of another kind, naming what it lacks, and keeps the stored data', async () => {
    await expect(load('a,b\n1,2\n')).rejects.toThrow(FeedFormatError)
    await expect(load(`${HEADER}\n`)).rejects.toThrow(FeedFormatError)
    expect(await db.query(sql`select count(*)::int as n from agency_directory`)).toEqual([{ n: 2 }])
  })

  test('places units by agency, shared names by code, and rejects a file of unknown agencies', async () => {
    await load(
      `${HEADER}\n0304,กรมบัญชีกลาง,,,,,ส่วนราชการทั่วไป\n5660601,เทศบาลตำบลโพทะเล,,,,,เทศบาลตำบล\n6501402,เทศบาลตำบลโพทะเล,,,,,เทศบาลตำบล\n`,
    )
    const units = async (...rows: string[]) => {
      const file = path.join(folder, 'units.csv')
      await writeFile(file, ['sub_dept_code,sub_dept_name,sub_dept_address,dept_name', ...rows].join('\n'))
      return importDataFile(db, { file, source: 'egp-units' }, { dataDir: folder })
    }
    const report = await units(
      '0304000001,กองคลัง,,กรมบัญชีกลาง',
      '0304000002,สำนักงานคลังเขต 1,,กรมบัญชีกลาง',
      '6501402001,กองช่าง,,เทศบาลตำบลโพทะเล',
      '9999999999,กองช่าง,,เทศบาลตำบลโพทะเล',
      '0101000001,กองกลาง,,กรมที่ไม่มีจริง',
      'สั้น,กองกลาง,,กรมบัญชีกลาง',
    )
    expect(report).toMatchObject({ read: 6, broken: 1, units: 3, unplaced: 2 })
    await expect(units('0101000001,กองกลาง,,กรมที่ไม่มีจริง')).rejects.toThrow(FeedFormatError)
    expect(await db.query(sql`select agency, code from intake_units order by code`)).toEqual([
      { agency: '0304', code: '0304000001' },
      { agency: '0304', code: '0304000002' },
      { agency: '6501402', code: '6501402001' },
    ])
  })

  test.skipIf(!isThere)(
    'reads 54,821 names under 36 ministries and kinds of body from the real directory',
    async () => {
      const report = await importDataFile(db, { file: real, source: 'egp-agencies' }, { dataDir: folder })
      expect(report).toMatchObject({ read: 64_114, broken: 0, agencies: 54_821, ministries: 36 })
    },
  )
})
