import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { putBudget } from '../../../test/world/budget-world.ts'
import { findAgency } from './find-agency.ts'
import { findBudgetUnit } from './organisation-agency-queries.ts'

onEachEngine('the annual budget of an agency', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await putBudget(db, 2570, [
      { sourceId: '1', unit: 'กรมทางหลวง', description: 'ทางหลวง จังหวัดน่าน' },
      { sourceId: '2', unit: 'เทศบาลเมืองดู่', description: 'รถขยะ จังหวัดน่าน' },
      { sourceId: '3', unit: 'เทศบาลเมืองดู่', description: 'รถดับเพลิง' },
      { sourceId: '4', unit: 'เทศบาลเมืองหนองบัว', description: 'รถขยะ' },
      { sourceId: '5', unit: 'เทศบาลเมืองเดียว', description: 'รถขยะ' },
      { sourceId: '6', unit: 'เทศบาลเมืองไกล', description: 'รถขยะ จังหวัดน่าน' },
    ])
    await db.execute(sql`
      insert into departments (name, sub_name, province) values ('กรมทางหลวง', 'แขวง 1', 55), ('กรมทางหลวง', 'แขวง 2', 32),
        ('เทศบาลเมืองดู่', '', 55), ('เทศบาลเมืองดู่', '', 32), ('เทศบาลเมืองดู่', '', null),
        ('เทศบาลเมืองหนองบัว', '', 55), ('เทศบาลเมืองหนองบัว', '', 32), ('เทศบาลเมืองเดียว', '', 32), ('เทศบาลเมืองไกล', '', 32)`)
  })

  test.each([
    ['กรมทางหลวง', 'กรมทางหลวง'],
    ['เทศบาลเมืองดู่ จ.น่าน', 'เทศบาลเมืองดู่'],
    ['เทศบาลเมืองดู่ จ.สุรินทร์', undefined],
    ['เทศบาลเมืองดู่ (ไม่ทราบจังหวัด)', undefined],
    // The plain name means all bodies of that name, as the budget's unit does.
    ['เทศบาลเมืองดู่', 'เทศบาลเมืองดู่'],
    // The budget states no province, so it may be that of either body.
    ['เทศบาลเมืองหนองบัว จ.น่าน', undefined],
    ['เทศบาลเมืองเดียว', 'เทศบาลเมืองเดียว'],
    ['เทศบาลเมืองไกล', undefined],
  ])('of %s is that of %s', async (text, unit) => {
    expect((await findBudgetUnit(db, (await findAgency(db, text))!))?.unit).toBe(unit)
  })
})
