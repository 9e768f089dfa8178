import { expect, test } from 'vitest'
import { fillPath, heavyQuestions } from '../../test/heaviest-values.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn } from '../../test/server/http-app.ts'
import { isCostly } from './limit/costly-routes.ts'

type Described = { readonly parameters?: readonly { readonly name: string; readonly in: string }[] }

const PARTS = { project: '67110000001', budgetItem: 1, company: 'บริษัท ผู้ขาย จำกัด', agency: 'กรมทางหลวง' }
const walked = (url: string) =>
  new Set(heavyQuestions(fillPath(url, PARTS).slice('/api/v2'.length)).map(({ name }) => name))
/** What the walk of `heaviest.long.test.ts` asks, which takes an idle machine: here, that it leaves nothing out. */
onOneEngine('R42: the values of the walk of heavy questions', (makeDb) => {
  test('every costly route and every parameter that its description names is among them', async () => {
    const app = await appOn(await makeDb())
    const { paths: described } = app.swagger() as { paths: Record<string, { get?: Described }> }
    const costly = Object.entries(described).flatMap(([path, { get }]) => {
      const url = path.replaceAll(/\{(\w+|\*)\}/g, (_, name: string) => (name === '*' ? '*' : `:${name}`))
      return get !== undefined && isCostly({ method: 'GET', url }) ? [{ url, get }] : []
    })
    expect(costly.length).toBeGreaterThan(20)
    const missing = costly.flatMap(({ url, get }) => {
      const asked = walked(url)
      const names = (get.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
      return [
        ...(asked.size === 0 ? [url] : []),
        ...names.filter((name) => !asked.has(name)).map((name) => `${url} ${name}`),
      ]
    })
    // The one that has no parameter.
    expect(missing).toEqual(['/api/v2/organisations/me/keyword-stats'])
    await app.close()
  })
})
