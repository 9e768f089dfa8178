import { describe, expect, test } from 'vitest'
import { bidStateOf } from './project.ts'

const TODAY = '2026-12-01'
const open = {
  status: 'in_progress',
  movement: 'invited',
  submission_end_date: '2026-12-05' as string | null,
  winner_announce_date: null as string | null,
}

describe('the bid state of a project', () => {
  test.each<[string, Partial<typeof open>, string]>([
    ['open', {}, 'bids are taken until the date'],
    ['open', { submission_end_date: TODAY }, 'on the last day bids are still taken'],
    ['open', { submission_end_date: null, movement: 'draft_published' }, 'a draft has no date yet'],
    ['open', { movement: 'a step of tomorrow' }, 'a step that nobody knows closes nothing'],
    ['closed', { submission_end_date: '2026-11-30' }, 'the date is over'],
    ['closed', { movement: 'bids_closed', submission_end_date: null }, 'the step says so'],
    ['closed', { status: 'project_cancelled' }, 'nothing will be bought'],
    ['closed', { movement: 'winner_cancelled' }, 'the winner was taken back, and no new date is known'],
    ['awarded', { movement: 'winner_announced' }, 'a winner is known'],
    ['awarded', { winner_announce_date: '2026-11-20', movement: 'invited' }, 'the date of a winner is enough'],
    ['awarded', { status: 'contract_created', submission_end_date: '2027-01-01' }, 'a contract outweighs a date'],
  ])('%s: %o, %s', (state, facts, _why) => {
    expect(bidStateOf({ ...open, ...facts }, TODAY)).toBe(state)
  })
})
