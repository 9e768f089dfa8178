import { expect, test } from 'vitest'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { getRouteCostClass, ROUTE_COST_CLASSES, ROUTE_COSTS } from './route-costs.ts'

onOneEngine('R42: cost classes', (makeDb) => {
  test('every registered route has a row in route-costs.ts, and every row a route', async () => {
    const app = await appOn(await makeDb(), { settings: { languageModel: MODEL } })
    const registered = app.listedRoutes.flatMap(({ url, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`),
    )
    await app.close()
    const rows = new Set(Object.keys(ROUTE_COSTS))
    expect(registered.filter((route) => !rows.has(route))).toEqual([])
    expect([...rows].filter((route) => !registered.includes(route))).toEqual([])
    expect(Object.values(ROUTE_COSTS).filter((cost) => !ROUTE_COST_CLASSES.includes(cost))).toEqual([])
  })
})

const MODEL = { baseUrl: 'https://models.example/v1', model: 'small', dailyQuestions: 1 }

test('HEAD costs what GET costs, a trailing slash nothing, and a route without a row takes turns', () => {
  expect(getRouteCostClass({ method: ['HEAD'], url: '/api/v2/projects/' })).toBe('page')
  expect(getRouteCostClass({ method: 'GET', url: '/api/v2/users/me/pulse' })).toBe('light')
  expect(getRouteCostClass({ method: 'GET', url: '/api/v2/new-route' })).toBe('costly')
})
