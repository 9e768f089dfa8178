import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runInDemoSchema } from '#server/platform/engine/tenant.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { putBudget } from '../../../test/world/budget-world.ts'
import type { BudgetHits } from './budget-filter-sql.ts'
import { addBudgetTextSearchHits } from './budget-item-queries.ts'
import { BudgetTextCache } from './budget-text-cache.ts'

const THINGS = ['กล้องวงจรปิด CCTV', 'capital IT', 'IT-10 ระบบ', 'ถนน ลาดยาง', 'ถนนลาดยาง', 'ซ่อม กล้อง', 'ชุด 5G (ทดสอบ)']
const SEARCHES = [
  'กล้อง',
  'IT',
  '"ถนน ลาดยาง"',
  'ถนนลาดยาง',
  'กล้อง<<ซ่อม',
  'กล้อง##CCTV',
  'IT||ถนน',
  '(กล้อง||ถนน)<<แห่งที่ 3',
  'กรมที่ 2',
  'ไม่มีคำนี้',
]

const itemsOf = (year: number, n: number) =>
  Array.from({ length: n }, (_, index) => ({
    sourceId: String(index),
    ministry: 'กระทรวง',
    unit: `กรมที่ ${index % 4}`,
    plan: 'แผนงาน',
    project: index % 5 === 0 ? null : `โครงการที่ ${index % 5}`,
    output: index % 10 === 0 ? 'ผลผลิต capital' : null,
    categories: [],
    description: `${THINGS[index % THINGS.length]} แห่งที่ ${index} ปี ${year}`,
    amountSatang: 100,
  }))

/** Years with their sorted item ids; years without a hit are dropped, because SQL returns no row for them. */
const sortHits = (hits: BudgetHits) =>
  [...hits].flatMap(([year, ids]) => (ids.length > 0 ? [[year, ids.toSorted((a, b) => a - b)] as const] : [])).sort()

onEachEngine('the in-memory budget texts', (makeDb) => {
  let db: OpenDb
  const [YEARS, MEGABYTES] = [[2568, 2569], 100]
  beforeAll(async () => {
    db = await makeDb()
    await putBudget(db, 2568, itemsOf(2568, 70))
    await putBudget(db, 2569, itemsOf(2569, 33))
  })

  const bySql = async (q: string, years: readonly number[]) =>
    sortHits((await addBudgetTextSearchHits(db, { q }, { organisationId: 0, years }, undefined)).hits!)

  test('each search finds the items that the database finds, in one year and in several', async () => {
    const texts = new BudgetTextCache(db, { megabytes: MEGABYTES })
    await texts.preload(YEARS)
    for (const years of [[2568], YEARS, [2569, 2570]])
      for (const q of SEARCHES) {
        const hits = await texts.find(q, years)
        expect(hits && sortHits(hits), q).toEqual(await bySql(q, years))
      }
    for (const [, ids] of await bySql('กล้อง', YEARS)) expect(ids.length).toBeGreaterThan(5)
    expect((await bySql('กล้อง', YEARS)).map(([year]) => year)).toEqual(YEARS)
    await texts.stop()
  })

  test('leave queries to the database until loaded and after a new load, then find new items', async () => {
    const texts = new BudgetTextCache(db, { megabytes: MEGABYTES })
    expect(await texts.find('กล้อง', [2569])).toBeUndefined()
    await texts.preload([2569])
    expect(await texts.find('เครื่องบิน', [2569])).toEqual(new Map([[2569, []]]))
    await putBudget(db, 2569, [
      ...itemsOf(2569, 33),
      { ...itemsOf(2569, 1)[0]!, sourceId: 'new', description: 'เครื่องบิน' },
    ])
    expect(await texts.find('เครื่องบิน', [2569])).toBeUndefined()
    await texts.preload([2569])
    expect(sortHits((await texts.find('เครื่องบิน', [2569]))!)).toEqual(await bySql('เครื่องบิน', [2569]))
    expect(await bySql('เครื่องบิน', [2569])).toEqual([[2569, [expect.any(Number)]]])
    await texts.stop()
  })

  test('never answer the demo, whose items are in separate tables', async () => {
    const texts = new BudgetTextCache(db, { megabytes: MEGABYTES })
    await texts.preload(YEARS)
    expect(await texts.find('กล้อง', YEARS)).toBeDefined()
    expect(await runInDemoSchema(() => texts.find('กล้อง', YEARS))).toBeUndefined()
    await texts.stop()
  })

  test('leave queries to the database when the texts exceed the memory budget', async () => {
    const texts = new BudgetTextCache(db, { megabytes: 0 })
    await texts.preload([2568])
    expect(await texts.find('กล้อง', [2568])).toBeUndefined()
    await texts.stop()
  })

  afterAll(() => db.close())
})
