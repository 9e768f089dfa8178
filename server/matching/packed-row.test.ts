import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { PACKED_FACET_ROW_OFFSETS, UNKNOWN_PACKED_DAY, unpackFacetRowNumbers } from './packed-row.ts'

const packed = sql`string_agg(packed || int4send(0), ''::bytea order by project_id)`

onEachEngine('a row packed by the database', (makeDb) => {
  test('unpacks to the original row', async () => {
    const db = await makeDb()
    const budgets = MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.flatMap((bound) => [
      bound * 100 - 1,
      bound * 100,
      bound * 100 + 1,
    ])
    await db.execute(sql`
      insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, status, movement, criteria, method, method_type,
        project_province, dept_province, budget_satang, estimate_satang, winner_satang, draft_published_on, submission_ends_on, bidding_invited_on)
      select lpad(n::text, 3, '0'), 1, 1, n % 2 = 0, n % 3 = 0, n, 2, 3, 4, 32767, case when n % 5 > 0 then 96 end, case when n % 7 > 0 then 10 end,
        budget, null, budget, date '2026-11-21', case when n % 2 = 0 then date '0001-01-01' end, date '9999-12-31'
      from unnest(${budgets}::bigint[]) with ordinality as b (budget, n)`)
    const [row] = await db.query<{ bytes: Uint8Array }>(sql`select ${packed} as bytes from project_filters`)
    const numbers = unpackFacetRowNumbers(row!.bytes)
    const rows = budgets.map((budget, i) => {
      const bin = MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.findIndex((bound) => budget <= bound * 100)
      const money = bin === -1 ? MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length : bin
      const n = i + 1
      return {
        [PACKED_FACET_ROW_OFFSETS.status]: n,
        [PACKED_FACET_ROW_OFFSETS.movement]: 2,
        [PACKED_FACET_ROW_OFFSETS.criteria]: 3,
        [PACKED_FACET_ROW_OFFSETS.method]: 4,
        [PACKED_FACET_ROW_OFFSETS.method_type]: 32_767,
        [PACKED_FACET_ROW_OFFSETS.provinces]:
          (n % 3 === 0 ? 1 << 14 : 0) | ((n % 5 > 0 ? 96 : 0) << 7) | (n % 7 > 0 ? 10 : 0),
        [PACKED_FACET_ROW_OFFSETS.bins]: money | (31 << 5) | (money << 10),
        [PACKED_FACET_ROW_OFFSETS.draft_published_date]: toDayNumber('2026-11-21'),
        [PACKED_FACET_ROW_OFFSETS.draft_discussion_end_date]: UNKNOWN_PACKED_DAY,
        [PACKED_FACET_ROW_OFFSETS.bidding_invite_date]: 32_767,
        [PACKED_FACET_ROW_OFFSETS.submission_end_date]: n % 2 === 0 ? -32_767 : UNKNOWN_PACKED_DAY,
        [PACKED_FACET_ROW_OFFSETS.winner_announce_date]: UNKNOWN_PACKED_DAY,
        [PACKED_FACET_ROW_OFFSETS.maskHigh]: 0,
        [PACKED_FACET_ROW_OFFSETS.maskLow]: 0,
      }
    })
    expect([...numbers]).toEqual(rows.flatMap((fields) => Object.values(fields)))
  })
})
