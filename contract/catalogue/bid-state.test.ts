import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AWARDED_PROJECT_MOVEMENTS,
  BID_STATES,
  CLOSED_PROJECT_MOVEMENTS,
  DRAFT_PROJECT_MOVEMENTS,
  getBidState,
  INVITED_PROJECT_MOVEMENTS,
} from './bid-state.ts'
import { PROJECT_MOVEMENTS, PROJECT_STATUSES } from './project.ts'

const TODAY = '2026-12-01'
const invited = {
  status: 'in_progress',
  movement: 'invited',
  bidding_invite_date: '2026-11-20' as string | null,
  submission_end_date: '2026-12-05' as string | null,
  winner_announce_date: null as string | null,
}
const draft = { movement: 'draft_published', bidding_invite_date: null, submission_end_date: null }
const priced = { movement: 'reference_price_published', bidding_invite_date: null, submission_end_date: null }

describe('the bid state of a project', () => {
  test.each<[string, Partial<typeof invited>, string]>([
    ['open', {}, 'bids are taken until the date'],
    ['open', { submission_end_date: TODAY }, 'on the bid day itself bids are still taken'],
    ['open', { movement: 'invitation_amended' }, 'an amended invitation is one'],
    ['open', { submission_end_date: null }, 'an invitation without a known bid day'],
    ['open', { bidding_invite_date: null, submission_end_date: null }, 'an invitation known by its step alone'],
    ['open', { ...priced, submission_end_date: TODAY }, 'a reference price with a bid day belongs to an invitation'],
    ['open', { ...priced, bidding_invite_date: '2026-11-20' }, 'a reference price published after the invitation'],
    ['open', { movement: 'a step of tomorrow' }, 'an unknown step of a project that was invited'],
    ['upcoming', draft, 'a draft without dates'],
    ['upcoming', { ...draft, movement: 'draft_revised' }, 'a second hearing'],
    ['upcoming', { ...draft, submission_end_date: '2026-12-05' }, 'a bid day that is only planned'],
    ['upcoming', { ...invited, movement: 'draft_revised' }, 'a draft announced again after its invitation'],
    ['upcoming', priced, 'a reference price without a bid day'],
    ['upcoming', { ...priced, movement: '' }, 'a project of which no step is known'],
    ['upcoming', { ...priced, movement: 'แผนการจัดซื้อจัดจ้าง' }, 'a plan'],
    ['closed', { submission_end_date: '2026-11-30' }, 'the bid day is over'],
    ['closed', { ...draft, submission_end_date: '2026-11-30' }, 'the planned bid day is over'],
    ['closed', { movement: 'bids_closed', submission_end_date: null }, 'the step says so'],
    ['closed', { status: 'project_cancelled' }, 'nothing will be bought'],
    ['closed', { ...draft, status: 'invitation_cancelled' }, 'a cancelled draft is not coming'],
    ['closed', { ...priced, movement: 'project_cancelled' }, 'a cancelled plan is not coming'],
    ['closed', { movement: 'winner_cancelled' }, 'the winner was withdrawn, and no new date is known'],
    ['awarded', { movement: 'winner_announced' }, 'a winner is known'],
    ['awarded', { winner_announce_date: '2026-11-20' }, 'the date of a winner is enough'],
    ['awarded', { status: 'contract_created', submission_end_date: '2027-01-01' }, 'a contract outweighs a date'],
  ])('%s: %o, %s', (state, facts, _why) => {
    expect(getBidState({ ...invited, ...facts }, TODAY)).toBe(state)
  })

  const day = fc.option(fc.constantFrom('2026-11-01', '2026-11-30', TODAY, '2026-12-02', '2027-03-01'))
  const anyProject = fc.record({
    status: fc.constantFrom(...PROJECT_STATUSES.map(({ code }) => code), 'a status of tomorrow'),
    movement: fc.constantFrom(...PROJECT_MOVEMENTS.map(({ code }) => code), '', 'แผนการจัดซื้อจัดจ้าง'),
    bidding_invite_date: day,
    submission_end_date: day,
    winner_announce_date: day,
  })

  test('each project is in exactly one state, and only a live invitation is open', () => {
    fc.assert(
      fc.property(anyProject, (project) => {
        const { status, movement, bidding_invite_date: invitedOn, submission_end_date: ends } = project
        const hasWinner =
          project.winner_announce_date !== null ||
          status === 'contract_created' ||
          AWARDED_PROJECT_MOVEMENTS.includes(movement)
        const isCancelled = status === 'invitation_cancelled' || status === 'project_cancelled'
        const isOver = ends !== null && ends < TODAY
        const isStopped =
          isCancelled || status !== 'in_progress' || CLOSED_PROJECT_MOVEMENTS.includes(movement) || isOver
        const isAlive = !hasWinner && !isStopped
        const isInvitation =
          INVITED_PROJECT_MOVEMENTS.includes(movement) ||
          (!DRAFT_PROJECT_MOVEMENTS.includes(movement) && (invitedOn !== null || ends !== null))
        const holds = {
          open: isAlive && isInvitation,
          upcoming: isAlive && !isInvitation,
          closed: !hasWinner && isStopped,
          awarded: hasWinner,
        }
        const states = BID_STATES.filter(({ code }) => holds[code]).map(({ code }) => code)
        expect(states).toEqual([getBidState(project, TODAY)])
        if (isCancelled) expect(['closed', 'awarded']).toContain(getBidState(project, TODAY))
      }),
      { numRuns: 3_000 },
    )
  })
})
