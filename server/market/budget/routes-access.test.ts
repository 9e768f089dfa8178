import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BudgetYears, budgetYearsSchema } from '#contract/market/budget.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import {
  addBudgetOrganisation,
  BUDGET_PASSWORD,
  type BudgetFlags,
  putBudget,
} from '../../../test/world/budget-world.ts'

/** The years 2568 to 2570 have data, 2571 has none. */
const REQUESTED_YEARS = [2568, 2569, 2570, 2571]

onEachEngineInTurn("access to the budget's years", (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db)
    for (const year of [2568, 2569, 2570]) await putBudget(db, year, [{ description: `กล้องปี ${year}` }])
  })
  afterAll(() => app.close())

  const visitor = async (flags: BudgetFlags, config: Record<string, unknown> = {}) => {
    const { email } = await addBudgetOrganisation(db, flags, { config })
    const { headers } = await signIn(app, email, BUDGET_PASSWORD)
    return (url: string) => app.inject({ url: `/api/v2${url}`, headers })
  }
  const yearsOf = async (get: Awaited<ReturnType<typeof visitor>>): Promise<BudgetYears['years']> => {
    const answer = await get('/budgets/years')
    expect(answer.statusCode, answer.body).toBe(200)
    return budgetYearsSchema.parse(answer.json()).years
  }

  const flags = [
    { only: true, access: false, isOpen: true },
    { only: true, access: true, isOpen: true },
    { only: false, access: true, isOpen: true },
    { only: false, access: false, isOpen: false },
  ]
  const lists = [
    { years: '', open: [] as number[] },
    { years: '2569', open: [2569] },
    { years: ' 2026 , 2570,2571 ', open: [2571, 2570, 2569] },
  ]

  test('combines flags of organisation and user, allowed years and the requested year on every route', async () => {
    const wrong: string[] = []
    const { organisationId, userId, email } = await addBudgetOrganisation(db)
    const { headers } = await signIn(app, email, BUDGET_PASSWORD)
    const get = (url: string) => app.inject({ url: `/api/v2${url}`, headers })
    for (const { only, access, isOpen } of flags)
      for (const userFlag of [null, true, false])
        for (const { years, open } of lists) {
          await db.execute(sql`
            update organisations set is_access_budget_year_only = ${only}::boolean, is_access_budget_year = ${access}::boolean,
              allow_access_budget_year = ${years} where id = ${organisationId}::int`)
          await db.execute(sql`update users set is_access_budget_year = ${userFlag}::boolean where id = ${userId}::int`)
          // The user's flag can only remove access, and has no effect in a budget-only organisation.
          const isIn = isOpen && (only || userFlag !== false)
          const say = `only ${only}, access ${access}, user ${userFlag}, years "${years}"`
          for (const route of ['/budgets', '/budgets/summary']) {
            for (const year of REQUESTED_YEARS) {
              const { statusCode } = await get(`${route}?year=${year}&scope=all`)
              if (statusCode !== (isIn && open.includes(year) ? 200 : 403))
                wrong.push(`${say}: ${route} ${year} ${statusCode}`)
            }
            const { statusCode } = await get(route)
            if (statusCode !== (isIn && open.length > 0 ? 200 : 403)) wrong.push(`${say}: ${route} ${statusCode}`)
          }
          const answer = await get('/budgets/years')
          if (answer.statusCode !== (isIn ? 200 : 403)) wrong.push(`${say}: years ${answer.statusCode}`)
          else if (isIn) {
            const allowed = budgetYearsSchema.parse(answer.json()).years.filter((year) => year.is_allowed)
            if (String(allowed.map(({ fiscal_year }) => fiscal_year)) !== String(open))
              wrong.push(`${say}: ${answer.body}`)
          }
        }
    expect(wrong).toEqual([])
  })

  test('a locked year shows no item count, an open one without data shows 0, an empty package no years', async () => {
    expect(await yearsOf(await visitor({ years: '2569,2571' }))).toEqual([
      { fiscal_year: 2571, is_allowed: true, items: 0 },
      { fiscal_year: 2570, is_allowed: false, items: null },
      { fiscal_year: 2569, is_allowed: true, items: 1 },
      { fiscal_year: 2568, is_allowed: false, items: null },
    ])
    expect(await yearsOf(await visitor({ years: '' }))).toEqual([])
  })

  test('defaults to the newest open year with data', async () => {
    const answer = await (await visitor({ years: '2569,2571' }))('/budgets?scope=all')
    expect(answer.json()).toMatchObject({ scope: { fiscal_year: 2569, n_year: 1 }, total: 1 })
  })

  test('closes years outside the date limits', async () => {
    const get = await visitor(
      { years: '2568,2569,2570' },
      { start_date_budgetyear: '2025-09-30', end_date_budgetyear: '2026-09-30' },
    )
    expect((await yearsOf(get)).filter(({ is_allowed }) => is_allowed).map(({ fiscal_year }) => fiscal_year)).toEqual([
      2569, 2568,
    ])
    expect((await get('/budgets?year=2570')).statusCode).toBe(403)
  })

  test('refuses years with and without data identically, and hides items of a locked year as unknown', async () => {
    const get = await visitor({ years: '2569' })
    const [locked, empty] = [await get('/budgets?year=2570'), await get('/budgets?year=2599')]
    expect(locked.statusCode).toBe(403)
    expect(locked.json()).toMatchObject({ code: 'forbidden' })
    expect(locked.body).toBe(empty.body)
    const everything = await (await visitor({ years: '2568,2569,2570' }))('/budgets?scope=all&year=2570')
    const [item] = everything.json().results
    const [existing, unknown] = [await get(`/budgets/${item.id}`), await get('/budgets/999999')]
    expect([existing.statusCode, existing.body]).toEqual([404, unknown.body])
  })

  test('never shows years outside the package in figures', async () => {
    const get = await visitor({ years: '2569' })
    const summary = (await get('/budgets/summary?scope=all')).json()
    expect(summary.last_year).toBeNull()
    expect(summary.by_category[0].years).toEqual([{ fiscal_year: 2569, amount: 1_000_000 }])
    const none = (await get('/budgets?scope=all&q=ไม่มีคำนี้')).json()
    expect(none).toMatchObject({ total: 0, total_amount: 0, elsewhere: [] })
  })

  test('refuses an unreadable parameter by name and reports an ignored unknown one', async () => {
    const get = await visitor({ years: '2570' })
    const wrong = await get('/budgets?q=(กล้อง&amount__range=5,1')
    expect(wrong.statusCode).toBe(400)
    expect(Object.keys(wrong.json())).toEqual(expect.arrayContaining(['q', 'amount__range']))
    expect((await get('/budgets?colour=red')).json().ignored_parameters).toEqual(['colour'])
  })
})
