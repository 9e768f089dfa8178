import type { FeedBidder, FeedContract } from '../feed-source.ts'
import { type Bid, bidsFor } from './bidding.ts'
import type { SampleCompanies } from './companies.ts'
import type { Sayings } from './project-life.ts'
import type { ProjectPlan } from './project-plan.ts'
import { APPEAL_REMARKS, PROJECT_CANCELLED_REMARKS } from './remarks.ts'
import type { Random } from './seeded-random.ts'
import type { Story } from './story.ts'
import { invitationSayings } from './tender-steps.ts'
import { addWorkingDays, fiscalYearOf, isoOf, nextWorkingDay } from './working-days.ts'

/** From the winner to the delivery. `delay`: days by which the end of offers was put off. */
export function award(story: Story, estimateSatang: number, delay: number, companies: SampleCompanies) {
  const { random, plan, road, timeline, fate, announce } = story
  const bids = bidsFor(random, plan, estimateSatang, companies)
  const winners = splitAmong(random, plan, bids)
  const day = delay === 0 ? timeline.winner : nextWorkingDay(timeline.winner + delay)
  // A direct purchase invites by letter: nothing is seen of it until the winner is announced.
  const invitation = road === 'specific' ? invitationSayings(story, estimateSatang) : {}
  announce('winner_announced', day, { ...invitation, ...winnerSays(day, bids, winners) })
  const signed = nextWorkingDay(timeline.signed + delay)
  if (fate === 'project_cancelled') giveUp(story, signed)
  else if (fate === 'winner_cancelled') withdrawWinner(story, day, bids)
  else if (fate === 'winner_amended' && bids[1] !== undefined) amendWinner(story, day, bids, [bids[1]])
  else signContract(story, signed, winners)
}

function giveUp({ random, announce }: Story, day: number) {
  const remark = random.pick(PROJECT_CANCELLED_REMARKS)
  announce('project_cancelled', day, { status: 'project_cancelled', remark })
}

function withdrawWinner(story: Story, winnerDay: number, bids: readonly Bid[]) {
  const { random, announce } = story
  const day = addWorkingDays(winnerDay, random.int(3, 7))
  announce('winner_cancelled', day, {
    winnerAnnouncedOn: null,
    winnerName: null,
    winnerSatang: null,
    bidders: listBids(bids, []),
    remark: random.pick(APPEAL_REMARKS),
  })
  const later = addWorkingDays(day, random.int(5, 15))
  const second = bids[1]
  if (second === undefined || random.chance(0.5)) return giveUp(story, later)
  announce('winner_announced', later, winnerSays(later, bids, [second]))
  signContract(story, addWorkingDays(later, random.int(9, 20)), [second])
}

function amendWinner(story: Story, winnerDay: number, bids: readonly Bid[], winners: readonly Bid[]) {
  const { random, announce } = story
  const day = addWorkingDays(winnerDay, random.int(3, 7))
  announce('winner_amended', day, { ...winnerSays(day, bids, winners), remark: random.pick(APPEAL_REMARKS) })
  signContract(story, addWorkingDays(day, random.int(9, 20)), winners)
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
  if (second === undefined || plan.type !== 'buy' || !plan.title.includes('รายการ') || !random.chance(0.16)) {
    return [first!]
  }
  const share = Math.round((first!.satang * (0.3 + random.next() * 0.2)) / 100) * 100
  return [
    { company: first!.company, satang: first!.satang - share },
    { company: second.company, satang: share },
  ]
}

const BOOK_LETTERS: Partial<Record<ProjectPlan['type'], string>> = { buy: 'ซ.', lease: 'ช.' }

function signContract({ random, plan, announce, show }: Story, signed: number, winners: readonly Bid[]) {
  const number = random.int(1, 260)
  const letter = random.chance(0.25) ? (BOOK_LETTERS[plan.type] ?? 'จ.') : ''
  const ends = signed + plan.days
  const contracts = (status: string): FeedContract[] =>
    winners.map(({ company, satang }, index) => ({
      contractNo: `${letter}${number + index}/${fiscalYearOf(signed)}`,
      winnerTin: company.taxId,
      winnerName: company.name,
      amountSatang: satang,
      signedOn: isoOf(signed),
      endsOn: isoOf(ends),
      status,
    }))
  announce('contract_created', signed, {
    status: 'contract_created',
    contractSignedOn: isoOf(signed),
    contracts: contracts('อยู่ระหว่างดำเนินการ'),
  })
  const roll = random.next()
  if (roll < 0.012) {
    const day = nextWorkingDay(signed + 1 + Math.round(plan.days * (0.3 + random.next() * 0.6)))
    show(day, { contracts: contracts('ยกเลิกสัญญา'), remark: 'ยกเลิกสัญญา เนื่องจากคู่สัญญาทิ้งงาน' })
    return
  }
  const isLate = roll < 0.14
  if (isLate) show(ends + 1, { contracts: contracts('ส่งงานล่าช้ากว่ากำหนด') })
  const early = Math.round(plan.days * random.next() * 0.12)
  const delivered = isLate ? ends + random.int(5, 70) : Math.max(signed + 3, ends - early)
  show(delivered, { status: 'สิ้นสุดสัญญา', contracts: contracts('ส่งงานครบถ้วน') })
}
