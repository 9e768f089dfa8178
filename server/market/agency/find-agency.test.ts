import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import {
  parseAgenciesWithFeedCodes,
  parseAgencyDirectory,
} from '#server/catalogue/department/parse-agency-directory.ts'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { findAgency, findAgencyUnitIds } from './find-agency.ts'

const ROWS = [
  ['0808', 'กรมทางหลวง', '', 'ส่วนราชการทั่วไป'],
  ['2103', 'กรมการแพทย์', '', 'ส่วนราชการทั่วไป'],
  ['001418600', 'กรมการแพทย์', '', 'ส่วนราชการประเภทสถานพยาบาล'],
  ['5510101', 'เทศบาลตำบลบ้านกลาง', 'ลำพูน', 'เทศบาลตำบล'],
  ['5670101', 'เทศบาลตำบลบ้านกลาง', 'เพชรบูรณ์', 'เทศบาลตำบล'],
  ['6501402', 'เทศบาลตำบลเงียบ', 'เชียงใหม่', 'เทศบาลตำบล'],
  ['001503300', 'เทศบาลตำบลท่าข้าม', 'ฉะเชิงเทรา', 'เทศบาลตำบล'],
  ['5920401', 'เทศบาลตำบลท่าข้าม', 'ตรัง', 'เทศบาลตำบล'],
] as const

onEachEngine('an agency by code and by name', (makeDb) => {
  let db: OpenDb

  beforeAll(async () => {
    db = await makeDb()
    const rows = ROWS.map(([dept_code, dept_name, province, affiliation]) => ({
      dept_code,
      dept_name,
      province,
      affiliation,
    }))
    await db.transaction((tx) =>
      replaceAgencyDirectory(
        tx,
        parseAgencyDirectory(rows),
        parseAgenciesWithFeedCodes(rows),
        new Date('2026-11-21T03:00:00Z'),
      ),
    )
    await db.execute(sql`
      insert into departments (name, sub_name, province) values ('กรมทางหลวง', 'แขวง 1', 10), ('กรมทางหลวง', '', 50), ('กรมการแพทย์', 'โรงพยาบาล', 10),
        ('เทศบาลตำบลบ้านกลาง', 'กองช่าง', 51), ('เทศบาลตำบลบ้านกลาง', 'กองช่าง', 67), ('เทศบาลตำบลบ้านกลาง', 'กองคลัง', 67), ('กรมไม่มีรหัส', '', 10),
        ('เทศบาลตำบลท่าข้าม', '', 24), ('เทศบาลตำบลท่าข้าม', '', 92),
        ('องค์การบริหารส่วนตำบลหนองบัว', '', 21), ('องค์การบริหารส่วนตำบลหนองบัว', '', 92), ('องค์การบริหารส่วนตำบลหนองบัว', '', null),
        ('องค์การบริหารส่วนตำบลเดียว', '', 21), ('องค์การบริหารส่วนตำบลเดียว', 'กองช่าง', null)`)
  })

  const summaryOf = async (part: string) => {
    const agency = await findAgency(db, part)
    return (
      agency && [
        agency.code,
        agency.name,
        agency.province,
        agency.units.length,
        agency.same_name.map(({ code }) => code),
      ]
    )
  }

  test.each([
    ['0808', ['0808', 'กรมทางหลวง', null, 2, ['0808']]],
    ['กรมทางหลวง', ['0808', 'กรมทางหลวง', null, 2, ['0808']]],
    // Two agencies have the same name in different provinces, each with separate units; the name without a province
    // includes both.
    ['5510101', ['5510101', 'เทศบาลตำบลบ้านกลาง', 'ลำพูน', 1, ['5510101', '5670101']]],
    ['5670101', ['5670101', 'เทศบาลตำบลบ้านกลาง', 'เพชรบูรณ์', 2, ['5510101', '5670101']]],
    ['เทศบาลตำบลบ้านกลาง', [null, 'เทศบาลตำบลบ้านกลาง', null, 3, ['5510101', '5670101']]],
    // Project data cannot distinguish two codes of the same province.
    ['2103', ['2103', 'กรมการแพทย์', null, 1, ['001418600', '2103']]],
    ['6501402', ['6501402', 'เทศบาลตำบลเงียบ', null, 0, ['6501402']]],
    ['กรมไม่มีรหัส', [null, 'กรมไม่มีรหัส', null, 1, []]],
    ['001503300', ['001503300', 'เทศบาลตำบลท่าข้าม', 'ฉะเชิงเทรา', 1, ['001503300', '5920401']]],
    ['เทศบาลตำบลท่าข้าม จ.ตรัง', ['5920401', 'เทศบาลตำบลท่าข้าม', 'ตรัง', 1, ['001503300', '5920401']]],
    // These agencies are not in the directory, so they are identified by name and province; projects without a province
    // form a separate agency.
    ['องค์การบริหารส่วนตำบลหนองบัว', [null, 'องค์การบริหารส่วนตำบลหนองบัว', null, 3, [null, null, null]]],
    ['องค์การบริหารส่วนตำบลหนองบัว จ.ระยอง', [null, 'องค์การบริหารส่วนตำบลหนองบัว', 'ระยอง', 1, [null, null, null]]],
    ['องค์การบริหารส่วนตำบลหนองบัว (ไม่ทราบจังหวัด)', [null, 'องค์การบริหารส่วนตำบลหนองบัว', null, 1, [null, null, null]]],
    ['องค์การบริหารส่วนตำบลหนองบัว จ.เลย', undefined],
    // Only one agency has this name, so with and without the province it includes units of unknown province.
    ['องค์การบริหารส่วนตำบลเดียว', [null, 'องค์การบริหารส่วนตำบลเดียว', null, 2, []]],
    ['องค์การบริหารส่วนตำบลเดียว จ.ระยอง', [null, 'องค์การบริหารส่วนตำบลเดียว', null, 2, []]],
    ['องค์การบริหารส่วนตำบลเดียว จ.เลย', undefined],
    // A state department is one agency, wherever its units are.
    ['กรมทางหลวง จ.เชียงใหม่', undefined],
    ['99999', undefined],
    ['กรมที่ไม่มี', undefined],
    ['', undefined],
  ])('%s', async (part, agency) => {
    expect(await summaryOf(part)).toEqual(agency)
  })

  test('selects units by name, and all units when none or the agency itself is named', async () => {
    const agency = (await findAgency(db, '0808'))!
    expect([undefined, 'แขวง 1', 'กรมทางหลวง', 'แขวง 2'].map((unit) => findAgencyUnitIds(agency, unit).length)).toEqual(
      [2, 1, 1, 0],
    )
    expect(agency.ministry).toBe('ส่วนราชการทั่วไป')
  })
})
