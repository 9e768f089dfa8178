import { DRAFT_PROJECT_MOVEMENTS } from '../catalogue/bid-state.ts'
import {
  findProcurementRule,
  formatLawClause,
  getCurrentProcurementRule,
  type LawClause,
  type ProcurementRuleName,
} from '../catalogue/procurement-rules.ts'
import {
  isCancelledProjectStatus,
  OPEN_PROCUREMENT_METHODS,
  SELECTIVE_PROCUREMENT_METHODS,
} from '../catalogue/project.ts'
import { parseBidSubmissionHours } from '../catalogue/submission-time.ts'
import { addDays, addMonths } from '../thai/thai-date.ts'
import { formatBaht } from '../thai/thai-number.ts'
import { addWorkingDays } from '../thai/working-day.ts'
import { type AppealFacts, getAppealNote, getDraftCommentNote, isAppealable } from './appeal.ts'
import { DEADLINE_KINDS, type DeadlineKind } from './deadline-kind.ts'
import type { ReportRow } from './report.ts'

/** Dates that bidders prepare for. The project page shows them to all; the calendar only for projects to bid on. */
export const BID_PREPARATION_DEADLINE_KINDS: readonly DeadlineKind[] = ['bank_letter', 'sample']

type DocumentPage = { readonly id: string; readonly page: number }

export type Deadline = {
  readonly kind: DeadlineKind
  readonly day: string | null
  /** Start and end as `HH:mm` in Bangkok time; absent when e-GP publishes only a day. */
  readonly time?: { readonly from: string; readonly to: string }
  /** True for a date computed by rule, false for one that e-GP or a document states. */
  readonly isEstimate: boolean
  readonly law?: LawClause
  readonly note?: string
  readonly document?: DocumentPage
}

export const getDeadlineCertaintyLabel = ({ isEstimate }: Pick<Deadline, 'isEstimate'>): string =>
  isEstimate ? 'คำนวณ' : 'แน่นอน'

type DeadlineKindText = {
  readonly name: string
  readonly basis: string
  readonly estimate?: string
}

const EXPLANATION = getCurrentProcurementRule('explanationWorkingDays')
const PAPERS = getCurrentProcurementRule('papersEndWorkingDays')
const SAMPLE = getCurrentProcurementRule('sampleWorkingDays')
const BANK_LETTER = getCurrentProcurementRule('bankLetterDays')
const APPEAL = getCurrentProcurementRule('appealWorkingDays')
const DECISION = getCurrentProcurementRule('appealDecisionWorkingDays')
const REPORT = getCurrentProcurementRule('appealReportWorkingDays')
const BOARD = getCurrentProcurementRule('appealBoardDays')
const RETURN = getCurrentProcurementRule('guaranteeReturnDays')

const ANNOUNCED = 'ตามประกาศของหน่วยงาน'

export const DEADLINE_KIND_TEXTS: Readonly<Record<DeadlineKind, DeadlineKindText>> = {
  bank_letter: {
    name: 'หนังสือธนาคารลงวันที่ได้ตั้งแต่',
    basis: formatLawClause(BANK_LETTER.source),
    estimate: `อายุไม่เกิน ${BANK_LETTER.value} วันนับถึงวันยื่น เฉพาะผู้ที่แสดงวงเงินสินเชื่อหรือเงินฝาก`,
  },
  comment: { name: 'สิ้นสุดวิจารณ์ร่าง', basis: ANNOUNCED },
  question: {
    name: 'ถามรายละเอียดวันสุดท้าย',
    basis: ANNOUNCED,
    estimate: `${EXPLANATION.value} วันทำการก่อนวันยื่น หน่วยงานต้องเผยแพร่คำชี้แจงไม่ช้ากว่านี้ ควรถามล่วงหน้า`,
  },
  papers: {
    name: 'รับหรือซื้อเอกสารวันสุดท้าย',
    basis: formatLawClause(PAPERS.source),
    estimate: `${PAPERS.value} วันทำการก่อนวันยื่น คือวันสุดท้ายที่เผยแพร่ประกาศ`,
  },
  submission: { name: 'สิ้นสุดยื่นข้อเสนอ', basis: ANNOUNCED },
  sample: {
    name: 'ส่งตัวอย่างหรือนำเสนองานวันสุดท้าย',
    basis: formatLawClause(SAMPLE.source),
    estimate: `ภายใน ${SAMPLE.value} วันทำการหลังวันยื่น เฉพาะเมื่อเอกสารกำหนด วันและเวลาจริงอยู่ในเอกสาร`,
  },
  result: { name: 'ประกาศผล', basis: ANNOUNCED },
  appeal: {
    name: `ครบกำหนดอุทธรณ์ (ม. ${APPEAL.source.clause})`,
    basis: formatLawClause(APPEAL.source),
    estimate: `นับ ${APPEAL.value} วันทำการหลังประกาศผล ผู้ที่ยื่นข้อเสนอต้องอุทธรณ์เป็นหนังสือภายในวันนั้น`,
  },
  appeal_decision: {
    name: 'ถ้ามีอุทธรณ์ หน่วยงานวินิจฉัยช้าสุด',
    basis: formatLawClause(DECISION.source),
    estimate: `${DECISION.value} วันทำการหลังได้รับอุทธรณ์ นับจากวันสุดท้ายที่ยื่นอุทธรณ์ได้`,
  },
  appeal_board: {
    name: 'ถ้ามีอุทธรณ์ คณะกรรมการวินิจฉัยช้าสุด',
    basis: formatLawClause(BOARD.source),
    estimate: `หน่วยงานที่ไม่เห็นด้วยรายงานภายใน ${REPORT.value} วันทำการ คณะกรรมการพิจารณา ${BOARD.value.days} วัน ขยายได้ ${BOARD.value.extensions} ครั้ง ครั้งละ ${BOARD.value.extensionDays} วัน`,
  },
  signing: {
    name: 'ลงนามสัญญา',
    basis: 'ตามข้อมูลสัญญา',
    estimate: 'เร็วสุดในวันทำการแรกหลังพ้นกำหนดอุทธรณ์ ถ้าไม่มีผู้อุทธรณ์',
  },
  contract_end: { name: 'สิ้นสุดสัญญา', basis: 'ตามข้อมูลสัญญา' },
  warranty_end: {
    name: 'สิ้นสุดรับประกัน',
    basis: 'ระยะรับประกันตามเอกสาร',
    estimate: 'นับจากวันสิ้นสุดสัญญา วันจริงนับจากวันตรวจรับ',
  },
  guarantee_return: {
    name: 'คืนหลักประกันสัญญาช้าสุด',
    basis: formatLawClause(RETURN.source),
    estimate: `${RETURN.value} วันหลังพ้นข้อผูกพันและระยะรับประกัน`,
  },
}

export type DeadlineCountdownFacts = Pick<
  ReportRow,
  | 'project_id'
  | 'method'
  | 'status'
  | 'movement'
  | 'draft_discussion_end_date'
  | 'submission_end_date'
  | 'submission_time'
  | 'winner_announce_date'
  | 'is_archived'
>

export type DeadlineDocumentFacts = {
  readonly question_deadline?: { readonly day: string; readonly source: DocumentPage }
  readonly document_fee?: number
  readonly warranty?: { readonly count: number; readonly unit: 'day' | 'month' | 'year' }
}

export type DeadlineFacts = DeadlineCountdownFacts &
  AppealFacts & {
    /** Whether the organisation bids. Only bidders may appeal (s. 114) and sign. */
    readonly decision?: 'bid' | 'no_bid' | null | undefined
    readonly draft_commented_on?: string | null | undefined
    readonly contract_signed_date?: string | null | undefined
    readonly contract_ends?: readonly string[] | undefined
    readonly document_facts?: DeadlineDocumentFacts | undefined
  }

/**
 * Clauses of the Regulation of the Ministry of Finance B.E. 2560 (N4) on draft hearings, explanations and the bid day.
 * They apply to e-bidding; for other methods only published dates are shown.
 */
const eBiddingLaw = ({ method }: DeadlineCountdownFacts, clause: string): Pick<Deadline, 'law'> =>
  method === 'e_bidding' ? { law: { law: 'regulation_2560', clause } } : {}

/** Returns the date of the result; null after a cancelled result, which starts no appeal period. */
const resultOf = ({ movement, winner_announce_date }: DeadlineCountdownFacts) =>
  movement === 'winner_cancelled' ? null : winner_announce_date

function commentOf(row: DeadlineCountdownFacts & Pick<DeadlineFacts, 'draft_commented_on'>): Deadline {
  const day = row.draft_discussion_end_date
  const note = getDraftCommentNote(row.method, day, row.draft_commented_on)
  return { kind: 'comment', day, isEstimate: false, ...eBiddingLaw(row, '45'), ...(note !== undefined && { note }) }
}

function submissionOf(row: DeadlineCountdownFacts): Deadline {
  const time = parseBidSubmissionHours(row.submission_time)
  return {
    kind: 'submission',
    day: row.submission_end_date,
    ...(time && { time }),
    isEstimate: false,
    ...eBiddingLaw(row, '54'),
    ...(DRAFT_PROJECT_MOVEMENTS.includes(row.movement) && { note: 'วันตามร่าง อาจเปลี่ยนเมื่อประกาศเชิญชวน' }),
  }
}

/**
 * Computes a date from a published one by the rule that was in force on that day. Returns an empty list if either is
 * missing.
 */
function computed<Name extends ProcurementRuleName>(
  kind: DeadlineKind,
  rule: Name,
  base: string | null,
  dayOf: (base: string, value: NonNullable<ReturnType<typeof findProcurementRule<Name>>>['value']) => string,
): Deadline[] {
  const inForce = base === null ? undefined : findProcurementRule(rule, base)
  if (base === null || !inForce) return []
  return [{ kind, day: dayOf(base, inForce.value), isEstimate: true, law: inForce.source }]
}

function preparationsOf(row: DeadlineFacts): Deadline[] {
  const { method, submission_end_date: bidDay, document_facts: stated } = row
  const isCompetitive = OPEN_PROCUREMENT_METHODS.includes(method) || SELECTIVE_PROCUREMENT_METHODS.includes(method)
  if (!isCompetitive) return []
  const bankLetter = computed('bank_letter', 'bankLetterDays', bidDay, (day, age) => addDays(day, -age))
  if (method !== 'e_bidding') return bankLetter
  const question: Deadline[] = stated?.question_deadline
    ? [
        {
          kind: 'question',
          day: stated.question_deadline.day,
          isEstimate: false,
          document: stated.question_deadline.source,
        },
      ]
    : computed('question', 'explanationWorkingDays', bidDay, (day, days) => addWorkingDays(day, -days))
  const papers = computed('papers', 'papersEndWorkingDays', bidDay, (day, days) => addWorkingDays(day, -days))
  const fee = stated?.document_fee
  return [
    ...bankLetter,
    ...question,
    ...papers.map((deadline) => (fee ? { ...deadline, note: `เอกสารขาย ${formatBaht(fee)} บาท` } : deadline)),
    ...computed('sample', 'sampleWorkingDays', bidDay, addWorkingDays),
  ]
}

function appealsOf(row: DeadlineFacts, result: string | null): Deadline[] {
  if (row.decision !== 'bid' || !isAppealable(row)) return []
  const [appeal] = computed('appeal', 'appealWorkingDays', result, addWorkingDays)
  if (!appeal) return []
  const [decision] = computed('appeal_decision', 'appealDecisionWorkingDays', appeal.day, addWorkingDays)
  const report = computed('appeal_board', 'appealReportWorkingDays', decision?.day ?? null, addWorkingDays)[0]?.day
  return [
    { ...appeal, note: getAppealNote(row) },
    ...(decision ? [decision] : []),
    ...computed('appeal_board', 'appealBoardDays', report ?? null, (day, { days, extensions, extensionDays }) =>
      addDays(day, days + extensions * extensionDays),
    ),
    ...(row.contract_signed_date
      ? []
      : computed('signing', 'contractWaitsForAppeal', appeal.day, (day) => addWorkingDays(day, 1))),
  ]
}

/** Returns the dates of a contract; the warranty and the return of the guarantee only for bidders who may be the seller. */
function contractDatesOf({ contract_signed_date, contract_ends, decision, document_facts }: DeadlineFacts): Deadline[] {
  const dates: Deadline[] = contract_signed_date
    ? [{ kind: 'signing', day: contract_signed_date, isEstimate: false }]
    : []
  const end = contract_ends?.toSorted().at(-1)
  if (end === undefined) return dates
  dates.push({ kind: 'contract_end', day: end, isEstimate: false })
  const warranty = document_facts?.warranty
  if (!warranty || decision !== 'bid') return dates
  const lastDay = addDuration(end, warranty)
  return [
    ...dates,
    { kind: 'warranty_end', day: lastDay, isEstimate: true },
    ...computed('guarantee_return', 'guaranteeReturnDays', lastDay, addDays),
  ]
}

function addDuration(iso: string, { count, unit }: NonNullable<DeadlineDocumentFacts['warranty']>): string {
  return unit === 'day' ? addDays(iso, count) : addMonths(iso, unit === 'month' ? count : count * 12)
}

/**
 * Returns all dates of a project that count, in the order of `DEADLINE_KINDS`. Published dates are included while they
 * are unknown (N4); computed ones only when their base is known and the method has them.
 */
export function getProjectDeadlines(row: DeadlineFacts): Deadline[] {
  const result = resultOf(row)
  const deadlines: Deadline[] = [
    commentOf(row),
    ...preparationsOf(row),
    submissionOf(row),
    { kind: 'result', day: result, isEstimate: false },
    ...appealsOf(row, result),
    ...contractDatesOf(row),
  ]
  return deadlines.toSorted((a, b) => DEADLINE_KINDS.indexOf(a.kind) - DEADLINE_KINDS.indexOf(b.kind))
}

export const formatDeadlineLegalBasis = ({ kind, law }: Pick<Deadline, 'kind' | 'law'>): string =>
  law ? formatLawClause(law) : DEADLINE_KIND_TEXTS[kind].basis

export function getDeadlineEndMs({ day, time }: Pick<Deadline, 'day' | 'time'>): number | undefined {
  if (day === null) return undefined
  return time ? Date.parse(`${day}T${time.to}:00+07:00`) : Date.parse(`${day}T23:59:59.999+07:00`) + 1
}

export type DeadlineCountdownState =
  | { readonly kind: 'counting'; readonly deadline: Deadline & { readonly day: string } }
  | { readonly kind: 'cancelled' | 'contracted' | 'decided' | 'closed' | 'drafted' | 'delivered' | 'undated' }

const DECIDED_MOVEMENTS = ['winner_announced', 'winner_amended']
/** Movements after which bidding has ended, even if e-GP does not publish when. */
const CLOSED_MOVEMENTS = ['bids_closed', 'winner_cancelled']

/**
 * Returns the next date to count down to (the end of the comment period, otherwise the end of submission), or the
 * reason why there is none.
 */
export function getDeadlineCountdownState(
  row: DeadlineCountdownFacts & Pick<DeadlineFacts, 'draft_commented_on'>,
  now: Date,
): DeadlineCountdownState {
  if (isCancelledProjectStatus(row.status)) return { kind: 'cancelled' }
  if (row.status === 'contract_created' || row.movement === 'contract_created') return { kind: 'contracted' }
  if (DECIDED_MOVEMENTS.includes(row.movement)) return { kind: 'decided' }
  const [comment, submission] = [commentOf(row), submissionOf(row)]
  for (const deadline of [comment, submission]) {
    const { day } = deadline
    if (day !== null && getDeadlineEndMs(deadline)! > now.getTime())
      return { kind: 'counting', deadline: { ...deadline, day } }
  }
  if (resultOf(row) !== null) return { kind: 'decided' }
  if (row.is_archived) return { kind: 'delivered' }
  if (submission.day !== null || CLOSED_MOVEMENTS.includes(row.movement)) return { kind: 'closed' }
  return { kind: comment.day === null ? 'undated' : 'drafted' }
}
