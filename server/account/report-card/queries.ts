import sql, { empty } from 'sql-template-tag'
import type { ReportCard, ReportCardEntry } from '#contract/account/report-card.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function listReportCards(db: Db, organisationId: number, taxId?: string): Promise<ReportCard[]> {
  const rows = await db.query<ReportCard>(sql`
    select tax_id, name, points, suspended_until, noted_at from report_cards
    where organisation_id = ${organisationId}::int ${taxId === undefined ? empty : sql`and tax_id = ${taxId}`}
    order by name, tax_id`)
  return rows.map(({ noted_at, ...card }) => ({ ...card, noted_at: new Date(noted_at).toISOString() }))
}

export async function countReportCards(db: Db, organisationId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from report_cards where organisation_id = ${organisationId}::int`,
  )
  return row!.count
}

export type StoredReportCardEntry = ReportCardEntry & { readonly tax_id: string }

export async function saveReportCards(
  tx: Db,
  organisationId: number,
  cards: readonly StoredReportCardEntry[],
  at: Date,
): Promise<number> {
  const rows = await tx.query(sql`
    insert into report_cards as c (organisation_id, tax_id, name, points, suspended_until, noted_at)
    select ${organisationId}::int, n.tax_id, n.name, n.points, n.suspended_until, ${at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(cards)}::jsonb) as n (tax_id text, name text, points int, suspended_until date)
    on conflict (organisation_id, tax_id) do update
      set name = excluded.name, points = excluded.points, suspended_until = excluded.suspended_until, noted_at = excluded.noted_at
      where (c.name, c.points, c.suspended_until) is distinct from (excluded.name, excluded.points, excluded.suspended_until)
    returning tax_id`)
  return rows.length
}

export async function deleteReportCard(tx: Db, organisationId: number, taxId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from report_cards where organisation_id = ${organisationId}::int and tax_id = ${taxId} returning tax_id`)
  return rows.length > 0
}
