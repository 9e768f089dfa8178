import type { Qualifications } from '../account/qualification.ts'
import { findSuspensionDays } from '../account/report-card.ts'
import {
  findProcurementRule,
  findRuleTier,
  type LawClause,
  listProcurementRuleVersions,
} from '../catalogue/procurement-rules.ts'
import { OPEN_PROCUREMENT_METHODS, SPECIFIC_PROCUREMENT_METHODS } from '../catalogue/project.ts'
import { formatBahtShort } from '../thai/money-text.ts'
import { addDays, countDaysBetween, formatThaiDate } from '../thai/thai-date.ts'
import { type EligibilityVerdict, getEligibilityLabel } from './eligibility-verdict.ts'
import { findPriceAdvantage, getAdvantagePercent } from './price-advantage.ts'
import type { ReportRow } from './report.ts'

/**
 * Whether an organisation may bid, judged before any document is read: by budget, method, kind of work and date of the
 * announcement against its qualifications. A statement about the usual rules, never advice: an announcement may ask for
 * more, and each check names its clause.
 */

/** Facts that the verdict depends on. `server/report/eligibility/eligibility-table.ts` has a dimension for each. */
export type EligibilityProject = Pick<
  ReportRow,
  | 'method'
  | 'method_type'
  | 'budget'
  | 'bidding_invite_date'
  | 'draft_published_date'
  | 'movement_date'
  | 'submission_end_date'
>

export type EligibilityCheck = {
  readonly outcome: 'met' | 'unmet' | 'unknown'
  readonly text: string
  readonly source?: LawClause
  readonly fix?: string
  /** The qualification to fill in, if that decides the check. */
  readonly missing?: keyof Qualifications
}

type Eligibility = {
  readonly verdict: EligibilityVerdict
  /**
   * `checks` decide the verdict, unmet ones first; `notes` (what to prepare and what the organisation gains) do not.
   */
  readonly checks: readonly EligibilityCheck[]
  readonly notes: readonly { readonly text: string; readonly source: LawClause }[]
}

/**
 * Kinds of work that may be construction, for which contractors are registered: 77 % of the competitive tenders of fiscal
 * year 2568 have no kind, most of them construction.
 */
export const CONSTRUCTION_METHOD_TYPES: readonly string[] = ['construct', '']

/** Rules are chosen by the day of the announcement. */
export const getAnnouncementDay = (project: EligibilityProject): string | null =>
  project.bidding_invite_date ?? project.draft_published_date ?? project.movement_date

const met = (text: string, source?: LawClause): EligibilityCheck => ({
  outcome: 'met',
  text,
  ...(source && { source }),
})
const unmet = (text: string, fix: string, source?: LawClause): EligibilityCheck => ({
  outcome: 'unmet',
  text,
  fix,
  ...(source && { source }),
})
const unknown = (text: string, missing?: keyof Qualifications, source?: LawClause): EligibilityCheck => ({
  outcome: 'unknown',
  text,
  ...(missing && { missing }),
  ...(source && { source }),
})

function checkInvitation({ method }: EligibilityProject): EligibilityCheck | undefined {
  if (OPEN_PROCUREMENT_METHODS.includes(method)) return undefined
  if (SPECIFIC_PROCUREMENT_METHODS.includes(method))
    return unmet('วิธีเฉพาะเจาะจง หน่วยงานเจรจากับรายที่เลือกไว้', 'ติดต่อหน่วยงานเพื่อให้รู้จักบริษัทสำหรับครั้งต่อไป')
  return unknown('วิธีนี้ยื่นได้เฉพาะผู้ที่หน่วยงานเชิญ ตรวจว่าได้รับหนังสือเชิญหรือไม่')
}

function checkSuspension(
  { submission_end_date }: EligibilityProject,
  { suspended_until }: Qualifications,
  today: string,
): EligibilityCheck | undefined {
  const bidDay = submission_end_date ?? today
  if (suspended_until === null || suspended_until < bidDay) return undefined
  return unmet(
    `บริษัทถูกพักสิทธิถึง ${formatThaiDate(suspended_until)}`,
    'ยื่นได้หลังพ้นวันพักสิทธิ อุทธรณ์การพักสิทธิได้ตามระเบียบ',
    findProcurementRule('suspensionDaysByPoints', submission_end_date)?.source,
  )
}

function checkFinances(project: EligibilityProject, bidder: Qualifications): EligibilityCheck {
  const { budget, method_type } = project
  const day = getAnnouncementDay(project)
  const [netWorth, capital, person, credit, letter] = [
    findProcurementRule('positiveNetWorth', day),
    findProcurementRule('paidCapitalBaht', day),
    findProcurementRule('personDeposit', day),
    findProcurementRule('creditLineShare', day),
    findProcurementRule('bankLetterDays', day),
  ]
  if (!netWorth || !capital || !person || !credit || !letter)
    return unknown('ประกาศก่อนเกณฑ์ฐานะการเงินปัจจุบัน ตรวจเกณฑ์เดิมในประกาศ')
  if (bidder.bidder_kind === null)
    return unknown('ยังไม่ได้บอกว่าเป็นนิติบุคคลที่มีงบแล้ว นิติบุคคลใหม่ หรือบุคคลธรรมดา', 'bidder_kind', netWorth.source)
  if (bidder.bidder_kind === 'company') {
    if (bidder.net_worth === null)
      return unknown('มูลค่าสุทธิของกิจการต้องเป็นบวก แต่ยังไม่ได้กรอกของเรา', 'net_worth', netWorth.source)
    if (bidder.net_worth > 0) return met('มูลค่าสุทธิของกิจการเป็นบวก', netWorth.source)
  }
  if (budget === null) return unknown('ไม่มีวงเงิน จึงยังคำนวณทุนหรือสินเชื่อที่ต้องมีไม่ได้')
  if (bidder.bidder_kind === 'new_company') {
    const minCapital = findRuleTier(capital.value, budget)
    if (minCapital === undefined) return met('วงเงินนี้ไม่กำหนดทุนจดทะเบียน', capital.source)
    if (bidder.paid_capital === null)
      return unknown(`ต้องมีทุนที่ชำระแล้ว ${formatBahtShort(minCapital)} แต่ยังไม่ได้กรอกของเรา`, 'paid_capital', capital.source)
    if (bidder.paid_capital >= minCapital)
      return met(`ทุนที่ชำระแล้วไม่ต่ำกว่า ${formatBahtShort(minCapital)}`, capital.source)
  }
  if (bidder.bidder_kind === 'person' && budget <= person.value.aboveBaht)
    return met('วงเงินนี้ไม่ต้องแสดงเงินฝาก', person.source)
  const isPerson = bidder.bidder_kind === 'person'
  const needed = budget * (isPerson ? person.value.share : credit.value)
  const source = isPerson ? person.source : credit.source
  const letterName = isPerson ? 'เงินฝากหรือวงเงินสินเชื่อ' : 'วงเงินสินเชื่อ'
  // Work for which contractors are registered is exempt, but the announcement alone does not show whether this is such work.
  const exempt = 'งานก่อสร้างที่ใช้ทะเบียนผู้ประกอบการไม่ใช้เกณฑ์นี้ ตรวจในประกาศ'
  const { credit_line: creditLine, credit_letter_on: letterDay } = bidder
  const bidDay = project.submission_end_date
  const isTooOld = letterDay !== null && bidDay !== null && countDaysBetween(letterDay, bidDay) > letter.value
  const hasEnough = creditLine !== null && creditLine >= needed
  if (hasEnough && letterDay !== null && !isTooOld) return met(`มี${letterName}ถึง ${formatBahtShort(needed)}`, source)
  if (CONSTRUCTION_METHOD_TYPES.includes(method_type) && bidder.classes.length > 0)
    return unknown(exempt, undefined, source)
  if (hasEnough)
    return letterDay === null
      ? unknown(`มี${letterName}พอ แต่ยังไม่ได้กรอกวันที่ในหนังสือธนาคาร`, 'credit_letter_on', letter.source)
      : unmet(
          `หนังสือรับรอง${letterName}เก่ากว่า ${letter.value} วันในวันยื่น`,
          `ขอหนังสือธนาคารฉบับใหม่ ลงวันที่ไม่เกิน ${letter.value} วันก่อนวันยื่น`,
          letter.source,
        )
  if (isPerson && creditLine === null)
    return unknown(`ต้องมี${letterName} ${formatBahtShort(needed)} แต่ยังไม่ได้กรอกของเรา`, 'credit_line', source)
  // A company that lacks net worth or capital and entered no credit line has to ask a bank either way.
  return unmet(
    creditLine === null
      ? `ฐานะของบริษัทไม่ถึงเกณฑ์ ต้องใช้${letterName} ${formatBahtShort(needed)} แทน`
      : `ขาด${letterName} ${formatBahtShort(needed - creditLine)} (ต้องมี ${formatBahtShort(needed)})`,
    `ขอหนังสือธนาคารอายุไม่เกิน ${letter.value} วัน`,
    source,
  )
}

function checkAntiCorruption(project: EligibilityProject, bidder: Qualifications): EligibilityCheck | undefined {
  const rule = findProcurementRule('antiCorruptionFromBaht', getAnnouncementDay(project))
  if (!rule || project.budget === null || project.budget < rule.value) return undefined
  const text = `วงเงินตั้งแต่ ${formatBahtShort(rule.value)} ต้องมีนโยบายป้องกันการทุจริต`
  if (bidder.has_anti_corruption_policy === null)
    return unknown(`${text} แต่ยังไม่ได้กรอกของเรา`, 'has_anti_corruption_policy', rule.source)
  return bidder.has_anti_corruption_policy
    ? met('มีนโยบายป้องกันการทุจริต', rule.source)
    : unmet(text, 'จัดทำนโยบายและแนวทางตามแบบของกรมบัญชีกลางก่อนวันยื่น', rule.source)
}

function listNotes(project: EligibilityProject, bidder: Qualifications): Eligibility['notes'] {
  const { budget, method } = project
  const day = getAnnouncementDay(project)
  const notes: { text: string; source: LawClause }[] = []
  const [bondFrom, bond, pact, advantage] = [
    findProcurementRule('bidBondAboveBaht', day),
    findProcurementRule('bondPercent', day),
    findProcurementRule('integrityPactFromBaht', day),
    findPriceAdvantage(day),
  ]
  if (budget !== null && method === 'e_bidding' && bondFrom && bond && budget > bondFrom.value) {
    const baht = (budget * bond.value.percent) / 100
    const left =
      bidder.bond_line !== null && bidder.bond_line < baht
        ? ` วงเงินค้ำประกันของเราเหลือ ${formatBahtShort(bidder.bond_line)}`
        : ''
    notes.push({ text: `วางหลักประกันการเสนอราคา ${formatBahtShort(baht)}${left}`, source: bondFrom.source })
  }
  if (bond && budget !== null)
    notes.push({
      text: `ถ้าชนะ วางหลักประกันสัญญาราว ${formatBahtShort((budget * bond.value.percent) / 100)}`,
      source: bond.source,
    })
  const points = bidder.report_card_points
  const card = findProcurementRule('suspensionDaysByPoints', day)
  const suspensionDays = points === null || !card ? undefined : findSuspensionDays(points, card.value)
  if (card && suspensionDays !== undefined && bidder.suspended_until === null)
    notes.push({
      text: `แต้มในสมุดพกของเรา ${points} ตามเกณฑ์พักสิทธิ ${suspensionDays} วัน กรอกวันพักสิทธิเพื่อให้ตัดสินได้`,
      source: card.source,
    })
  if (budget !== null && pact && budget >= pact.value) notes.push({ text: 'ต้องลงนามข้อตกลงคุณธรรม', source: pact.source })
  if (advantage && method === 'e_bidding') {
    const isSme = bidder.sme !== null && bidder.sme !== 'none'
    const percent = getAdvantagePercent({ is_sme: isSme, has_mit: bidder.has_mit }, advantage)
    if (percent > 0) notes.push({ text: `แต้มต่อราคาของเราในเกณฑ์ราคา ${percent} %`, source: advantage.source })
  }
  return notes
}

const OUTCOMES = ['unmet', 'unknown', 'met'] as const
const VERDICTS = { unmet: 'blocked', unknown: 'unknown', met: 'eligible' } as const

export type EligibilityDecision = Pick<Eligibility, 'verdict' | 'checks'>

/**
 * Decides a project: `blocked` if a requirement is unmet, otherwise `unknown` if one cannot be judged. `today` is the
 * Bangkok day, for projects without a bid day.
 */
export function decideEligibility(
  project: EligibilityProject,
  bidder: Qualifications,
  today: string,
): EligibilityDecision {
  const isOpen = OPEN_PROCUREMENT_METHODS.includes(project.method)
  const checks = [
    checkInvitation(project),
    checkSuspension(project, bidder, today),
    ...(isOpen ? [checkFinances(project, bidder)] : []),
    checkAntiCorruption(project, bidder),
  ]
    .filter((check) => check !== undefined)
    .toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
  return { verdict: VERDICTS[checks[0]?.outcome ?? 'unknown'], checks }
}

export function judgeEligibility(project: EligibilityProject, bidder: Qualifications, today: string): Eligibility {
  return { ...decideEligibility(project, bidder, today), notes: listNotes(project, bidder) }
}

/**
 * Values of a project at which the verdict for one bidder may change; between two neighbouring values it is constant.
 * Days are ISO; from each budget (in baht) on, more is required.
 */
type EligibilityThresholds = {
  readonly announcedOn: readonly string[]
  readonly budgets: readonly number[]
  readonly submittedOn: readonly string[]
}

/**
 * Lists every value at which a check of `decideEligibility` can change its outcome, derived from the same rules, so
 * that verdicts of many projects are looked up instead of judged (`server/report/eligibility/eligibility-table.ts`).
 */
export function listEligibilityThresholds(bidder: Qualifications): EligibilityThresholds {
  const versions = {
    netWorth: listProcurementRuleVersions('positiveNetWorth'),
    capital: listProcurementRuleVersions('paidCapitalBaht'),
    person: listProcurementRuleVersions('personDeposit'),
    credit: listProcurementRuleVersions('creditLineShare'),
    letter: listProcurementRuleVersions('bankLetterDays'),
    policy: listProcurementRuleVersions('antiCorruptionFromBaht'),
  }
  const { credit_line: creditLine, credit_letter_on: letterDay, suspended_until: suspendedUntil } = bidder
  const shares = [...versions.credit.map(({ value }) => value), ...versions.person.map(({ value }) => value.share)]
  return {
    announcedOn: Object.values(versions).flatMap((list) =>
      list.flatMap(({ validFrom, validUntil }) => [
        validFrom,
        ...(validUntil === null ? [] : [addDays(validUntil, 1)]),
      ]),
    ),
    budgets: [
      ...versions.capital.flatMap(({ value }) => value.map(({ aboveBaht }) => aboveBaht)),
      ...versions.person.map(({ value }) => value.aboveBaht),
      ...versions.policy.map(({ value }) => value),
      ...(creditLine === null ? [] : shares.map((share) => creditLine / share)),
    ],
    submittedOn: [
      ...(suspendedUntil === null ? [] : [addDays(suspendedUntil, 1)]),
      ...(letterDay === null ? [] : versions.letter.map(({ value }) => addDays(letterDay, value + 1))),
    ],
  }
}

export function formatEligibility({ verdict, checks }: EligibilityDecision): string {
  const count = checks.filter(({ outcome }) => outcome === 'unmet').length
  return verdict === 'blocked' ? `${getEligibilityLabel(verdict)} ${count} เรื่อง` : getEligibilityLabel(verdict)
}
