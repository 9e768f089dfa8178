import type { FeedBidder, FeedContract } from '#server/catalogue/feed/feed-source.ts'
import {
  addWorkingDaysToDayNumber,
  dayNumberToFiscalYear,
  dayNumberToIsoDate,
  getNextWorkingDay,
} from './day-numbers.ts'
import type { PublishedProjectFields } from './project-history.ts'
import type { ProjectPlan } from './project-plan.ts'
import { getCompetitionLevel } from './project-timeline.ts'
import { APPEAL_REMARKS, PROJECT_CANCELLED_REMARKS } from './remarks.ts'
import type { SampleCompanies, SampleCompany } from './sample-companies.ts'
import { interpolateQuantile, type SeededRandom } from './seeded-random.ts'
import type { ProjectSimulationContext } from './simulation-context.ts'
import { generateInvitationFields } from './tender-steps.ts'

type Bid = { readonly company: SampleCompany; readonly satang: number }

// Discount from the reference price, measured on e-biddings of fiscal year 2568: median 2.6 %, p75 10.9 %, p95 33.6 %,
// 1 % above. This table is slightly lower, because a price capped by the budget is further below.
const OPEN_DISCOUNT = [
  [0, -0.035],
  [0.01, -0.0005],
  [0.012, 0],
  [0.29, 0.0035],
  [0.54, 0.026],
  [0.76, 0.109],
  [0.95, 0.336],
  [1, 0.52],
] as const
// Discounts of methods that invite few bidders or only one: median 0.3 %, p75 1.3 %, p95 15 %.
const INVITED_DISCOUNT = [
  [0, 0],
  [0.25, 0.0003],
  [0.5, 0.003],
  [0.75, 0.013],
  [0.95, 0.15],
  [1, 0.32],
] as const

/** An award above the budget requires additional funding, so the invented agencies never exceed the budget. */
const isWithinBudget = ({ satang }: Bid, { budget }: ProjectPlan) => satang <= budget * 100

/**
 * Returns the bids for a project, best first. More bidders mean a lower winning price; the best bid is within the
 * budget, the others may exceed it.
 */
function bidsFor(random: SeededRandom, plan: ProjectPlan, estimateSatang: number, companies: SampleCompanies): Bid[] {
  const competition = getCompetitionLevel(plan.method)
  const depth = random.next()
  const discount = interpolateQuantile(competition === 'open' ? OPEN_DISCOUNT : INVITED_DISCOUNT, depth)
  const bidders = distinctCompanies(random, plan, companies, bidderCount(random, competition, depth))
  let satang = roundBid(random, Math.min(estimateSatang * (1 - discount), plan.budget * 100), plan.budget)
  return bidders.map((company, rank) => {
    if (rank > 0) satang = roundBid(random, satang * (1.002 + random.next() * (0.012 + discount * 0.22)), plan.budget)
    return { company, satang }
  })
}

function bidderCount(random: SeededRandom, competition: string, depth: number): number {
  if (competition === 'specific') return 1
  if (competition === 'selective') return random.int(1, 3)
  const crowd = depth * 0.7 + random.next() * 0.5
  if (crowd < 0.28) return 1
  if (crowd < 0.48) return 2
  if (crowd < 0.66) return 3
  return crowd < 0.95 ? random.int(4, 6) : random.int(6, 14)
}

function distinctCompanies(
  random: SeededRandom,
  plan: ProjectPlan,
  companies: SampleCompanies,
  count: number,
): SampleCompany[] {
  const chosen = new Set<SampleCompany>()
  for (let attempts = 0; chosen.size < count && attempts < count * 6; attempts++) {
    chosen.add(companies.pick(random, plan.trade, plan.province))
  }
  return [...chosen]
}

/** Bidders choose round amounts: to ten, a hundred or a thousand baht, and every seventh to the satang. */
function roundBid(random: SeededRandom, satang: number, budget: number): number {
  if (random.chance(0.14)) return Math.round(satang)
  const baht = budget > 5_000_000 ? random.pick([100, 1_000, 1_000, 10_000]) : random.pick([10, 100, 100, 1_000])
  return Math.max(100, Math.floor(satang / (baht * 100)) * baht * 100)
}

/** Generates everything from winner to delivery. `delay`: days by which the bid deadline was postponed. */
export function generateAwardSteps(
  story: ProjectSimulationContext,
  estimateSatang: number,
  delay: number,
  companies: SampleCompanies,
) {
  const { random, plan, competition, timeline, fate, announce } = story
  const bids = bidsFor(random, plan, estimateSatang, companies)
  const winners = splitAmong(random, plan, bids)
  const day = delay === 0 ? timeline.winner : getNextWorkingDay(timeline.winner + delay)
  // A direct purchase invites bidders by letter, so nothing is public until the winner is announced.
  const invitation = competition === 'specific' ? generateInvitationFields(story, estimateSatang) : {}
  announce('winner_announced', day, { ...invitation, ...winnerFields(day, bids, winners) })
  const signed = getNextWorkingDay(timeline.signed + delay)
  if (fate === 'project_cancelled') cancelProject(story, signed)
  else if (fate === 'winner_cancelled') withdrawWinner(story, day, bids)
  else if (fate === 'winner_amended' && bids[1] !== undefined && isWithinBudget(bids[1], plan))
    amendWinner(story, day, bids, [bids[1]])
  else signContract(story, signed, winners)
}

function cancelProject({ random, announce }: ProjectSimulationContext, day: number) {
  const remark = random.pick(PROJECT_CANCELLED_REMARKS)
  announce('project_cancelled', day, { status: 'project_cancelled', remark })
}

function withdrawWinner(story: ProjectSimulationContext, winnerDay: number, bids: readonly Bid[]) {
  const { random, plan, announce } = story
  const day = addWorkingDaysToDayNumber(winnerDay, random.int(3, 7))
  announce('winner_cancelled', day, {
    winnerAnnouncedOn: null,
    winnerName: null,
    winnerSatang: null,
    bidders: listBids(bids, []),
    remark: random.pick(APPEAL_REMARKS),
  })
  const nextDay = addWorkingDaysToDayNumber(day, random.int(5, 15))
  const second = bids[1]
  if (second === undefined || !isWithinBudget(second, plan) || random.chance(0.5)) return cancelProject(story, nextDay)
  announce('winner_announced', nextDay, winnerFields(nextDay, bids, [second]))
  signContract(story, addWorkingDaysToDayNumber(nextDay, random.int(9, 20)), [second])
}

function amendWinner(
  story: ProjectSimulationContext,
  winnerDay: number,
  bids: readonly Bid[],
  winners: readonly Bid[],
) {
  const { random, announce } = story
  const day = addWorkingDaysToDayNumber(winnerDay, random.int(3, 7))
  announce('winner_amended', day, { ...winnerFields(day, bids, winners), remark: random.pick(APPEAL_REMARKS) })
  signContract(story, addWorkingDaysToDayNumber(day, random.int(9, 20)), winners)
}

function winnerFields(day: number, bids: readonly Bid[], winners: readonly Bid[]): PublishedProjectFields {
  return {
    winnerAnnouncedOn: dayNumberToIsoDate(day),
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

/** Purchases of many items are sometimes split: 768 of the real projects have several contracts. */
function splitAmong(random: SeededRandom, plan: ProjectPlan, bids: readonly Bid[]): readonly Bid[] {
  const [first, second] = bids
  if (second === undefined || plan.type !== 'buy' || !plan.title.includes('รายการ') || !random.chance(0.16)) {
    return [first!]
  }
  const share = Math.round((first!.satang * (0.3 + random.next() * 0.2)) / 100) * 100
  return [
    { company: first!.company, satang: first!.satang - share },
    { company: second.company, satang: share },
  ]
}

const CONTRACT_BOOK_LETTERS: Partial<Record<ProjectPlan['type'], string>> = { buy: 'ซ.', lease: 'ช.' }

function signContract(
  { random, plan, announce, show }: ProjectSimulationContext,
  signed: number,
  winners: readonly Bid[],
) {
  const number = random.int(1, 260)
  const letter = random.chance(0.25) ? (CONTRACT_BOOK_LETTERS[plan.type] ?? 'จ.') : ''
  const endDay = signed + plan.days
  const contracts = (status: string): FeedContract[] =>
    winners.map(({ company, satang }, index) => ({
      contractNo: `${letter}${number + index}/${dayNumberToFiscalYear(signed)}`,
      winnerTin: company.taxId,
      winnerName: company.name,
      amountSatang: satang,
      signedOn: dayNumberToIsoDate(signed),
      endsOn: dayNumberToIsoDate(endDay),
      status,
    }))
  announce('contract_created', signed, {
    status: 'contract_created',
    contractSignedOn: dayNumberToIsoDate(signed),
    contracts: contracts('อยู่ระหว่างดำเนินการ'),
  })
  const roll = random.next()
  if (roll < 0.012) {
    const day = getNextWorkingDay(signed + 1 + Math.round(plan.days * (0.3 + random.next() * 0.6)))
    show(day, { contracts: contracts('ยกเลิกสัญญา'), remark: 'ยกเลิกสัญญา เนื่องจากคู่สัญญาทิ้งงาน' })
    return
  }
  const isLate = roll < 0.14
  if (isLate) show(endDay + 1, { contracts: contracts('ส่งงานล่าช้ากว่ากำหนด') })
  const earlyDays = Math.round(plan.days * random.next() * 0.12)
  const delivered = isLate ? endDay + random.int(5, 70) : Math.max(signed + 3, endDay - earlyDays)
  show(delivered, { status: 'สิ้นสุดสัญญา', contracts: contracts('ส่งงานครบถ้วน') })
}
