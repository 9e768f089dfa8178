import type { AwardCriterion } from '#contract/catalogue/project.ts'
import { addWorkingDaysToDayNumber, dayNumberToIsoDate, getNextWorkingDay } from './day-numbers.ts'
import type { PublishedProjectFields } from './project-history.ts'
import type { ProjectPlan } from './project-plan.ts'
import { composeAmendmentRemark, PROJECT_CANCELLED_REMARKS, pickInvitationRemark } from './remarks.ts'
import { interpolateQuantile, type SeededRandom } from './seeded-random.ts'
import type { ProjectSimulationContext } from './simulation-context.ts'

/** Reference price of a tender in satang: first as estimated in the draft, then as published. */
type TenderEstimate = {
  readonly first: number
  readonly final: number
  readonly isKnownEarly: boolean
  readonly firstBudget: number
}

/**
 * Reference price against budget: 5 % below 0.965, most exactly the budget, 3 % above 1.045 (docs/data.md: p5 0.975,
 * p95 1.05).
 */
const ESTIMATE_RATIO = [
  [0, 0.86],
  [0.05, 0.965],
  [0.42, 0.9995],
  [0.46, 1],
  [0.9, 1],
  [0.97, 1.045],
  [1, 1.11],
] as const

export function generateTenderEstimate(random: SeededRandom, plan: ProjectPlan): TenderEstimate {
  const ratio = interpolateQuantile(ESTIMATE_RATIO, random.next())
  // Building estimates are sums of items and end in odd satang; goods are priced in hundreds of baht.
  const step = plan.type === 'construct' || ratio === 1 ? 1 : 10_000
  const final = Math.round((plan.budget * 100 * ratio) / step) * step
  const budget = plan.budget * 100
  const first = random.chance(0.5) ? final : roundToHundredBaht(final * (0.965 + random.next() * 0.06))
  const firstBudget = random.chance(0.04) ? roundToHundredBaht(budget * (0.93 + random.next() * 0.12)) : budget
  return { first, final, isKnownEarly: random.chance(0.75), firstBudget }
}

function roundToHundredBaht(satang: number): number {
  return Math.round(satang / 10_000) * 10_000
}

export function generateBaseFields({ random, plan, competition }: ProjectSimulationContext): PublishedProjectFields {
  const { department } = plan
  return {
    name: plan.title,
    deptName: department.name,
    deptSubName: department.subName,
    deptProvince: department.province.code,
    projectProvince: plan.province.code,
    district: plan.district,
    subdistrict: plan.subdistrict,
    fiscalYear: plan.fiscalYear,
    status: 'in_progress',
    method: plan.method,
    methodType: plan.type,
    criteria: competition === 'specific' ? 'no_data' : criteriaOf(random, plan, competition === 'selective'),
    isSme: random.chance(plan.budget <= 20_000_000 ? 0.72 : 0.18),
    budgetSatang: plan.budget * 100,
  }
}

const COMPLEX_TRADES = new Set(['technology', 'services', 'medical'])

function criteriaOf(random: SeededRandom, plan: ProjectPlan, isSelective: boolean): AwardCriterion {
  const roll = random.next()
  if (plan.type === 'consult' || plan.type === 'design' || plan.method === 'design_contest') {
    return roll < 0.55 ? 'price_and_other' : 'price_and_other_minimum'
  }
  if (isSelective && roll > 0.82) return 'no_data'
  const isComplex = COMPLEX_TRADES.has(plan.trade)
  if (roll < (isComplex ? 0.8 : 0.965)) return 'price'
  return roll < (isComplex ? 0.93 : 0.988) ? 'price_and_other' : 'price_and_other_minimum'
}

// Electronic bids have been accepted from nine to twelve since 2022; invitations of selective methods state their own
// time.
const TIMES = ['09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '13:00-16:00']
const LETTER_TIMES = ['08:30-16:30', '09:00-12:00', '10:00', '13:30', '14:00']

export function generateInvitationFields(
  { random, plan, competition, timeline }: ProjectSimulationContext,
  estimateSatang: number,
): PublishedProjectFields {
  return {
    budgetSatang: plan.budget * 100,
    estimateSatang,
    biddingInvitedOn: dayNumberToIsoDate(timeline.invited),
    submissionEndsOn: dayNumberToIsoDate(timeline.submissionEnd),
    submissionTime: random.pick(competition === 'open' ? TIMES : LETTER_TIMES),
    remark: pickInvitationRemark(random),
  }
}

export function simulateTenderAnnouncement(story: ProjectSimulationContext, estimate: TenderEstimate) {
  const { random, plan, timeline, fate, announce } = story
  const { draft, discussionEnd, revised, revisedDiscussionEnd, referencePrice } = timeline
  if (draft !== undefined) {
    announce('draft_published', draft, {
      ...(estimate.isKnownEarly ? { estimateSatang: estimate.first } : {}),
      budgetSatang: estimate.firstBudget,
      draftPublishedOn: dayNumberToIsoDate(draft),
      draftDiscussionEndsOn: dayNumberToIsoDate(discussionEnd!),
    })
    if (revised !== undefined) {
      announce('draft_revised', revised, { draftDiscussionEndsOn: dayNumberToIsoDate(revisedDiscussionEnd!) })
    }
    if (fate === 'draft_dropped') {
      const day = addWorkingDaysToDayNumber(revisedDiscussionEnd ?? discussionEnd!, random.int(3, 25))
      const remark = random.pick(PROJECT_CANCELLED_REMARKS)
      announce('project_cancelled', day, { status: 'project_cancelled', remark })
      return
    }
  }
  if (referencePrice !== undefined) {
    announce('reference_price_published', referencePrice, {
      budgetSatang: plan.budget * 100,
      estimateSatang: estimate.final,
    })
  }
  announce('invited', timeline.invited, generateInvitationFields(story, estimate.final))
}

/** Amends the invitation: postponed dates, corrected prices. Returns the final values. */
export function simulateInvitationAmendment(
  { random, competition, timeline, fate, announce }: ProjectSimulationContext,
  estimate: TenderEstimate,
) {
  let end = timeline.submissionEnd
  let estimateSatang = estimate.final
  if (competition !== 'open' || fate === 'invitation_withdrawn' || !random.chance(0.16)) return { end, estimateSatang }
  for (let from = timeline.invited; ; ) {
    const day = getNextWorkingDay(from + 1 + Math.floor(random.next() * Math.max(1, end - from - 2)))
    if (day >= end) return { end, estimateSatang }
    const isPostponed = random.chance(0.66)
    if (isPostponed) end = addWorkingDaysToDayNumber(end, random.int(4, 14))
    if (random.chance(0.22)) estimateSatang = roundToHundredBaht(estimateSatang * (0.97 + random.next() * 0.05))
    announce('invitation_amended', day, {
      remark: composeAmendmentRemark(random, isPostponed),
      estimateSatang,
      ...(random.chance(0.08) ? { isSme: true } : {}),
      ...(isPostponed ? { submissionEndsOn: dayNumberToIsoDate(end) } : {}),
    })
    if (!random.chance(0.18)) return { end, estimateSatang }
    from = day
  }
}
