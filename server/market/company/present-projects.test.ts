import { afterAll, beforeAll, expect, test } from 'vitest'
import { companyTimelineSchema } from '#contract/market/company.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import {
  ALPHA,
  BETA,
  CAMERA,
  type CompanyWorld,
  companyWorld,
  PERSON,
  ROAD,
} from '../../../test/world/company-world.ts'

onEachEngine('GET /companies/{name}/projects and /timeline', (makeDb) => {
  let world: CompanyWorld

  beforeAll(async () => {
    world = await companyWorld(await makeDb())
  })
  afterAll(() => world.app.close())

  test('rows show bids and wins, but never the identity of a person', async () => {
    const all = await world.projects({ ordering: 'name', page_size: '100' })
    const of = (id: string) => all.results.find(({ project_id }) => project_id === id)
    expect(of('p1')).toMatchObject({
      is_winner: true,
      value: 900_000,
      bid_price: 900_000,
      bidders: 3,
      winner_count: 1,
      discount: { rate: 0.1, against: 'reference' },
    })
    expect(of('p2')).toMatchObject({
      is_winner: false,
      value: null,
      bid_price: 1_900_000,
      winner_name: BETA.name,
      discount: null,
    })
    expect(of('p3')).toMatchObject({
      bidders: null,
      project_province: 'เชียงใหม่',
      discount: { rate: 0.1, against: 'budget' },
    })
    expect(of('p6')).toMatchObject({ is_winner: false, value: null, decided_date: null })
    expect(all.results.map(({ name }) => name)).toEqual([...Array(6).fill(ROAD), ...Array(4).fill(CAMERA)])
  })

  test('every ordering is total with unknown last, and page links visit every row once', async () => {
    const values = async (ordering: string) =>
      (await world.projects({ ordering, rows: 'wins', page_size: '100' })).results.map(({ value }) => value)
    const knownValues = [110_000, 120_000, 300_000, 300_000, 450_000, 900_000]
    expect(await values('value')).toEqual([...knownValues, null])
    expect(await values('-value')).toEqual([...knownValues.toReversed(), null])
    const dates = (await world.projects({})).results.map(({ decided_date }) => decided_date)
    expect(dates).toEqual([
      ...dates
        .filter((date) => date !== null)
        .toSorted()
        .toReversed(),
      null,
    ])
    const second = await world.projects({ page: '2', page_size: '20', rows: 'wins' })
    expect([second.results, second.total, second.links.next]).toEqual([[], 7, null])
    expect(second.links.previous).toContain('rows=wins')
    expect(second.links.previous).toContain('page=1')
  })

  test('the timeline has wins and bids, oldest first', async () => {
    const answer = companyTimelineSchema.parse(
      (await world.ask(world.url(ALPHA.name, '/timeline', { scope: 'watch' }))).json(),
    )
    expect(
      answer.results.map(({ project_id, date, value, is_winner, in_report }) => [
        project_id,
        date,
        value,
        is_winner,
        in_report,
      ]),
    ).toEqual([
      ['p1', '2025-03-01', 900_000, true, true],
      ['p2', '2025-04-01', 1_900_000, false, true],
      ['p5', '2026-05-01', 300_000, true, true],
      ['p7', '2026-10-15', null, true, true],
    ])
    expect(answer.total).toBe(4)
  })

  test('refuses an unreadable parameter by name; an unknown company is 404', async () => {
    const refused = async (query: Record<string, string>, part = '') => {
      const answer = await world.ask(world.url(ALPHA.name, part, query))
      return [answer.statusCode, ...Object.keys(answer.json()).filter((name) => name !== 'non_field_errors')]
    }
    expect(await refused({ year_from: 'abc' })).toEqual([400, 'year_from'])
    expect(await refused({ scope: 'mine' })).toEqual([400, 'scope'])
    for (const rows of [
      'nothing',
      'year:abc',
      'discount:0.03',
      'province:ดวงจันทร์',
      'with:x',
      'with:1:draw',
      'size:1-2',
    ])
      expect(await refused({ rows }, '/projects')).toEqual([400, 'rows'])
    expect(await refused({ ordering: '-wins' }, '/projects')).toEqual([400, 'ordering'])
    expect((await world.ask(`${world.url(ALPHA.name)}scope=all&scope=watch`)).statusCode).toBe(400)
    for (const part of ['', '/projects', '/timeline']) {
      for (const name of ['บริษัท ไม่มี จำกัด', PERSON.name, PERSON.tin, '%00', ' '])
        expect([name, (await world.ask(world.url(name, part))).body]).toEqual([name, '{"code":"not_found"}'])
      expect((await world.ask(world.url(ALPHA.name, part, { tin: BETA.tin.replace('2', '3') }))).statusCode).toBe(404)
    }
  })
})
