import sql from 'sql-template-tag'
import type { UsageLogDetail, UsageLogType } from '#contract/account/usage-log.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** A user action in words. Must not contain secrets: no password, token or code. */
export type UsageActionDescription = {
  readonly type: UsageLogType
  readonly description: string
  readonly info?: readonly UsageLogDetail[]
}

export type UsageEvent = UsageActionDescription & {
  readonly organisationId: number
  readonly userId: number
  readonly at: Date
}

/** Longer texts are cut. The longest name in e-GP has 583 characters. */
const MAX_LENGTH = 1_000
const MAX_INFO = 50

/**
 * Appends to the usage log. The insert sorts the events explicitly, because a join returns rows in any order. Events of
 * demo visitors are skipped.
 */
export async function recordUsageEvents(db: Db, events: readonly UsageEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ organisationId, userId, at, type, description, info = [] }, place) => {
    const storedInfo = info.slice(0, MAX_INFO).map(({ name, value }) => ({ name, value: storable(value) }))
    const storedDescription = storable(description)
    const text = toNormalisedSearchText([storedDescription, ...storedInfo.map(({ value }) => value)].join(' '))
    return {
      place,
      organisation_id: organisationId,
      user_id: userId,
      at: at.toISOString(),
      type,
      description: storedDescription,
      info: storedInfo,
      text,
    }
  })
  await db.execute(sql`
    insert into usage_events (organisation_id, user_id, at, type, description, info, text_search)
    select t.organisation_id, t.user_id, t.at, t.type, t.description, t.info, t.text
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as t (place int, organisation_id int, user_id int, at timestamptz, type text, description text, info jsonb, text text)
    join organisations o on o.id = t.organisation_id and o.code <> ${DEMO_ORGANISATION_CODE}
    order by t.place`)
}

/** Cuts the text and removes NUL and unpaired surrogates, which PostgreSQL text cannot contain. */
const storable = (text: string) => text.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed()
