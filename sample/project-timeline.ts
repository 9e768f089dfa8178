import { findRuleTier, getCurrentProcurementRule } from '#contract/catalogue/procurement-rules.ts'
import {
  type ProcurementMethod,
  SELECTIVE_PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '#contract/catalogue/project.ts'
import { addWorkingDaysToDayNumber, dayNumberToIsoDate, getNextWorkingDay } from './day-numbers.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * The days of a project's steps without incidents. Minimum working days are those of the regulation;
 * invitation to signature follows the 43,813 e-biddings of fiscal year 2568: median 46 days, by budget 44, 50, 56 and
 * 112.
 */
export type ProjectTimeline = {
  readonly draft: number | undefined
  readonly discussionEnd: number | undefined
  /** Start of the second hearing, which follows a revised draft; undefined without one. */
  readonly revised: number | undefined
  readonly revisedDiscussionEnd: number | undefined
  /** Undefined when the reference price is published together with the invitation. */
  readonly referencePrice: number | undefined
  readonly invited: number
  readonly submissionEnd: number
  readonly winner: number
  readonly signed: number
}

/** Competition required: open tender, invitation of at least three, or a single offer. */
export type CompetitionLevel = 'open' | 'selective' | 'specific'

export function getCompetitionLevel(method: ProcurementMethod): CompetitionLevel {
  if (SPECIFIC_PROCUREMENT_METHODS.includes(method)) return 'specific'
  return SELECTIVE_PROCUREMENT_METHODS.includes(method) ? 'selective' : 'open'
}

const NOTICE_TIERS = getCurrentProcurementRule('publicationWorkingDays').value

/** Returns the minimum working days that an invitation must be open, by budget (baht). */
export function getMinNoticeDays(budget: number): number {
  return findRuleTier(NOTICE_TIERS, budget) ?? NOTICE_TIERS[0]!.value
}

function medianToSignature(budget: number): number {
  return budget <= 5_000_000 ? 44 : budget <= 10_000_000 ? 50 : budget <= 50_000_000 ? 56 : 112
}

/** Working days of the appeal period, after which the contract may be signed. */
const APPEAL_DAYS = getCurrentProcurementRule('appealWorkingDays').value

export function generateProjectTimeline(random: SeededRandom, plan: ProjectPlan, created: number): ProjectTimeline {
  const competition = getCompetitionLevel(plan.method)
  if (competition === 'specific') return directTimeline(random, created)
  const hearing = competition === 'open' ? draftSteps(random, plan, created) : NO_HEARING
  const hearingEnd = hearing.revisedDiscussionEnd ?? hearing.discussionEnd
  const pause = hearingEnd === undefined ? random.int(0, 5) : Math.min(45, 2 + Math.round(random.logNormal(14, 0.7)))
  const priced = publicationDay(random, addWorkingDaysToDayNumber(hearingEnd ?? created, pause))
  const isSeparate = random.chance(competition === 'open' ? 0.7 : 0.4)
  const waiting = isSeparate ? Math.min(30, 1 + Math.round(random.logNormal(6, 0.8))) : 0
  const invited = isSeparate ? publicationDay(random, addWorkingDaysToDayNumber(priced, waiting)) : priced
  const notice =
    competition === 'selective'
      ? 3 + random.int(0, 5)
      : getMinNoticeDays(plan.budget) + extraNoticeDays(random, plan.method)
  const submissionEnd = addWorkingDaysToDayNumber(invited, notice)
  const median = competition === 'selective' ? 30 : medianToSignature(plan.budget)
  const wished = invited + Math.round(random.logNormal(median * 0.92, 0.54))
  const evaluation = Math.max(2, Math.round((wished - submissionEnd) * (0.3 + random.next() * 0.3)))
  const winner = publicationDay(random, getNextWorkingDay(submissionEnd + evaluation))
  const signed = rushToYearEnd(
    random,
    Math.max(getNextWorkingDay(wished), addWorkingDaysToDayNumber(winner, APPEAL_DAYS + 1)),
    winner,
  )
  return { ...hearing, referencePrice: isSeparate ? priced : undefined, invited, submissionEnd, winner, signed }
}

const WEEKEND_SHARE = 0.18

/**
 * Returns the day of publication. Some of Friday's announcements are published on Saturday or Sunday, so that weekend
 * loads are not empty.
 */
function publicationDay(random: SeededRandom, day: number): number {
  const isFriday = (day + 4) % 7 === 5
  return isFriday && random.chance(WEEKEND_SHARE) ? day + random.int(1, 2) : day
}

const NO_HEARING = { draft: undefined, discussionEnd: undefined, revised: undefined, revisedDiscussionEnd: undefined }

function extraNoticeDays(random: SeededRandom, method: ProcurementMethod): number {
  if (method === 'e_market') return random.int(-2, 1)
  if (method === 'e_bidding' || method === 'price_enquiry') return random.int(0, 7)
  return random.int(5, 16)
}

/** Above five million baht a hearing on the draft is required; below, some offices publish it for comments anyway. */
function draftSteps(random: SeededRandom, plan: ProjectPlan, created: number) {
  const isDraftable = plan.method === 'e_bidding' || plan.method === 'price_enquiry'
  if (!isDraftable || !(plan.budget > 5_000_000 || random.chance(0.6))) return NO_HEARING
  const draft = publicationDay(random, addWorkingDaysToDayNumber(created, random.int(0, 3)))
  const discussionEnd = addWorkingDaysToDayNumber(draft, random.int(3, plan.budget > 5_000_000 ? 8 : 5))
  if (!random.chance(0.2)) return { ...NO_HEARING, draft, discussionEnd }
  const revised = addWorkingDaysToDayNumber(discussionEnd, random.int(2, 12))
  return { draft, discussionEnd, revised, revisedDiscussionEnd: addWorkingDaysToDayNumber(revised, random.int(3, 5)) }
}

function directTimeline(random: SeededRandom, created: number): ProjectTimeline {
  const invited = addWorkingDaysToDayNumber(created, random.int(0, 3))
  const submissionEnd = addWorkingDaysToDayNumber(invited, random.int(1, 3))
  const winner = publicationDay(random, addWorkingDaysToDayNumber(submissionEnd, random.int(1, 4)))
  return {
    ...NO_HEARING,
    referencePrice: undefined,
    invited,
    submissionEnd,
    winner,
    signed: addWorkingDaysToDayNumber(winner, random.int(1, 5)),
  }
}

/**
 * Annual funds must be committed by 30 September, so many signatures due in October are moved to the last days before.
 */
function rushToYearEnd(random: SeededRandom, signed: number, winner: number): number {
  const date = dayNumberToIsoDate(signed)
  if (date.slice(5, 7) !== '10' || !random.chance(0.55)) return signed
  const lastDay = signed - Number(date.slice(8))
  const hurried = getNextWorkingDay(lastDay - random.int(0, 6) - 2)
  return hurried > addWorkingDaysToDayNumber(winner, APPEAL_DAYS) ? hurried : signed
}
