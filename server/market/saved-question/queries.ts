import sql from 'sql-template-tag'
import type { SavedQuestion } from '#contract/market/saved-question.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type SavedQuestionOwner = { readonly userId: number; readonly organisationId: number }

export async function listSavedQuestions(db: Db, userId: number): Promise<SavedQuestion[]> {
  return db.query<SavedQuestion>(sql`
    select q.id, q.name, q.address, q.monthly, q.on_change, q.problem, q.looked_on is not null and q.winners is null as is_wide
    from saved_questions q where q.user_id = ${userId}::int order by q.created_at, q.id`)
}

export type SavedQuestionSettings = { readonly bell: boolean; readonly mail: boolean }

export async function loadSavedQuestionSettings(db: Db, userId: number): Promise<SavedQuestionSettings> {
  const [row] = await db.query<SavedQuestionSettings>(
    sql`select s.bell, s.mail from saved_question_settings s where s.user_id = ${userId}::int`,
  )
  return row ?? { bell: true, mail: true }
}

/** Updates the notification settings. The caller must have locked the user's settings. */
export async function updateSavedQuestionSettings(
  tx: Db,
  { userId }: SavedQuestionOwner,
  { bell, mail }: SavedQuestionSettings,
): Promise<void> {
  await tx.execute(sql`
    update saved_question_settings set bell = ${bell}::boolean, mail = ${mail}::boolean where user_id = ${userId}::int`)
}

type NewQuestion = Pick<SavedQuestion, 'id' | 'name' | 'address' | 'monthly' | 'on_change'>

export async function insertSavedQuestion(
  tx: Db,
  { userId, organisationId }: SavedQuestionOwner,
  question: NewQuestion,
  { at, month }: { readonly at: Date; readonly month: string },
): Promise<void> {
  const { id, name, address, monthly, on_change } = question
  await tx.execute(sql`
    insert into saved_questions (user_id, organisation_id, id, name, address, monthly, on_change, created_at, mailed_month)
    values (${userId}::int, ${organisationId}::int, ${id}, ${name}, ${JSON.stringify(address)}::jsonb, ${monthly}::boolean, ${on_change}::boolean,
      greatest(${at.toISOString()}::timestamptz, (select max(q.created_at) + interval '1 microsecond' from saved_questions q where q.user_id = ${userId}::int)),
      ${month}::date)
    on conflict do nothing`)
}

/** Updates a question. If this switches the monthly email on, the first is sent in the month after `month`. */
export async function updateSavedQuestion(
  tx: Db,
  userId: number,
  { id, name, monthly, on_change, problem }: SavedQuestion,
  month: string,
): Promise<void> {
  await tx.execute(sql`
    update saved_questions set name = ${name}, monthly = ${monthly}::boolean, on_change = ${on_change}::boolean, problem = ${problem},
      mailed_month = case when ${monthly}::boolean and not monthly then ${month}::date else mailed_month end
    where user_id = ${userId}::int and id = ${id}`)
}

export async function deleteSavedQuestion(tx: Db, userId: number, id: string): Promise<void> {
  await tx.execute(sql`delete from saved_questions where user_id = ${userId}::int and id = ${id}`)
}

export async function lockSavedQuestionSettings(
  tx: Db,
  { userId, organisationId }: SavedQuestionOwner,
): Promise<SavedQuestionSettings> {
  const [row] = await tx.query<SavedQuestionSettings>(sql`
    insert into saved_question_settings (user_id, organisation_id) values (${userId}::int, ${organisationId}::int)
    on conflict (user_id) do update set bell = saved_question_settings.bell
    returning bell, mail`)
  return row!
}

/**
 * Switches all emails about saved questions on or off. Used by unsubscribe links in emails, which work without a
 * session.
 */
export async function setSavedQuestionMailEnabled(tx: Db, owner: SavedQuestionOwner, mail: boolean): Promise<void> {
  const { bell } = await lockSavedQuestionSettings(tx, owner)
  await updateSavedQuestionSettings(tx, owner, { bell, mail })
}
