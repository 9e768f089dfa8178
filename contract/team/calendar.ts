import { z } from 'zod/mini'
import { getCurrentProcurementRule } from '../catalogue/procurement-rules.ts'
import { DEADLINE_KINDS, type DeadlineKind } from '../report/deadline-kind.ts'
import { DEADLINE_KIND_TEXTS } from '../report/deadlines.ts'
import { BID_DECISIONS } from './pursuit.ts'

export const CALENDAR_EVENT_KIND_NAMES: Readonly<Record<DeadlineKind, string>> = {
  bank_letter: 'หนังสือธนาคาร',
  comment: 'วิจารณ์ร่าง',
  question: 'ถามรายละเอียด',
  papers: 'รับหรือซื้อเอกสาร',
  submission: 'ยื่นข้อเสนอ',
  sample: 'ตัวอย่างหรือนำเสนอ',
  result: 'ประกาศผล',
  appeal: `อุทธรณ์ (ม. ${getCurrentProcurementRule('appealWorkingDays').source.clause})`,
  appeal_decision: 'วินิจฉัยอุทธรณ์',
  appeal_board: 'คณะกรรมการอุทธรณ์',
  signing: 'ลงนามสัญญา',
  contract_end: 'สิ้นสุดสัญญา',
  warranty_end: 'สิ้นสุดรับประกัน',
  guarantee_return: 'คืนหลักประกัน',
}

export const getCalendarEventKindLabel = (kind: DeadlineKind, contracts = 1): string =>
  kind !== 'contract_end'
    ? DEADLINE_KIND_TEXTS[kind].name
    : `${CALENDAR_EVENT_KIND_NAMES.contract_end}${contracts > 1 ? ` ${contracts} ฉบับ` : ''}`

export const MAX_CALENDAR_DAYS = 100
export const MAX_CALENDAR_PROJECTS = 1_000

const money = z.nullable(z.number())

const calendarEventSchema = z.object({
  /** Stable per project and date: stays the same when the date moves. */
  id: z.string(),
  project_id: z.string(),
  kind: z.enum(DEADLINE_KINDS),
  day: z.string(),
  /** Start and end as `HH:mm`, Bangkok time; null when e-GP publishes only a day. */
  time: z.nullable(z.object({ from: z.string(), to: z.string() })),
  is_estimate: z.boolean(),
  /** The clause or the announcement that sets the date, in Thai. */
  basis: z.string(),
  /** Legal consequence for a bidder, with its clause; for contract ends, the contract numbers. Absent if empty. */
  note: z.optional(z.string()),
  is_cancelled: z.boolean(),
  /** Number of contracts that end on that day, or in that month for a project with very many contracts. */
  contract_count: z.optional(z.number()),
})
export type CalendarEvent = z.output<typeof calendarEventSchema>

const calendarProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  province: z.nullable(z.string()),
  budget: money,
  is_starred: z.boolean(),
  decision: z.nullable(z.enum(BID_DECISIONS.map(({ code }) => code))),
  owner: z.nullable(z.string()),
})
export type CalendarProject = z.output<typeof calendarProjectSchema>

/** `GET /calendar`: events from `from` to `to`, both inclusive, in chronological order. */
export const calendarSchema = z.object({
  from: z.string(),
  to: z.string(),
  events: z.array(calendarEventSchema),
  projects: z.array(calendarProjectSchema),
  is_cut: z.boolean(),
})
export type Calendar = z.output<typeof calendarSchema>
