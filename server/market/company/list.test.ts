import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { companyNameKey } from '#contract/catalogue/company-name.ts'
import {
  type CompanyList,
  type CompanyRow,
  companyListSchema,
  FEWEST_BIDS,
  FEWEST_DISCOUNTS,
} from '#contract/market/company.ts'
import { COMPANY_SORT_FIELDS } from '#contract/market/company-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { answerSerializer } from '#server/platform/route/answer-serializer.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { COMPANIES_VERSION } from './company-scope.ts'
import { type Fact, type FactWorld, inventFacts, storeFacts } from './facts-for-tests.ts'
import { CompanyMemory } from './memory/company-memory.ts'
import { countCompanies } from './queries/figures.ts'
import { companyListRoutes } from './routes-list.ts'

const EMAIL = 'sales@tharamek.example'
const rounded = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
const bahtOf = (satang: number | null) => (satang === null ? null : satang / 100)
const sumOf = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}
const discountOf = (facts: readonly Fact[]) => {
  const saved = facts.map((fact) => fact.base! - fact.value!)
  const base = sumOf(facts.map((fact) => fact.base))
  return {
    n: facts.length,
    weighted: base === null ? null : sumOf(saved)! / base,
    median: medianOf(facts.map((fact, i) => saved[i]! / fact.base!)),
  }
}

/** The list's figures, computed naively from the facts. */
function plainFigures(facts: readonly Fact[]) {
  const wins = facts.filter((fact) => fact.isWinner)
  const known = facts.filter((fact) => fact.coverage > 0)
  const decided = known.filter((fact) => fact.isDecided)
  const won = known.filter((fact) => fact.isWinner)
  const priced = discountOf(facts.filter((fact) => fact.base !== null && !fact.isAgainstBudget))
  const onBudget = discountOf(facts.filter((fact) => fact.base !== null && fact.isAgainstBudget))
  const winRate = decided.length < FEWEST_BIDS ? null : won.length / decided.length
  return {
    sorted: {
      wins: wins.length,
      value: sumOf(facts.map((fact) => fact.value)),
      bids: known.length === 0 ? null : decided.length,
      win_rate: known.length === 0 ? null : winRate,
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
      bids: known.length === 0 ? null : { bids: decided.length, won: won.length, win_rate: rounded(winRate) },
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
  readonly holds: (fact: Fact, world: FactWorld) => boolean
  /** Company filter, independent of projects. */
  readonly lists?: (id: number, facts: readonly Fact[], world: FactWorld) => boolean
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
    lists: (id, _, { names }) => ['ทด1', 'ทด2'].some((part) => companyNameKey(names.get(id)!).includes(part)),
  },
}
const ORDERINGS = COMPANY_SORT_FIELDS.flatMap((field) => [field, `-${field}`] as const)

/** App with only the list routes, for the user `EMAIL`. */
async function appFromMemory(db: OpenDb, memory: CompanyMemory | undefined): Promise<RouteApp> {
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
  app.setSerializerCompiler(answerSerializer)
  const mails = { queue: async () => undefined, link: (address: string) => address }
  const context = { db, memory, mails, now: () => new Date(), actorOf: async () => actor }
  await app.register(async (scope: RouteApp) => companyListRoutes(scope, context), { prefix: '/api/v2' })
  return app
}

onEachEngineInTurn('list of companies', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let fast: RouteApp
  let memory: CompanyMemory
  let me: SignedIn
  let world: FactWorld

  /** Queries the database and asserts that the memory returns the same. */
  const ask = async (query: Readonly<Record<string, string>>): Promise<CompanyList> => {
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
      .filter(([id, own]) => filter.lists?.(id, own, world) ?? true)
      .map(([id, own]) => ({ id, ...plainFigures(own) }))
    const compare = new Intl.Collator('th').compare
    const keyOf = (one: (typeof companies)[number]) =>
      field === 'name' ? world.names.get(one.id)! : one.sorted[field as keyof typeof one.sorted]
    companies.sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)]
      // When ranked by a discount, companies with fewer than five projects come last, in the same order.
      if (field.endsWith('_discount')) {
        const behind = (one: typeof a) => Number(one.shown.discount.n < FEWEST_DISCOUNTS)
        if (behind(a) !== behind(b)) return behind(a) - behind(b)
      }
      if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id
      const order = typeof x === 'string' ? compare(x, String(y)) : x - Number(y)
      return (ordering.startsWith('-') ? -order : order) || a.id - b.id
    })
    const projects = new Map(facts.map((fact) => [fact.project, fact.coverage]))
    return { companies, projects }
  }
  const shown = ({ id, wins, value, bids, discount, departments, last_win_date, coverage }: CompanyRow) => ({
    id,
    ...{ wins, value, bids, discount, departments, last_win_date, coverage },
  })

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { reportMemoryMb: 0 } })
    me = await signIn(app, EMAIL)
    world = await storeFacts(db, inventFacts(7), EMAIL)
    await db.execute(
      sql`update loads set companies_version = ${COMPANIES_VERSION}::smallint where id = ${await addLoad(db)}::bigint`,
    )
  })
  beforeAll(async () => {
    memory = new CompanyMemory(db, { megabytes: 64 })
    await memory.hold()
    fast = await appFromMemory(db, memory)
  })
  afterAll(() => Promise.all([app.close(), fast.close()]))

  describe.each(Object.entries(FILTERS))('of %s', (_, filter) => {
    test('every ordering gives what counting the projects plainly gives', async () => {
      for (const ordering of ORDERINGS) {
        const { companies } = plainly(filter, ordering)
        const list = await ask({ ...filter.query, ordering, page_size: '100' })
        expect(companies.length).toBeGreaterThan(1)
        expect(list.results.map(shown), ordering).toEqual(
          companies.map(({ id, shown: figures }) => ({ id, ...figures })),
        )
        expect(list.total).toBe(companies.length)
        expect(list.totals).toEqual({
          wins: sumOf(companies.map((one) => one.sorted.wins)),
          value: bahtOf(sumOf(companies.map((one) => one.sorted.value))),
        })
      }
    })

    test('the scope counts each project once, whoever took part in it', async () => {
      const { projects } = plainly(filter, '-value')
      const { scope } = await ask(filter.query)
      const known = [...projects.values()]
      expect(scope).toMatchObject({
        universe: filter.query.keyword_group__in ? 'watch' : (filter.query.scope ?? 'all'),
        n: projects.size,
        coverage: {
          full: known.filter((coverage) => coverage === 2).length,
          names: known.filter((coverage) => coverage === 1).length,
          winner: known.filter((coverage) => coverage === 0).length,
        },
      })
      expect(scope.computed_at).not.toBeNull()
    })
  })

  test('the totals are over all that was found, and pages neither skip nor repeat', async () => {
    const [first, second, whole] = [
      await ask({ page_size: '20' }),
      await ask({ page_size: '20', page: '2' }),
      await ask({ page_size: '100' }),
    ]
    expect(first.totals).toEqual(whole.totals)
    expect(second.totals).toEqual(whole.totals)
    expect([...first.results, ...second.results]).toEqual(whole.results.slice(0, 40))
    expect(first.links).toEqual({ next: '/api/v2/companies?page=2&page_size=20', previous: null })
    expect(second.links.previous).toBe('/api/v2/companies?page_size=20')
  })

  test('a group that has no word, or is not ours, finds nothing', async () => {
    for (const group of ['903', '904', '999'])
      expect(await ask({ keyword_group__in: group }), group).toMatchObject({ total: 0, scope: { n: 0 } })
  })

  test('years are those with awards, newest first', async () => {
    expect((await ask({ year_from: '2568' })).years).toEqual([2569, 2568, 2567])
  })

  test('a name is found by an old spelling, by both encodings of sara am, and by part of a tax id', async () => {
    const [old, composed] = ['หจก. เดิมน้ำดี', 'เดิมน\u0e4d\u0e49\u0e32ดี']
    for (const text of [old, composed, '0000000000031'.slice(8)]) {
      const { results } = await ask({ project_winner_name__in: text })
      expect(
        results.map(({ name }) => name),
        text,
      ).toEqual([world.names.get(world.aliased)])
    }
  })

  test('a name that nobody bears finds nothing and is told what is like it', async () => {
    const list = await ask({ project_winner_name__in: 'เดิมน้ำดีมาก' })
    expect(list).toMatchObject({ total: 0, results: [], totals: { wins: 0, value: null } })
    expect(list.similar[0]).toMatchObject({ id: world.aliased })
    expect((await ask({ project_winner_name__in: 'ฮฮฮฮฮฮ' })).similar).toEqual([])
  })

  test('a company outside the scope is offered, and a department that nobody is called finds nothing', async () => {
    const query = { project_winner_name__in: 'เดิมน้ำดี', project_dept_sub__in: 'กรมที่ไม่มี' }
    const list = await ask(query)
    expect(list).toMatchObject({ total: 0, scope: { n: 0, year_from: null } })
    expect(list.similar.map(({ id }) => id)).toEqual([world.aliased])
  })

  test('what cannot be read is refused by name, what is unknown is named and ignored', async () => {
    const refused = await app.inject({ url: '/api/v2/companies?ordering=luck&year_from=25', headers: me.headers })
    expect(refused.statusCode).toBe(400)
    expect(Object.keys(refused.json())).toEqual(expect.arrayContaining(['ordering', 'year_from']))
    expect((await ask({ colour: 'red' })).ignored_parameters).toEqual(['colour'])
  })

  test('after a load, a change of the report or of a group, the next answer of any process is what SQL answers', async () => {
    const other = new CompanyMemory(db, { megabytes: 64 })
    await other.hold()
    const others = await appFromMemory(db, other)
    const agree = async () => {
      // A fresh instance without cached counts: SQL may show the scope before a load while it counts the next.
      const bySql = await appFromMemory(db, undefined)
      for (const query of ['', 'scope=watch', 'keyword_group__in=902']) {
        const url = `/api/v2/companies?page_size=20&${query}`
        const wanted = (await bySql.inject({ url })).json()
        for (const one of [fast, others]) expect((await one.inject({ url })).json(), query).toEqual(wanted)
      }
      await bySql.close()
    }
    await agree()
    const [mine] = await db.query<{ organisation_id: number; project_id: string }>(sql`
      select m.organisation_id, m.project_id from project_matches m join company_projects f on f.project_id = m.project_id and f.is_winner
      where m.organisation_id = (select u.organisation_id from users u where u.email_key = ${EMAIL}) order by m.project_id limit 1`)
    await db.execute(sql`
      delete from project_matches where organisation_id = ${mine!.organisation_id}::int and project_id = ${mine!.project_id}::text`)
    await agree()
    await db.execute(sql`update keywords set group_id = 902 where id = 9011`)
    await agree()
    expect(other.answered.sql).toBe(0)

    await db.execute(sql`delete from company_projects where project_id = ${mine!.project_id}::text`)
    await countCompanies(db, [...world.names.keys()])
    const load = await addLoad(db)
    await db.execute(
      sql`update loads set companies_version = ${COMPANIES_VERSION}::smallint where id = ${load}::bigint`,
    )
    await agree()
    expect(other.answered.sql).toBeGreaterThan(0)
    await Promise.all([memory.hold(), other.hold()])
    const before = other.answered.sql
    await agree()
    expect(other.answered.sql).toBe(before)
    await Promise.all([others.close(), other.stop()])
  })

  test('what is larger than its memory is left to SQL', async () => {
    const none = new CompanyMemory(db, { megabytes: 0.01 })
    await none.hold()
    expect(none.isHeld).toBe(false)
    const [alone, bySql] = [await appFromMemory(db, none), await appFromMemory(db, undefined)]
    const url = '/api/v2/companies?ordering=-wins'
    expect((await alone.inject({ url })).json()).toEqual((await bySql.inject({ url })).json())
    expect(none.answered).toEqual({ memory: 0, sql: 1 })
    await Promise.all([alone.close(), bySql.close()])
  })
})
