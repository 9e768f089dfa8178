import { expect, test } from 'vitest'
import { buildHeavyRequests, fillPath } from '../../test/heaviest-values.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn } from '../../test/server/http-app.ts'
import { isQueuedRoute } from './limit/costly-routes.ts'

type Described = {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
}

const PARTS = {
  ...{ project: '67110000001', budgetItem: 1, company: 'บริษัท ผู้ขาย จำกัด', agency: 'กรมทางหลวง' },
  ...{ keyword: 1, document: 1 },
}
const questionsOf = (url: string) => buildHeavyRequests(fillPath(url, PARTS).slice('/api/v2'.length))
/** Checks that `heaviest.long.test.ts`, which needs an idle machine, covers every query. */
onOneEngine('R42: the values of the walk of heavy questions', (makeDb) => {
  test('cover every route that takes turns, every documented parameter and every body', async () => {
    const app = await appOn(await makeDb())
    const { paths: described } = app.swagger() as { paths: Record<string, Record<string, Described>> }
    const costly = Object.entries(described).flatMap(([path, operations]) => {
      const url = path.replaceAll(/\{(\w+|\*)\}/g, (_, name: string) => (name === '*' ? '*' : `:${name}`))
      return Object.entries(operations)
        .filter(([method]) => method === 'get' || method === 'post')
        .filter(([method]) => isQueuedRoute({ method: method.toUpperCase(), url }))
        .map(([method, operation]) => ({ url, method, operation }))
    })
    expect(costly.length).toBeGreaterThan(60)
    const missing = costly.flatMap(({ url, method, operation }) => {
      const questions = questionsOf(url)
      const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      return [
        ...(method !== 'get' && !questions.some(({ body }) => body) ? [`${method} ${url}`] : []),
        ...names
          .filter((name) => !questions.some((question) => question.name === name))
          .map((name) => `${url} ${name}`),
      ]
    })
    expect(missing).toEqual([])
    await app.close()
  })
})
