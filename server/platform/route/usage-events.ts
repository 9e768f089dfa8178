import sql from 'sql-template-tag'
import type { UsageInfo, UsageType } from '#contract/account/usage-log.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** What somebody did, in words. Never a secret: no password, token or code. */
export type UsageLine = {
  readonly type: UsageType
  readonly description: string
  readonly info?: readonly UsageInfo[]
}

/** Who did it, and when. */
export type UsageEvent = UsageLine & {
  readonly organisationId: number
  readonly userId: number
  readonly at: Date
}

/** Longest description, and value of its info; a name of 583 characters is the longest of e-GP. */
const MAX_LENGTH = 1_000
const MAX_INFO = 50

/** Appends to the usage log, in this order: a join gives rows in any. What visitors of the demo try is nobody's usage and is left out. */
export async function recordUsage(db: Db, events: readonly UsageEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ organisationId, userId, at, type, description, info = [] }, place) => {
    const shown = info.slice(0, MAX_INFO).map(({ name, value }) => ({ name, value: storable(value) }))
    const said = storable(description)
    const text = searchForm([said, ...shown.map(({ value }) => value)].join(' '))
    return {
      place,
      organisation_id: organisationId,
      user_id: userId,
      at: at.toISOString(),
      type,
      description: said,
      info: shown,
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

/** PostgreSQL keeps no NUL and no half of a surrogate pair. */
const storable = (text: string) => text.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed()
