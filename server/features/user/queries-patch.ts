import sql from 'sql-template-tag'
import type { ColumnSetting } from '#contract/report/column.ts'
import type { Db } from '#server/engine/db.ts'

/**
 * Locks the user's row until the transaction ends, so that patches of parallel tabs are applied one after the other; answers the label
 * limit, or undefined when the user is gone. Not `for update`: that would also hold up whoever only refers to the user.
 */
export async function lockUser(
  tx: Db,
  userId: number,
): Promise<{ maxLabels: number; organisationId: number } | undefined> {
  const rows = await tx.query<{ maxLabels: number; organisationId: number }>(sql`
    select max_labels as "maxLabels", organisation_id as "organisationId" from users where id = ${userId}::int for no key update`)
  return rows[0]
}

/** Of these ids, how many name no project. */
export async function countUnknownProjects(tx: Db, projectIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ unknown: number }>(sql`
    select count(*) as unknown from unnest(${projectIds}::text[]) t (id)
    where not exists (select from projects p where p.project_id = t.id)`)
  return row!.unknown
}

export type SettingsChange = {
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly isSendReportEmail: boolean | undefined
  readonly isNotiEBidding: boolean | undefined
  readonly columns: readonly ColumnSetting[] | undefined
}

/** Stores what is not undefined. */
export async function updateSettings(tx: Db, userId: number, change: SettingsChange): Promise<void> {
  const { firstName = null, lastName = null, isSendReportEmail = null, isNotiEBidding = null, columns } = change
  await tx.execute(sql`
    update users set
      first_name = coalesce(${firstName}::text, first_name),
      last_name = coalesce(${lastName}::text, last_name),
      is_send_report_email = coalesce(${isSendReportEmail}::boolean, is_send_report_email),
      is_noti_e_bidding = coalesce(${isNotiEBidding}::boolean, is_noti_e_bidding),
      customize_report_table = coalesce(${columns === undefined ? null : JSON.stringify(columns)}::jsonb, customize_report_table)
    where id = ${userId}::int`)
}
