import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** What stands beside the report's row: money in satang, dates ISO, moments as PostgreSQL prints them in JSON. */
export type StoredDetail = {
  readonly fiscal_year: number | null
  readonly contract_signed_on: string | null
  readonly district: string | null
  readonly subdistrict: string | null
  readonly source: string
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly first_seen_at: string
  readonly changed_at: string
  readonly data_time: string | null
  readonly announcements: { readonly movement: string; readonly announced_date: string }[]
  readonly history: {
    readonly field: string
    readonly old: string | null
    readonly new: string | null
    readonly seen_at: string
  }[]
  readonly attachments: {
    readonly name: string
    readonly url: string
    readonly step: string
    readonly published_date: string | null
    readonly first_seen_at: string
  }[]
  readonly bidders: StoredBidder[]
  readonly contracts: StoredContract[]
}

export type StoredBidder = {
  readonly name: string
  readonly tax_id: string | null
  readonly price_satang: number | null
  readonly is_winner: boolean
  readonly is_sme: boolean | null
}

export type StoredContract = {
  readonly contract_no: string
  readonly winner_name: string | null
  readonly winner_tax_id: string | null
  readonly amount_satang: number | null
  readonly signed_date: string | null
  readonly end_date: string | null
  readonly status: string | null
}

/** All that is known of one project beside its row; whose report holds it is for the caller to ask first. */
export async function loadDetail(db: Db, projectId: string): Promise<StoredDetail | undefined> {
  const [detail] = await db.query<StoredDetail>(sql`
    select p.fiscal_year, p.contract_signed_on, p.district, p.subdistrict, p.source, p.winner_name, p.winner_satang,
      first.published_at as first_seen_at, changed.published_at as changed_at,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      coalesce((
        select json_agg(json_build_object('movement', a.movement, 'announced_date', a.announced_on) order by a.announced_on, a.load_id, a.movement)
        from announcements a where a.project_id = p.project_id
      ), '[]') as announcements,
      coalesce((
        select json_agg(json_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value, 'seen_at', l.published_at)
          order by l.published_at desc, c.load_id desc, c.field)
        from project_changes c join loads l on l.id = c.load_id where c.project_id = p.project_id
      ), '[]') as history,
      coalesce((
        select json_agg(json_build_object('name', a.name, 'url', a.url, 'step', a.step, 'published_date', a.published_on, 'first_seen_at', l.published_at)
          order by a.published_on nulls first, a.url)
        from attachments a join loads l on l.id = a.first_load where a.project_id = p.project_id
      ), '[]') as attachments,
      coalesce((
        select json_agg(json_build_object('name', b.name, 'tax_id', b.tin, 'price_satang', b.price_satang, 'is_winner', b.is_winner, 'is_sme', b.is_sme)
          order by b.is_winner desc, b.price_satang nulls last, b.position)
        from bidders b where b.project_id = p.project_id
      ), '[]') as bidders,
      coalesce((
        select json_agg(json_build_object('contract_no', c.contract_no, 'winner_name', c.winner_name, 'winner_tax_id', c.winner_tin,
          'amount_satang', c.amount_satang, 'signed_date', c.signed_on, 'end_date', c.ends_on, 'status', c.status)
          order by c.signed_on nulls last, c.contract_no)
        from contracts c where c.project_id = p.project_id
      ), '[]') as contracts
    from projects p
    join loads first on first.id = p.first_load
    join loads changed on changed.id = p.changed_load
    where p.project_id = ${projectId}::text`)
  return detail
}
