import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { type ProjectInput, putProjects } from './report-world.ts'

/** A project with its bidders and winners, as the feed would write it. Money in satang. */
export type WonProject = Partial<ProjectInput> & {
  readonly id: string
  readonly year: number | null
  /** True if an import left out a price of the project as doubtful. */
  readonly isPriceInDoubt?: boolean
  readonly bidders?: readonly {
    readonly name: string
    readonly tin: string | null
    readonly price: number | null
    readonly won?: boolean
  }[]
  readonly contracts?: readonly {
    readonly name: string
    readonly tin: string | null
    readonly amount: number | null
    readonly signedOn?: string | null
    readonly endsOn?: string | null
    readonly status?: string | null
  }[]
}

export async function putWonProjects(db: Db, load: number, projects: readonly WonProject[]): Promise<void> {
  await putProjects(db, load, projects)
  const years = projects.map(({ id, year }) => ({ id, year }))
  await db.execute(sql`
    update projects p set fiscal_year = y.year
    from json_to_recordset(${JSON.stringify(years)}::text::json) y (id text, year smallint) where p.project_id = y.id`)
  const contracts = projects.flatMap(({ id, contracts: signed = [] }) =>
    signed.map((contract, i) => ({ signedOn: null, endsOn: null, status: null, ...contract, id, no: `${i + 1}/69` })),
  )
  await db.execute(sql`
    insert into contracts (project_id, contract_no, winner_tin, winner_name, amount_satang, signed_on, ends_on, status)
    select c.id, c.no, c.tin, c.name, c.amount, c."signedOn", c."endsOn", c.status
    from json_to_recordset(${JSON.stringify(contracts)}::text::json)
      c (id text, no text, tin text, name text, amount bigint, "signedOn" date, "endsOn" date, status text)`)
  await db.execute(sql`
    update projects p set winner_satang = t.satang, winner_name = coalesce(p.winner_name, t.name), winner_count = t.winners, contract_signed_on = t.signed_on
    from (
      select c.project_id, case when count(*) = count(c.amount_satang) then sum(c.amount_satang) end as satang, count(distinct c.winner_name) as winners,
        min(c.signed_on) as signed_on, (array_agg(c.winner_name order by c.amount_satang desc nulls last))[1] as name
      from contracts c group by c.project_id
    ) t where t.project_id = p.project_id and p.written_load = ${load}::bigint`)
  const bidders = projects.flatMap(({ id, bidders: offers = [] }) =>
    offers.map((bidder, i) => ({ won: false, ...bidder, id, position: i + 1 })),
  )
  await db.execute(sql`
    insert into bidders (project_id, position, tin, name, price_satang, is_winner)
    select b.id, b.position, b.tin, b.name, b.price, b.won
    from json_to_recordset(${JSON.stringify(bidders)}::text::json) b (id text, position smallint, tin text, name text, price bigint, won boolean)`)
  const inDoubt = projects.filter(({ isPriceInDoubt }) => isPriceInDoubt).map(({ id }) => id)
  await db.execute(sql`
    insert into project_doubts (project_id, doubts)
    select id, '[{"kind": "amount_too_high", "field": "งบสัญญา", "value": "1"}]' from unnest(${inDoubt}::text[]) id`)
}
