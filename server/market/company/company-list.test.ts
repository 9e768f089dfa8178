import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import {
  type CompanyList,
  type CompanyRow,
  companyListSchema,
  MIN_BIDS_FOR_WIN_RATE,
  MIN_DISCOUNTS_TO_RANK,
} from '#contract/market/company.ts'
import { COMPANY_SORT_FIELDS } from '#contract/market/company-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { COMPANY_FIGURES_VERSION } from './company-scope.ts'
import {
  type CompanyFactFixture,
  type CompanyFactFixtures,
  generateCompanyFacts,
  storeCompanyFactFixtures,
} from './facts-for-tests.ts'
import { CompanyFactCache } from './memory/company-fact-cache.ts'
import { recountCompanyFigures } from './queries/recount-figures.ts'
import { companyListRoutes } from './routes-list.ts'

const EMAIL = 'sales@tharamek.example'
const rounded = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
const bahtOf = (satang: number | null) => (satang === null ? null : satang / 100)
const sumOf = (values: readonly (number | null)[]) => {
  const knownValues = values.filter((value) => value !== null)
  return knownValues.length === 0 ? null : knownValues.reduce((sum, value) => sum + value, 0)
}
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}
const discountOf = (facts: readonly CompanyFactFixture[]) => {
  const saved = facts.map((fact) => fact.base! - fact.value!)
  const base = sumOf(facts.map((fact) => fact.base))
  return {
    n: facts.length,
    weighted: base === null ? null : sumOf(saved)! / base,
    median: medianOf(facts.map((fact, i) => saved[i]! / fact.base!)),
  }
}

function plainFigures(facts: readonly CompanyFactFixture[]) {
  const wins = facts.filter((fact) => fact.isWinner)
  const covered = facts.filter((fact) => fact.coverage > 0)
  const decided = covered.filter((fact) => fact.isDecided)
  const won = covered.filter((fact) => fact.isWinner)
  const priced = discountOf(facts.filter((fact) => fact.base !== null && !fact.isAgainstBudget))
  const onBudget = discountOf(facts.filter((fact) => fact.base !== null && fact.isAgainstBudget))
  const winRate = decided.length < MIN_BIDS_FOR_WIN_RATE ? null : won.length / decided.length
  return {
    sorted: {
      wins: wins.length,
      value: sumOf(facts.map((fact) => fact.value)),
      bids: covered.length === 0 ? null : decided.length,
      win_rate: covered.length === 0 ? null : winRate,
      weighted_discount: priced.weighted,
      median_discount: priced.median,
      departments: new Set(wins.map((fact) => fact.department)).size,
      last_win:
        wins
          .map((fact) => fact.decidedOn)
          .toSorted()
          .at(-1) ?? null,
    },
    shown: {
      wins: wins.length,
      value: bahtOf(sumOf(facts.map((fact) => fact.value))),
      bids: covered.length === 0 ? null : { bids: decided.length, won: won.length, win_rate: rounded(winRate) },
      discount: {
        n: priced.n,
        weighted: rounded(priced.weighted),
        median: rounded(priced.median),
        against_budget: { n: onBudget.n, weighted: rounded(onBudget.weighted), median: rounded(onBudget.median) },
      },
      departments: new Set(wins.map((fact) => fact.department)).size,
      last_win_date:
        wins
          .map((fact) => fact.decidedOn)
          .toSorted()
          .at(-1) ?? null,
      coverage: {
        full: facts.filter((fact) => fact.coverage === 2).length,
        names: facts.filter((fact) => fact.coverage === 1).length,
        winner: facts.filter((fact) => fact.coverage === 0).length,
      },
    },
  }
}

type Filter = {
  readonly query: Readonly<Record<string, string>>
  readonly holds: (fact: CompanyFactFixture, world: CompanyFactFixtures) => boolean
  /** Condition on the company itself, for filters that select companies independently of projects. */
  readonly lists?: (id: number, facts: readonly CompanyFactFixture[], world: CompanyFactFixtures) => boolean
}
const FILTERS: Readonly<Record<string, Filter>> = {
  nothing: { query: {}, holds: () => true },
  'one year': { query: { year_from: '2568', year_to: '2568' }, holds: ({ year }) => year === 2568 },
  'years from': { query: { year_from: '2568' }, holds: ({ year }) => year !== null && year >= 2568 },
  'years to': { query: { year_to: '2568' }, holds: ({ year }) => year !== null && year <= 2568 },
  method: { query: { project_method__in: 'e_bidding||selective' }, holds: ({ method }) => method !== 'specific' },
  type: { query: { project_method_type__in: 'buy' }, holds: ({ type }) => type === 'buy' },
  province: {
    query: { project_province__in: 'เชียงใหม่||ภูเก็ต' },
    holds: ({ province }) => province === 50 || province === 83,
  },
  'a department': {
    query: { project_dept_sub__in: 'กรม 1' },
    holds: ({ department }) => department === 'กรม 1',
  },
  'a unit of a year': {
    query: { project_dept_sub__in: 'กอง 1', year_from: '2567', year_to: '2568' },
    holds: ({ unit, year }) => unit === 'กอง 1' && (year === 2567 || year === 2568),
  },
  'our report': {
    query: { scope: 'watch' },
    holds: ({ project }, { watched }) => watched.has(project),
  },
  'a group of our words': {
    query: { keyword_group__in: '901' },
    holds: ({ project }, { grouped }) => grouped.has(project),
  },
  'two groups of our words in a year': {
    query: { keyword_group__in: '901||902', year_from: '2568', year_to: '2568' },
    holds: ({ project, year }, { watched }) => watched.has(project) && year === 2568,
  },
  'companies that we met': {
    query: { met: 'true' },
    holds: () => true,
    lists: (id, _, { facts, starred }) => facts.some((fact) => fact.company === id && starred.has(fact.project)),
  },
  SMEs: { query: { check_sme: 'true' }, holds: () => true, lists: (id, _, { smes }) => smes.has(id) },
  'a value': {
    query: { company_value__range: '300000,2000000', year_from: '2567', year_to: '2567' },
    holds: ({ year }) => year === 2567,
    lists: (_, facts) => {
      const value = sumOf(facts.map((fact) => fact.value))
      return value !== null && value >= 30_000_000 && value <= 200_000_000
    },
  },
  'part of a name': {
    query: { project_winner_name__in: 'บริษัท ทด 1||ทด2', project_method__in: 'e_bidding' },
    holds: ({ method }) => method === 'e_bidding',
    lists: (id, _, { names }) => ['ทด1', 'ทด2'].some((part) => toCompanyNameKey(names.get(id)!).includes(part)),
  },
}
const ORDERINGS = COMPANY_SORT_FIELDS.flatMap((field) => [field, `-${field}`] as const)

async function appFromMemory(db: OpenDb, memory: CompanyFactCache | undefined): Promise<RouteApp> {
  const [user] = await db.query<{ id: number; organisation_id: number }>(
    sql`select u.id, u.organisation_id from users u where u.email_key = ${EMAIL}`,
  )
  const actor: Actor = {
    organisationId: user!.organisation_id,
    userId: user!.id,
    sessionId: '-',
    role: 'member_user',
    isDemo: false,
    features: ['company_compare'],
  }
  const app: RouteApp = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializer)
  const mails = { queue: async () => undefined, link: (address: string) => address }
  const context = { db, memory, mails, now: () => new Date(), actorOf: async () => actor }
  await app.register(async (scope: RouteApp) => companyListRoutes(scope, context), { prefix: '/api/v2' })
  return app
}

onEachEngineInTurn('list of companies', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let fast: RouteApp
  let memory: CompanyFactCache
  let me: SignedIn
  let world: CompanyFactFixtures

  /** Requests the list from the database and asserts that the memory returns the same. */
  const requestList = async (query: Readonly<Record<string, string>>): Promise<CompanyList> => {
    const url = `/api/v2/companies?${new URLSearchParams(query)}`
    const answer = await app.inject({ url, headers: me.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    const left = memory.answered.sql
    const fromMemory = await fast.inject({ url })
    expect(fromMemory.json(), url).toEqual(answer.json())
    expect(memory.answered.sql).toBe(left)
    return companyListSchema.parse(answer.json())
  }
  const plainly = (filter: Filter, ordering: string) => {
    const field = ordering.replace('-', '')
    const facts = world.facts.filter((fact) => filter.holds(fact, world))
    const companies = [...Map.groupBy(facts, ({ company }) => company)]
      .filter(([id, companyFacts]) => filter.lists?.(id, companyFacts, world) ?? true)
      .map(([id, companyFacts]) => ({ id, ...plainFigures(companyFacts) }))
    const compare = new Intl.Collator('th').compare
    const keyOf = (company: (typeof companies)[number]) =>
      field === 'name' ? world.names.get(company.id)! : company.sorted[field as keyof typeof company.sorted]
    companies.sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)]
      // When ranked by a discount, companies with fewer than five projects come last, sorted in the same way among
      // themselves.
      if (field.endsWith('_discount')) {
        const behind = (company: typeof a) => Number(company.shown.discount.n < MIN_DISCOUNTS_TO_RANK)
        if (behind(a) !== behind(b)) return behind(a) - behind(b)
      }
      if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id
      const order = typeof x === 'string' ? compare(x, String(y)) : x - Number(y)
      return (ordering.startsWith('-') ? -order : order) || a.id - b.id
    })
    const projects = new Map(facts.map((fact) => [fact.project, fact.coverage]))
    return { companies, projects }
  }
  const presentedFields = ({ id, wins, value, bids, discount, departments, last_win_date, coverage }: CompanyRow) => ({
    id,
    ...{ wins, value, bids, discount, departments, last_win_date, coverage },
  })

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { reportMemoryMb: 0 } })
    me = await signIn(app, EMAIL)
    world = await storeCompanyFactFixtures(db, generateCompanyFacts(7), EMAIL)
    await db.execute(
      sql`update loads set companies_version = ${COMPANY_FIGURES_VERSION}::smallint where id = ${await addLoad(db)}::bigint`,
    )
  })
  beforeAll(async () => {
    memory = new CompanyFactCache(db, { megabytes: 64 })
    await memory.load()
    fast = await appFromMemory(db, memory)
  })
  afterAll(() => Promise.all([app.close(), fast.close()]))

  describe.each(Object.entries(FILTERS))('of %s', (_, filter) => {
    test('every ordering equals a plain count over the projects', async () => {
      for (const ordering of ORDERINGS) {
        const { companies } = plainly(filter, ordering)
        const list = await requestList({ ...filter.query, ordering, page_size: '100' })
        expect(companies.length).toBeGreaterThan(1)
        expect(list.results.map(presentedFields), ordering).toEqual(
          companies.map(({ id, shown: figures }) => ({ id, ...figures })),
        )
        expect(list.total).toBe(companies.length)
        expect(list.totals).toEqual({
          wins: sumOf(companies.map((company) => company.sorted.wins)),
          value: bahtOf(sumOf(companies.map((company) => company.sorted.value))),
        })
      }
    })

    test('the scope counts each project once, however many companies took part', async () => {
      const { projects } = plainly(filter, '-value')
      const { scope } = await requestList(filter.query)
      const coverages = [...projects.values()]
      expect(scope).toMatchObject({
        universe: filter.query.keyword_group__in ? 'watch' : (filter.query.scope ?? 'all'),
        n: projects.size,
        coverage: {
          full: coverages.filter((coverage) => coverage === 2).length,
          names: coverages.filter((coverage) => coverage === 1).length,
          winner: coverages.filter((coverage) => coverage === 0).length,
        },
      })
      expect(scope.amounts_in_doubt ?? 0).toBe([...projects.keys()].filter((id) => world.inDoubt.has(id)).length)
      expect(scope.computed_at).not.toBeNull()
    })
  })

  test('totals cover all results, and pages neither skip nor repeat', async () => {
    const [first, second, all] = [
      await requestList({ page_size: '20' }),
      await requestList({ page_size: '20', page: '2' }),
      await requestList({ page_size: '100' }),
    ]
    expect(first.totals).toEqual(all.totals)
    expect(second.totals).toEqual(all.totals)
    expect([...first.results, ...second.results]).toEqual(all.results.slice(0, 40))
    expect(first.links).toEqual({ next: '/api/v2/companies?page=2&page_size=20', previous: null })
    expect(second.links.previous).toBe('/api/v2/companies?page_size=20')
  })

  test('a group without words or of another organisation finds nothing', async () => {
    for (const group of ['903', '904', '999'])
      expect(await requestList({ keyword_group__in: group }), group).toMatchObject({ total: 0, scope: { n: 0 } })
  })

  test('lists years with awards, newest first', async () => {
    expect((await requestList({ year_from: '2568' })).years).toEqual([2569, 2568, 2567])
  })

  test('finds a name by a former spelling, both encodings of sara am, or part of a tax id', async () => {
    const [old, composed] = ['หจก. เดิมน้ำดี', 'เดิมน\u0e4d\u0e49\u0e32ดี']
    for (const text of [old, composed, '0000000000031'.slice(8)]) {
      const { results } = await requestList({ project_winner_name__in: text })
      expect(
        results.map(({ name }) => name),
        text,
      ).toEqual([world.names.get(world.aliased)])
    }
  })

  test('an unknown name finds nothing and suggests similar ones', async () => {
    const list = await requestList({ project_winner_name__in: 'เดิมน้ำดีมาก' })
    expect(list).toMatchObject({ total: 0, results: [], totals: { wins: 0, value: null } })
    expect(list.similar[0]).toMatchObject({ id: world.aliased })
    expect((await requestList({ project_winner_name__in: 'ฮฮฮฮฮฮ' })).similar).toEqual([])
  })

  test('suggests a company outside the scope; an unknown department finds nothing', async () => {
    const query = { project_winner_name__in: 'เดิมน้ำดี', project_dept_sub__in: 'กรมที่ไม่มี' }
    const list = await requestList(query)
    expect(list).toMatchObject({ total: 0, scope: { n: 0, year_from: null } })
    expect(list.similar.map(({ id }) => id)).toEqual([world.aliased])
  })

  test('refuses an unreadable parameter by name and reports an ignored unknown one', async () => {
    const refused = await app.inject({ url: '/api/v2/companies?ordering=luck&year_from=25', headers: me.headers })
    expect(refused.statusCode).toBe(400)
    expect(Object.keys(refused.json())).toEqual(expect.arrayContaining(['ordering', 'year_from']))
    expect((await requestList({ colour: 'red' })).ignored_parameters).toEqual(['colour'])
  })

  test('after a load or a change of the report or a group, every process answers like SQL at once', async () => {
    const secondMemory = new CompanyFactCache(db, { megabytes: 64 })
    await secondMemory.load()
    const secondApp = await appFromMemory(db, secondMemory)
    const agree = async () => {
      // Use a fresh server without cached counts, because SQL may show the scope as it was before a load while it
      // counts the next one.
      const bySql = await appFromMemory(db, undefined)
      for (const query of ['', 'scope=watch', 'keyword_group__in=902']) {
        const url = `/api/v2/companies?page_size=20&${query}`
        const expected = (await bySql.inject({ url })).json()
        for (const server of [fast, secondApp]) expect((await server.inject({ url })).json(), query).toEqual(expected)
      }
      await bySql.close()
    }
    await agree()
    const [match] = await db.query<{ organisation_id: number; project_id: string }>(sql`
      select m.organisation_id, m.project_id from project_matches m join company_projects f on f.project_id = m.project_id and f.is_winner
      where m.organisation_id = (select u.organisation_id from users u where u.email_key = ${EMAIL}) order by m.project_id limit 1`)
    await db.execute(sql`
      delete from project_matches where organisation_id = ${match!.organisation_id}::int and project_id = ${match!.project_id}::text`)
    await agree()
    await db.execute(sql`update keywords set group_id = 902 where id = 9011`)
    await agree()
    expect(secondMemory.answered.sql).toBe(0)

    await db.execute(sql`delete from company_projects where project_id = ${match!.project_id}::text`)
    await recountCompanyFigures(db, [...world.names.keys()])
    const load = await addLoad(db)
    await db.execute(
      sql`update loads set companies_version = ${COMPANY_FIGURES_VERSION}::smallint where id = ${load}::bigint`,
    )
    await agree()
    expect(secondMemory.answered.sql).toBeGreaterThan(0)
    await Promise.all([memory.load(), secondMemory.load()])
    const before = secondMemory.answered.sql
    await agree()
    expect(secondMemory.answered.sql).toBe(before)
    await Promise.all([secondApp.close(), secondMemory.stop()])
  })

  test('falls back to SQL when the data exceeds its memory', async () => {
    const none = new CompanyFactCache(db, { megabytes: 0.01 })
    await none.load()
    expect(none.isLoaded).toBe(false)
    const [uncached, bySql] = [await appFromMemory(db, none), await appFromMemory(db, undefined)]
    const url = '/api/v2/companies?ordering=-wins'
    expect((await uncached.inject({ url })).json()).toEqual((await bySql.inject({ url })).json())
    expect(none.answered).toEqual({ memory: 0, sql: 1 })
    await Promise.all([uncached.close(), bySql.close()])
  })
})
