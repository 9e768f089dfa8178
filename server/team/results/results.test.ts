import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import { LOCAL_GOVERNMENT_PATTERN } from '#contract/catalogue/agency-name.ts'
import {
  TEAM_RESULT_FIGURES,
  type TeamResultFigure,
  type TeamResultGroup,
  type TeamResults,
  teamResultRowsSchema,
  teamResultsSchema,
} from '#contract/team/team-results.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { PROVINCE_NAMES } from '#server/platform/text/agency-sql.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const PURSUITS = 120
const ids = Array.from({ length: PURSUITS }, (_, i) => `6711000${String(i).padStart(4, '0')}`)

/** Figures that the database alone counts over the same rows, independent of product code. */
type Counted = {
  readonly key: string
  readonly pursued: number
  readonly bid: number
  readonly won: number
  readonly lost: number
  readonly decided: number
  readonly waiting: number
  readonly declined: number
  readonly open: number
  readonly valued: number
  readonly won_value: number
  readonly in_doubt: number
  readonly discounted: number
  readonly discount: number | null
  readonly timed: number
  readonly days: number | null
}

onEachEngineInTurn('results', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  let stranger: SignedIn
  let organisationId: number

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const [me] = await db.query<{ organisation_id: number }>(
      sql`select organisation_id from users where email_key = 'manager@tharamek.example'`,
    )
    organisationId = me!.organisation_id
    await setWords(db, organisationId, { include: ['กล้อง', 'วงจรปิด', 'ถนน'] })
    const load = await addLoad(db)
    // Every seventh project has a different word, every fifth no reference price, every third no announcement day; some
    // share a department.
    await putProjects(
      db,
      load,
      ids.map((id, i) => ({
        id,
        name: i % 7 === 0 ? 'จ้างซ่อมถนน' : i % 7 === 1 ? 'ซื้อกล้องถ่ายภาพ' : 'ซื้อกล้องวงจรปิด',
        dept: `เทศบาล ${i % 9}`,
        unit: i % 4 === 0 ? '' : `กอง ${i % 9}`,
        estimate: i % 5 === 0 ? null : 100_000_00 + i * 7_000_11,
        winning: i % 3 === 0 ? null : 90_000_00 + i * 5_000_07,
        invitedOn: i % 3 === 1 ? null : `2026-0${1 + (i % 9)}-05`,
        draftPublishedOn: i % 11 === 0 ? `2026-0${1 + (i % 9)}-01` : null,
      })),
    )
    // Every second has a doubtful price; two in three of these are known from another source.
    await db.execute(sql`
      insert into project_doubts (project_id, doubts)
      select id, '[{"kind": "amount_too_high", "field": "ราคาตกลงซื้อ/จ้าง", "value": "49,500,000"}]'
      from unnest(${ids.filter((_, i) => i % 2 === 1)}::text[]) id`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
    const stages = JSON.stringify(DEFAULT_PURSUIT_STAGES.map(({ id }) => id))
    // Times are near midnight in Bangkok, so that a wrong time zone changes the day, and spread over two years.
    await db.execute(sql`
      insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, decision, reason, decided_at, lost_reason, price_satang, created_at, changed_at)
      select ${organisationId}::int, p.project_id, s.stage, now(),
        case when p.i % 6 = 0 then null else (select id from users where organisation_id = ${organisationId}::int order by id offset p.i % 2 limit 1) end,
        null, case when s.stage = 'declined' and p.i % 3 = 0 then 'ไม่มีสินค้า' end,
        case when p.i % 4 <> 0 then (date '2026-01-01' + ((p.i * 3) % 300)::int)::timestamp at time zone 'Asia/Bangkok' + interval '30 minutes' end,
        case when s.stage = 'lost' then (array['ราคา', 'ราคา ', null, 'คุณสมบัติ'])[1 + (p.i / 8) % 4] end,
        case when p.i % 4 = 1 then null else 8000000 + p.i * 61234 end,
        (date '2025-01-15' + (p.i * 6)::int)::timestamp at time zone 'Asia/Bangkok' + case when p.i % 2 = 0 then interval '10 minutes' else interval '23 hours 50 minutes' end,
        now()
      from (select project_id, (row_number() over (order by project_id) - 1)::int as i from projects) p
      join lateral (select jsonb_array_elements_text(${stages}::jsonb) as stage, generate_series(0, 7) as place) s on s.place = p.i % 8`)
  })
  afterAll(() => app.close())

  const get = (path: string, caller = boss) =>
    app.inject({ method: 'GET', url: `/api/v2${path}`, headers: caller.headers })
  const results = async (query: string, caller = boss): Promise<TeamResults> => {
    const answer = await get(`/results?${query}`, caller)
    expect(answer.statusCode, answer.body).toBe(200)
    return teamResultsSchema.parse(answer.json())
  }
  const rowsOf = async (query: Record<string, string>, caller = boss) =>
    teamResultRowsSchema.parse((await get(`/results/rows?${new URLSearchParams(query)}`, caller)).json())

  const KEYS = {
    all: sql`'all'`,
    owner: sql`coalesce(c.owner_id::text, 'none')`,
    department: sql`(
      select case
        when b.province is null then b.unit
        when b.unit ~ ${LOCAL_GOVERNMENT_PATTERN}::text then b.unit || ' จ.' || b.province
        when b.name ~ ${LOCAL_GOVERNMENT_PATTERN}::text then b.name || ' จ.' || b.province || ' › ' || b.unit
        else b.unit end
      from (
        select d.name, coalesce(nullif(d.sub_name, ''), d.name) as unit, (${[...PROVINCE_NAMES]}::text[])[d.province] as province
        from departments d where d.id = p.department_id
      ) b)`,
    month: sql`to_char(c.created_at at time zone 'Asia/Bangkok', 'YYYY-MM')`,
    word: sql`w.word`,
  }
  const oracle = async (by: keyof typeof KEYS, from: string, to: string): Promise<Map<string, Counted>> => {
    const rows = await db.query<Counted>(sql`
      with c as (
        select ${KEYS[by]} as key, c.stage, c.project_id, p.winner_satang, p.estimate_satang, c.price_satang,
          c.stage in ('submitted', 'won', 'lost') as is_bid,
          (c.decided_at at time zone 'Asia/Bangkok')::date - least(p.draft_published_on, p.bidding_invited_on) as days
        from pursuits c join projects p using (project_id)
        left join lateral (
          select distinct unnest(m.matched_words) as word from worded_matches m
          where m.project_id = c.project_id and m.organisation_id = c.organisation_id
        ) w on ${by === 'word'}::boolean
        where c.organisation_id = ${organisationId}::int and (c.created_at at time zone 'Asia/Bangkok')::date between ${from}::date and ${to}::date
      )
      select key, count(*)::int as pursued, (count(*) filter (where is_bid))::int as bid, (count(*) filter (where stage = 'won'))::int as won,
        (count(*) filter (where stage = 'lost'))::int as lost, (count(*) filter (where stage in ('won', 'lost')))::int as decided,
        (count(*) filter (where stage = 'submitted'))::int as waiting, (count(*) filter (where stage = 'declined'))::int as declined,
        (count(*) filter (where stage in ('screened', 'pricing', 'deciding', 'preparing')))::int as open,
        (count(winner_satang) filter (where stage = 'won'))::int as valued,
        coalesce((sum(winner_satang) filter (where stage = 'won'))::float8, 0) / 100 as won_value,
        (count(*) filter (where stage = 'won' and winner_satang is null and project_id in (select project_id from project_doubts)))::int as in_doubt,
        (count(price_satang * estimate_satang) filter (where is_bid))::int as discounted,
        percentile_cont(0.5) within group (order by (1 - price_satang::float8 / estimate_satang)) filter (where is_bid) as discount,
        (count(*) filter (where days >= 0))::int as timed,
        percentile_cont(0.5) within group (order by days::float8) filter (where days >= 0) as days
      from c group by key`)
    return new Map(rows.map((row) => [row.key, row]))
  }
  const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 9))
  const figures = (of: Counted) => ({
    ...{ pursued: of.pursued, bid: of.bid, won: of.won, lost: of.lost, waiting: of.waiting },
    ...{ declined: of.declined, open: of.open, valued: of.valued, won_value: near(of.won_value) },
    ...(of.in_doubt > 0 ? { amounts_in_doubt: of.in_doubt } : {}),
    win_rate: of.decided === 0 ? null : near(of.won / of.decided),
    discount: { median: near(of.discount), n: of.discounted },
    days_to_decide: { median: near(of.days), n: of.timed },
  })
  const PERIODS = [
    ['2025-01-01', '2027-12-31'],
    ['2025-11-22', '2026-11-21'],
    ['2026-02-01', '2026-02-28'],
  ] as const

  test.each(PERIODS)('%s to %s: every figure matches an independent count in SQL', async (from, to) => {
    const answer = await results(`date__range=${from},${to}`)
    const [all] = (await oracle('all', from, to)).values()
    expect(answer.total).toEqual(figures(all!))
    expect(all!.discounted).toBeGreaterThan(0)
    if (from.startsWith('2025')) expect(all!.in_doubt).toBeGreaterThan(0)
    for (const by of ['owner', 'department', 'month', 'word'] as const) {
      const counted = await oracle(by, from, to)
      const groups: readonly TeamResultGroup[] = answer[by].results
      expect(answer[by].total).toBe(counted.size)
      for (const { key, name: _name, ...groupFigures } of groups)
        expect([by, key, groupFigures]).toEqual([by, key, figures(counted.get(key)!)])
    }
  })

  test('covers the last twelve months by default, and all on request', async () => {
    const year = await results('')
    expect([year.from, year.to]).toEqual(['2025-11-22', '2026-11-21'])
    expect(year.total).toEqual((await results('date__range=2025-11-22,2026-11-21')).total)
    expect((await results('all=true')).total.pursued).toBe(PURSUITS)
    expect((await get('/results?date__range=yesterday')).statusCode).toBe(400)
  })

  test('counts the answers of a week, and those never seen before that the team acted on', async () => {
    const give = (project: string, verdict: string, at: string, user = 'manager@tharamek.example') =>
      db.execute(sql`
        insert into project_feedback (user_id, organisation_id, project_id, verdict, given_at)
        select id, organisation_id, ${project}, ${verdict}, ${at}::timestamptz from users where email_key = ${user}`)
    const [pursued, seenByColleague, declined, sunday] = ids as [string, string, string, string]
    await db.execute(sql`update pursuits set decision = 'no_bid' where project_id = ${declined}`)
    await give(pursued, 'relevant', '2026-11-16T00:00:00+07:00')
    await give(pursued, 'relevant', '2026-11-17T09:00:00+07:00', 'sales@tharamek.example')
    await give(seenByColleague, 'relevant', '2026-11-18T09:00:00+07:00')
    await give(seenByColleague, 'seen', '2026-11-10T09:00:00+07:00', 'sales@tharamek.example')
    await give(declined, 'relevant', '2026-11-18T09:00:00+07:00')
    await give('69119999999', 'relevant', '2026-11-18T09:00:00+07:00')
    await give(ids[4]!, 'irrelevant', '2026-11-20T09:00:00+07:00')
    await give(sunday, 'relevant', '2026-11-15T23:59:00+07:00')
    const { feedback_weeks: weeks } = await results('')
    expect(weeks.slice(0, 2)).toEqual([
      { from: '2026-11-16', acted: 1, relevant: 4, irrelevant: 1, seen: 0 },
      { from: '2026-11-09', acted: 1, relevant: 1, irrelevant: 0, seen: 1 },
    ])
    expect(weeks.map(({ from }) => from)).toHaveLength(8)
    const [strange] = (await results('', stranger)).feedback_weeks
    expect(strange).toEqual({ from: '2026-11-16', acted: 0, relevant: 0, irrelevant: 0, seen: 0 })
  })

  test('every figure opens as many rows as it counts, in total and per group', async () => {
    const answer = await results('all=true')
    const counts = (
      figure: TeamResultFigure,
      { won, lost, discount, days_to_decide: days, ...rest }: TeamResultGroup | TeamResults['total'],
    ) => ({ ...rest, won, lost, decided: won + lost, discounted: discount!.n, timed: days.n })[figure]
    for (const { code } of TEAM_RESULT_FIGURES) {
      expect([code, (await rowsOf({ all: 'true', rows: code })).total]).toEqual([code, counts(code, answer.total)])
      for (const group of answer.owner.results) {
        const { total } = await rowsOf({ all: 'true', rows: code, group: 'owner', key: group.key })
        expect([code, group.key, total]).toEqual([code, group.key, counts(code, group)])
      }
    }
    for (const by of ['department', 'word', 'month'] as const)
      for (const group of answer[by].results.slice(0, 3)) {
        const { results: rows } = await rowsOf({ all: 'true', rows: 'won', group: by, key: group.key })
        expect([by, group.key, rows.length]).toEqual([by, group.key, group.won])
      }
    for (const query of ['', 'rows=nothing', 'rows=won&group=owner', 'rows=won&group=x&key=1'])
      expect((await get(`/results/rows?${query}`)).statusCode).toBe(400)
  })

  test('counts reasons as written, and links them to their tenders', async () => {
    const { lost_reasons: lost, declined_reasons: declined, total } = await results('all=true')
    expect(lost.map(({ key }) => key)).toEqual(['ราคา', 'คุณสมบัติ', 'none'])
    expect(lost.reduce((sum, { n }) => sum + n, 0)).toBe(total.lost)
    expect(declined.reduce((sum, { n }) => sum + n, 0)).toBe(total.declined)
    const { results: rows } = await rowsOf({ all: 'true', rows: 'lost', group: 'lost_reason', key: 'ราคา' })
    expect([rows.length, new Set(rows.map(({ reason }) => reason))]).toEqual([lost[0]!.n, new Set(['ราคา'])])
  })

  test('a user who may not see prices gets no figure derived from them: on screen, in rows or in the file', async () => {
    const settings = (price_roles: readonly string[]) =>
      app.inject({ method: 'PATCH', url: '/api/v2/pursuits/settings', headers: boss.headers, payload: { price_roles } })
    expect((await settings(['super_user'])).statusCode).toBe(200)
    const answer = await results('all=true', seller)
    expect([answer.sees_price, answer.total.discount]).toEqual([false, null])
    for (const by of ['owner', 'department', 'word', 'month'] as const)
      expect(answer[by].results.every(({ discount }) => discount === null)).toBe(true)
    const { total, ...rest } = answer
    const seen = await results('all=true')
    expect({ ...total, discount: null }).toEqual({ ...seen.total, discount: null })
    expect(rest.lost_reasons).toEqual(seen.lost_reasons)
    const { results: rows } = await rowsOf({ all: 'true', rows: 'bid' }, seller)
    expect(rows.every(({ price, discount }) => price === null && discount === null)).toBe(true)
    expect((await get('/results/rows?all=true&rows=discounted', seller)).statusCode).toBe(403)
    const sheets = await sheetsOf(seller)
    const headings = sheets.slice(0, -1).flatMap(({ rows }) => rows[0]!.map(String))
    expect(headings.filter((text) => /ส่วนลด|ราคาของเรา|สองราคา/.test(text))).toEqual([])
    await settings(['super_user', 'member_user'])
  })

  const sheetsOf = async (caller: SignedIn) => {
    const answer = await get('/results/file?all=true', caller)
    expect(answer.headers['content-disposition']).toContain('filename="results-20261121.xlsx"')
    return (await readXlsx(new Uint8Array(answer.rawPayload))).sheets
  }

  test('the file contains every figure and every row', async () => {
    const sheets = await sheetsOf(boss)
    expect(sheets.map(({ name }) => name)).toEqual([
      'สรุป',
      'ผู้ดูแล',
      'หน่วยงาน',
      'คำติดตาม',
      'เดือน',
      'เหตุผล',
      'โครงการ',
      'ขอบเขต',
    ])
    const { total, owner, department } = await results('all=true')
    const bodies = sheets.map(({ rows }) => rows.slice(1))
    expect(bodies[0]![0]!.slice(0, 4)).toEqual([total.pursued, total.bid, total.won, total.lost])
    expect(bodies[1]!.map((row) => row[0])).toEqual(owner.results.map(({ name }) => name))
    expect([bodies[2]!.length, bodies[6]!.length]).toEqual([department.total, PURSUITS])
    const [line] = await db.query<{ description: string }>(
      sql`select description from usage_events where type = 'export' order by id desc limit 1`,
    )
    expect(line!.description).toBe('ดาวน์โหลดผลงาน')
  })

  test('another organisation has separate results', async () => {
    const { total, department } = await results('all=true', stranger)
    expect([total.pursued, total.win_rate, department.results]).toEqual([0, null, []])
  })
})
