import sql, { raw } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import {
  ORGANISATION_FLAG_COLUMNS,
  ORGANISATION_LIMIT_FIELDS,
  type OrganisationFlagName,
  type OrganisationLimitName,
} from './admin-requests.ts'

/**
 * Sets one column of an organisation and returns its id, or undefined for an unknown code. `column` is interpolated
 * into the SQL: pass only names from our own tables.
 */
async function setColumn(db: Db, code: string, column: string, value: boolean | string): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(sql`
    update organisations set ${raw(column)} = ${value} where code = ${code} returning id`)
  return rows[0]?.id
}

export const setOrganisationDisabled = (db: Db, code: string, disabled: boolean) =>
  setColumn(db, code, 'is_disabled', disabled)
export const setOrganisationPackage = (db: Db, code: string, name: string) => setColumn(db, code, 'package', name)
export const setOrganisationFlag = (db: Db, code: string, flag: OrganisationFlagName, on: boolean) =>
  setColumn(db, code, ORGANISATION_FLAG_COLUMNS[flag], on)
export const setOrganisationBudgetYears = (db: Db, code: string, years: readonly number[]) =>
  setColumn(db, code, 'allow_access_budget_year', years.join(','))

export async function setOrganisationLimit(
  db: Db,
  code: string,
  limit: OrganisationLimitName,
  limitValue: number,
): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(sql`
    update organisations set customer_config = customer_config || ${JSON.stringify({ [ORGANISATION_LIMIT_FIELDS[limit]]: limitValue })}::jsonb
    where code = ${code} returning id`)
  return rows[0]?.id
}

export type AdminUserAccount = {
  userId: number
  organisationId: number
  email: string
  role: string
  isDisabled: boolean
}

export async function findUserByEmailKey(db: Db, emailKey: string): Promise<AdminUserAccount | undefined> {
  const rows = await db.query<AdminUserAccount>(sql`
    select id as "userId", organisation_id as "organisationId", email, role, is_disabled as "isDisabled" from users where email_key = ${emailKey}`)
  return rows[0]
}

export async function setUserDisabled(db: Db, emailKey: string, disabled: boolean): Promise<void> {
  await db.execute(sql`update users set is_disabled = ${disabled} where email_key = ${emailKey}`)
}

export async function updateUserEmail(tx: Db, userId: number, email: string, emailKey: string): Promise<void> {
  await tx.execute(sql`update users set email = ${email}, email_key = ${emailKey} where id = ${userId}::int`)
}

export async function updateUserRole(db: Db, emailKey: string, role: string): Promise<void> {
  await db.execute(sql`update users set role = ${role} where email_key = ${emailKey}`)
}

export async function setUserMaxLabels(db: Db, emailKey: string, maxLabels: number): Promise<void> {
  await db.execute(sql`update users set max_labels = ${maxLabels}::int where email_key = ${emailKey}`)
}
