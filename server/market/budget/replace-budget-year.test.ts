import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { putBudget } from '../../../test/world/budget-world.ts'
import { findProvinceInText } from './replace-budget-year.ts'

onEachEngine("replacing a year's budget", (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => emptyTables(db, 'budget_items', 'budget_loads', 'budget_years'))

  const items = (fiscalYear = 2570) =>
    db.query<{ id: number; source_id: string; description: string; amount_satang: number | null }>(sql`
      select i.id, t.source_id, t.description, i.amount_satang from budget_items i join budget_item_texts t on t.item_id = i.id
      where i.fiscal_year = ${fiscalYear}::smallint order by i.id`)
  const idOf = async (description: string) => (await items()).find((item) => item.description === description)?.id

  test('an item keeps its id by its content, even when the source renumbers it', async () => {
    await putBudget(db, 2570, [
      { sourceId: '1', description: 'กล้อง' },
      { sourceId: '2', description: 'ถนน' },
    ])
    const [camera, road] = [await idOf('กล้อง'), await idOf('ถนน')]
    const report = await putBudget(db, 2570, [
      { sourceId: '1', description: 'ถนน', amountSatang: 5 },
      { sourceId: '2', description: 'กล้อง' },
    ])
    expect(report).toMatchObject({ unchanged: 2, removed: 0 })
    expect([await idOf('กล้อง'), await idOf('ถนน')]).toEqual([camera, road])
    expect((await items()).find(({ id }) => id === road)).toMatchObject({ source_id: '1', amount_satang: 5 })
  })

  test('a reworded item keeps its id by its source number, but only within its unit', async () => {
    await putBudget(db, 2570, [{ sourceId: '7', description: 'กล้อง' }])
    const before = await idOf('กล้อง')
    await putBudget(db, 2570, [{ sourceId: '7', description: 'กล้องวงจรปิด 4 ตัว' }])
    expect(await idOf('กล้องวงจรปิด 4 ตัว')).toBe(before)
    await putBudget(db, 2570, [{ sourceId: '7', unit: 'กรมอื่น', description: 'ถนน' }])
    expect(await idOf('ถนน')).not.toBe(before)
  })

  test('two items with the same content keep their own ids', async () => {
    const twice = [
      { sourceId: 'a', amountSatang: 1 },
      { sourceId: 'b', amountSatang: 2 },
    ]
    await putBudget(db, 2570, twice)
    const before = await items()
    await putBudget(db, 2570, twice.toReversed())
    expect(await items()).toEqual(before)
  })

  test('deletes items missing from the file, leaves other years alone, and keeps unknown amounts unknown', async () => {
    await putBudget(db, 2569, [{ description: 'ปีก่อน' }])
    await putBudget(db, 2570, [{ description: 'กล้อง' }, { description: 'ถนน' }])
    expect(await putBudget(db, 2570, [{ description: 'ถนน', amountSatang: null }])).toMatchObject({
      unchanged: 1,
      removed: 1,
    })
    expect((await items()).map(({ description, amount_satang }) => [description, amount_satang])).toEqual([
      ['ถนน', null],
    ])
    expect(await items(2569)).toHaveLength(1)
    const [year] = await db.query(sql`select items from budget_years where fiscal_year = 2570`)
    expect(year).toEqual({ items: 1 })
  })

  test('a file that fails midway leaves the year unchanged', async () => {
    await putBudget(db, 2570, [{ description: 'กล้อง' }])
    const before = await items()
    await expect(putBudget(db, 2570, [{ description: 'ถนน' }, { amountSatang: 1e30 }])).rejects.toThrow()
    expect(await items()).toEqual(before)
  })
})

test('takes the province from the description when it names exactly one', () => {
  expect(findProvinceInText('ถนน ตำบลก อำเภอข จังหวัดเชียงใหม่')).toBe(50)
  expect(findProvinceInText('อาคาร จ.นนทบุรี')).toBe(12)
  expect(findProvinceInText('ถนน จังหวัดเเพร่')).toBe(54)
  expect(findProvinceInText('อาคาร กรุงเทพมหา\u200bนคร')).toBe(10)
  expect(findProvinceInText('อาคาร เขตจตุจักร กรุงเทพมหานคร')).toBe(10)
  expect(findProvinceInText('สาย จังหวัดเชียงใหม่ - จังหวัดลำพูน')).toBeNull()
  expect(findProvinceInText('กล้องวงจรปิด')).toBeNull()
})
