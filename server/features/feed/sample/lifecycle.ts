import type { ProjectCriteria, ProjectMovement } from '#contract/project.ts'
import type { FeedBidder, FeedContract } from '../feed-source.ts'
import { papersOf } from './attachments.ts'
import { type Bid, bidsFor } from './bidding.ts'
import type { SampleCompanies } from './companies.ts'
import type { LifeStep, ProjectLife, Sayings } from './project-life.ts'
import type { ProjectPlan } from './project-plan.ts'
import {
  amendmentRemark,
  APPEAL_REMARKS,
  NO_BIDDER_REMARKS,
  openRemark,
  PROJECT_CANCELLED_REMARKS,
  WITHDRAWN_REMARKS,
} from './remarks.ts'
import { quantile, type Random } from './seeded-random.ts'
import { type Road, roadOf, type Timeline, timelineOf } from './timeline.ts'
import { addWorkingDays, fiscalYearOf, isoOf, nextWorkingDay } from './working-days.ts'

/** How a project ends; the shares are of projects that compete. */
type Fate =
  | 'contract'
  | 'draft_dropped'
  | 'invitation_withdrawn'
  | 'no_bidder'
  | 'project_cancelled'
  | 'winner_cancelled'
  | 'winner_amended'

export type Lived = {
  readonly life: ProjectLife
  /** Day on which a failed tender is announced anew, when it is. */
  readonly againFrom: number | undefined
}

/** Lives one project through, from the day it was created in e-GP to its delivery or its end. */
export function liveProject(
  random: Random,
  plan: ProjectPlan,
  projectId: string,
  created: number,
  companies: SampleCompanies,
): Lived {
  const road = roadOf(plan.method)
  const timeline = timelineOf(random, plan, created)
  const fate = fateOf(random, road, timeline)
  const steps: LifeStep[] = []
  const pass = (movement: ProjectMovement, day: number, says: Sayings) => {
    steps.push({ day, movement, says, attachments: papersOf(random, plan, projectId, movement, day) })
  }
  const estimate = estimateOf(random, plan)
  const base = baseSayings(random, plan, road)
  let againFrom: number | undefined

  const isDropped = announceTender(random, plan, timeline, estimate, fate, pass)
  if (!isDropped) {
    const delay = amendments(random, plan, road, timeline, estimate, fate, pass)
    const submissionEnd = timeline.submissionEnd + delay
    if (fate === 'invitation_withdrawn' || fate === 'no_bidder') {
      const day =
        fate === 'no_bidder'
          ? addWorkingDays(submissionEnd, random.int(2, 9))
          : nextWorkingDay(timeline.invited + 1 + Math.floor(random.next() * (submissionEnd - timeline.invited - 1)))
      const remark = random.pick(fate === 'no_bidder' ? NO_BIDDER_REMARKS : WITHDRAWN_REMARKS)
      pass('invitation_cancelled', day, { status: 'invitation_cancelled', remark })
      if (random.chance(0.7)) againFrom = addWorkingDays(day, random.int(6, 18))
    } else if (fate === 'project_cancelled') {
      const day = addWorkingDays(submissionEnd, random.int(6, 20))
      pass('project_cancelled', day, { status: 'project_cancelled', remark: random.pick(PROJECT_CANCELLED_REMARKS) })
    } else {
      const bids = bidsFor(random, plan, estimate.final, companies)
      award(random, plan, road, timeline, delay, fate, bids, pass, steps)
    }
  }
  return { life: { projectId, base, steps: steps.toSorted((a, b) => a.day - b.day) }, againFrom }
}

type Pass = (movement: ProjectMovement, day: number, says: Sayings) => void
type Estimate = { readonly first: number; readonly final: number; readonly isKnownEarly: boolean; readonly firstBudget: number }

function fateOf(random: Random, road: Road, timeline: Timeline): Fate {
  const roll = random.next()
  if (road === 'specific') return roll < 0.012 ? 'project_cancelled' : 'contract'
  if (roll < 0.012) return timeline.draft === undefined ? 'contract' : 'draft_dropped'
  if (roll < 0.028) return 'invitation_withdrawn'
  if (roll < 0.062) return 'no_bidder'
  if (roll < 0.072) return 'project_cancelled'
  if (roll < 0.08) return 'winner_cancelled'
  return roll < 0.093 ? 'winner_amended' : 'contract'
}

/** Reference price against budget: 5 % below 0.975, most exactly the budget, 5 % above 1.05 (egp.md, D). */
const ESTIMATE_RATIO = [
  [0, 0.86],
  [0.05, 0.965],
  [0.42, 0.9995],
  [0.46, 1],
  [0.9, 1],
  [0.97, 1.045],
  [1, 1.11],
] as const

function estimateOf(random: Random, plan: ProjectPlan): Estimate {
  const ratio = quantile(ESTIMATE_RATIO, random.next())
  const step = plan.type === 'construct' || ratio === 1 ? 1 : 10_000
  const final = Math.round((plan.budget * 100 * ratio) / step) * step
  const first = random.chance(0.5) ? final : Math.round((final * (0.965 + random.next() * 0.06)) / 10_000) * 10_000
  const isBudgetCorrected = random.chance(0.04)
  const firstBudget = isBudgetCorrected ? Math.round((plan.budget * (0.93 + random.next() * 0.12)) / 100) * 10_000 : plan.budget * 100
  return { first, final, isKnownEarly: random.chance(0.75), firstBudget }
}

function criteriaOf(random: Random, plan: ProjectPlan, road: Road): ProjectCriteria {
  const roll = random.next()
  if (road === 'specific') return 'no_data'
  if (plan.type === 'consult' || plan.type === 'design' || plan.method === 'design_contest') {
    return roll < 0.55 ? 'price_and_other' : 'price_and_other_minimum'
  }
  const isComplex = plan.trade === 'technology' || plan.trade === 'services' || plan.trade === 'medical'
  if (road === 'selective' && roll > 0.82) return 'no_data'
  if (roll < (isComplex ? 0.8 : 0.965)) return 'price'
  return roll < (isComplex ? 0.93 : 0.988) ? 'price_and_other' : 'price_and_other_minimum'
}

function baseSayings(random: Random, plan: ProjectPlan, road: Road): Sayings {
  const { department } = plan
  const isSmall = plan.budget <= 20_000_000
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
    criteria: criteriaOf(random, plan, road),
    isSme: random.chance(isSmall ? 0.72 : 0.18),
    budgetSatang: plan.budget * 100,
  }
}

const TIMES = ['09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '09:00-12:00', '13:00-16:00'] as const
const LETTER_TIMES = ['08:30-16:30', '09:00-12:00', '10:00', '13:30', '14:00'] as const

/** Draft, hearing, reference price and invitation. True when the project was given up before it was invited. */
function announceTender(random: Random, plan: ProjectPlan, timeline: Timeline, estimate: Estimate, fate: Fate, pass: Pass): boolean {
  const road = roadOf(plan.method)
  const known = estimate.isKnownEarly ? { estimateSatang: estimate.first } : {}
  if (timeline.draft !== undefined) {
    pass('draft_published', timeline.draft, {
      ...known,
      budgetSatang: estimate.firstBudget,
      draftPublishedOn: isoOf(timeline.draft),
      draftDiscussionEndsOn: isoOf(timeline.discussionEnd!),
    })
    if (timeline.revised !== undefined) {
      pass('draft_revised', timeline.revised, { draftDiscussionEndsOn: isoOf(timeline.revisedDiscussionEnd!) })
    }
    if (fate === 'draft_dropped') {
      const day = addWorkingDays(timeline.revisedDiscussionEnd ?? timeline.discussionEnd!, random.int(3, 25))
      pass('project_cancelled', day, { status: 'project_cancelled', remark: random.pick(PROJECT_CANCELLED_REMARKS) })
      return true
    }
  }
  const priced: Sayings = { budgetSatang: plan.budget * 100, estimateSatang: estimate.final }
  if (timeline.referencePrice !== undefined) pass('reference_price_published', timeline.referencePrice, priced)
  const invitation: Sayings = {
    ...priced,
    biddingInvitedOn: isoOf(timeline.invited),
    submissionEndsOn: isoOf(timeline.submissionEnd),
    submissionTime: random.pick(road === 'open' ? TIMES : LETTER_TIMES),
    remark: openRemark(random),
  }
  // A direct purchase invites by letter: nothing is seen of it until the winner is announced.
  if (road === 'specific') pass('winner_announced', timeline.winner, invitation)
  else pass('invited', timeline.invited, invitation)
  return false
}

/** Changes of the invitation. Answers by how many days the submission end moved. */
function amendments(random: Random, plan: ProjectPlan, road: Road, timeline: Timeline, estimate: Estimate, fate: Fate, pass: Pass): number {
  if (road !== 'open' || fate === 'invitation_withdrawn' || !random.chance(0.16)) return 0
  let end = timeline.submissionEnd
  for (let round = 0, from = timeline.invited; round < 2; round++) {
    const day = nextWorkingDay(from + 1 + Math.floor(random.next() * Math.max(1, end - from - 2)))
    if (day >= end) break
    const isPostponed = random.chance(0.66)
    const says: Sayings = { remark: amendmentRemark(random, isPostponed) }
    if (isPostponed) end = addWorkingDays(end, random.int(4, 14))
    const corrected = random.chance(0.22) ? { estimateSatang: Math.round((estimate.final * (0.97 + random.next() * 0.05)) / 10_000) * 10_000 } : {}
    const sme = random.chance(0.08) ? { isSme: true } : {}
    pass('invitation_amended', day, { ...says, ...corrected, ...sme, ...(isPostponed ? { submissionEndsOn: isoOf(end) } : {}) })
    if (!random.chance(0.18)) break
    from = day
  }
  return end - timeline.submissionEnd
}

/** From the winner to the delivery. */
function award(
  random: Random,
  plan: ProjectPlan,
  road: Road,
  timeline: Timeline,
  delay: number,
  fate: Fate,
  bids: readonly Bid[],
  pass: Pass,
  steps: LifeStep[],
) {
  const winnerDay = nextWorkingDay(timeline.winner + delay)
  let signed = nextWorkingDay(timeline.signed + delay)
  let winners = splitAmong(random, plan, bids)
  if (road === 'specific') steps[steps.length - 1] = withWinner(steps[steps.length - 1]!, winnerSays(winnerDay, bids, winners))
  else pass('winner_announced', winnerDay, winnerSays(winnerDay, bids, winners))

  if (fate === 'winner_amended' || fate === 'winner_cancelled') {
    const day = addWorkingDays(winnerDay, random.int(3, 7))
    const remark = random.pick(APPEAL_REMARKS)
    const second = bids[1]
    if (fate === 'winner_cancelled') {
      const none = { winnerAnnouncedOn: null, winnerName: null, winnerSatang: null, bidders: listBids(bids, []) }
      pass('winner_cancelled', day, { ...none, remark })
      const later = addWorkingDays(day, random.int(5, 15))
      if (second === undefined || random.chance(0.5)) {
        pass('project_cancelled', later, { status: 'project_cancelled', remark: random.pick(PROJECT_CANCELLED_REMARKS) })
        return
      }
      winners = [second]
      pass('winner_announced', later, winnerSays(later, bids, winners))
      signed = addWorkingDays(later, random.int(9, 20))
    } else if (second !== undefined) {
      winners = [second]
      pass('winner_amended', day, { ...winnerSays(day, bids, winners), remark })
      signed = addWorkingDays(day, random.int(9, 20))
    }
  }
  signContract(random, plan, signed, winners, pass, steps)
}

function withWinner(step: LifeStep, says: Sayings): LifeStep {
  return { ...step, says: { ...step.says, ...says } }
}

function winnerSays(day: number, bids: readonly Bid[], winners: readonly Bid[]): Sayings {
  return {
    winnerAnnouncedOn: isoOf(day),
    winnerName: winners[0]!.company.name,
    winnerSatang: winners.reduce((sum, bid) => sum + bid.satang, 0),
    bidders: listBids(bids, winners),
  }
}

function listBids(bids: readonly Bid[], winners: readonly Bid[]): FeedBidder[] {
  return bids.map(({ company, satang }) => ({
    tin: company.taxId,
    name: company.name,
    priceSatang: satang,
    isWinner: winners.some((winner) => winner.company === company),
    isSme: company.isSme,
  }))
}

/** Purchases of many items are sometimes shared out: 768 of the real projects have several contracts. */
function splitAmong(random: Random, plan: ProjectPlan, bids: readonly Bid[]): readonly Bid[] {
  const [first, second] = bids
  if (second === undefined || plan.type !== 'buy' || !/รายการ/u.test(plan.title) || !random.chance(0.16)) return [first!]
  const share = Math.round((first!.satang * (0.3 + random.next() * 0.2)) / 100) * 100
  return [
    { company: first!.company, satang: first!.satang - share },
    { company: second.company, satang: share },
  ]
}

function signContract(random: Random, plan: ProjectPlan, signed: number, winners: readonly Bid[], pass: Pass, steps: LifeStep[]) {
  const year = fiscalYearOf(signed)
  const number = random.int(1, 260)
  const begin = random.chance(0.25) ? (plan.type === 'buy' ? 'ซ.' : plan.type === 'lease' ? 'ช.' : 'จ.') : ''
  const ends = signed + plan.days
  const contracts = (status: string): FeedContract[] =>
    winners.map(({ company, satang }, index) => ({
      contractNo: `${begin}${number + index}/${year}`,
      winnerTin: company.taxId,
      winnerName: company.name,
      amountSatang: satang,
      signedOn: isoOf(signed),
      endsOn: isoOf(ends),
      status,
    }))
  pass('contract_created', signed, {
    status: 'contract_created',
    contractSignedOn: isoOf(signed),
    contracts: contracts('อยู่ระหว่างดำเนินการ'),
  })
  const roll = random.next()
  if (roll < 0.012) {
    const day = nextWorkingDay(signed + Math.round(plan.days * (0.3 + random.next() * 0.6)))
    steps.push({ day, says: { status: 'contract_created', contracts: contracts('ยกเลิกสัญญา'), remark: 'ยกเลิกสัญญา เนื่องจากคู่สัญญาทิ้งงาน' } })
    return
  }
  const late = roll < 0.14
  if (late) steps.push({ day: ends + 1, says: { contracts: contracts('ส่งงานล่าช้ากว่ากำหนด') } })
  const early = Math.round(plan.days * random.next() * 0.12)
  const delivered = late ? ends + 2 + random.int(3, 70) : Math.max(signed + 3, ends - early)
  steps.push({ day: delivered, says: { status: 'สิ้นสุดสัญญา', contracts: contracts('ส่งงานครบถ้วน') } })
}
