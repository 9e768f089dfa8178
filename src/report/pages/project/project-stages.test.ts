import { describe, expect, test } from 'vitest'
import type { ReportRow } from '#contract/report/report.ts'
import { projectDetail } from '../../../../test/project-detail.ts'
import { computeProjectStages, findCurrentProjectStage, type ProjectStageState } from './project-stages.ts'

const TODAY = '2026-11-21'
const DATES = {
  draft_published_date: '2026-10-01',
  draft_discussion_end_date: '2026-10-08',
  bidding_invite_date: '2026-11-12',
  submission_end_date: '2026-11-28',
  winner_announce_date: null,
} satisfies Partial<ReportRow>
const NO_DATES = {
  draft_published_date: null,
  draft_discussion_end_date: null,
  bidding_invite_date: null,
  submission_end_date: null,
  winner_announce_date: null,
} satisfies Partial<ReportRow>

const SIGNS: Record<ProjectStageState, string> = {
  done: '✓',
  missing: '?',
  current: '●',
  upcoming: '.',
  cancelled: '✗',
  closed: '-',
}
type Step = [movement: string, announced_date: string]
function line(row: Partial<ReportRow>, announcements: readonly Step[] = [], today = TODAY) {
  return computeProjectStages(
    projectDetail({
      row,
      announcements: announcements.map(([movement, announced_date]) => ({ movement, announced_date })),
    }),
    today,
  )
}
const signs = (...facts: Parameters<typeof line>) =>
  line(...facts)
    .map(({ state }) => SIGNS[state])
    .join('')

describe('an undated step', () => {
  const undated = { is_movement_undated: true, movement_date: '2026-12-05' }

  test('shows a cancellation at the latest possible day, and does not end an earlier period', () => {
    const row = { status: 'project_cancelled', movement: 'project_cancelled', ...DATES, ...undated }
    // The bid deadline is before the latest possible day of the cancellation, but the project may have been cancelled
    // even earlier.
    expect(signs(row, [], '2026-12-10')).toBe('✓✓✓✗--')
    expect(signs({ ...row, is_movement_undated: false }, [], '2026-12-10')).toBe('✓✓✓✓✗-')
    const stop = line(row).find(({ state }) => state === 'cancelled')!
    expect([stop.date, stop.isUndated]).toEqual(['2026-12-05', true])
  })

  test('shows a contract likewise; a dated signature is treated as certain', () => {
    const row = { status: 'contract_created', movement: 'contract_created', ...DATES, ...undated }
    expect(line(row).at(-1)).toMatchObject({ state: 'done', date: '2026-12-05', isUndated: true })
    expect(line({ ...row, is_movement_undated: false }).at(-1)).toMatchObject({ date: null, isUndated: false })
  })
})

describe('project progress', () => {
  const rows: [what: string, shown: string, row: Partial<ReportRow>, announcements?: Step[]][] = [
    [
      'a draft whose hearing runs',
      '✓●....',
      { movement: 'draft_published', ...DATES, draft_discussion_end_date: TODAY, bidding_invite_date: null },
    ],
    ['a draft whose hearing is over waits for the invitation', '✓✓●...', { movement: 'draft_published', ...DATES }],
    ['a revised draft too', '✓✓●...', { movement: 'draft_revised', ...DATES }],
    [
      'a reference price without a hearing',
      '✓?●...',
      { movement: 'reference_price_published', ...NO_DATES, draft_published_date: '2026-11-01' },
    ],
    ['an invitation until the last day', '✓✓✓●..', { movement: 'invited', ...DATES, submission_end_date: TODAY }],
    ['an invitation without a last day', '✓✓✓●..', { movement: 'invited', ...DATES, submission_end_date: null }],
    ['an invitation without a draft', '??✓●..', { movement: 'invited', ...NO_DATES }],
    ['an amended invitation', '✓✓✓●..', { movement: 'invitation_amended', ...DATES }],
    [
      'an invitation whose last day has gone, before a load says so',
      '✓✓✓✓●.',
      { movement: 'invited', ...DATES, submission_end_date: '2026-11-20' },
    ],
    ['closed bids', '✓✓✓✓●.', { movement: 'bids_closed', ...DATES, submission_end_date: '2026-11-18' }],
    ['a winner', '✓✓✓✓✓●', { movement: 'winner_announced', ...DATES, winner_announce_date: '2026-11-20' }],
    ['a winner of a purchase without invitation', '????✓●', { movement: 'winner_announced', ...NO_DATES }],
    ['another winner', '✓✓✓✓✓●', { movement: 'winner_amended', ...DATES, winner_announce_date: '2026-11-20' }],
    ['a winner taken back', '✓✓✓✓✗.', { movement: 'winner_cancelled', ...DATES }],
    [
      'a contract',
      '✓✓✓✓✓✓',
      {
        movement: 'contract_created',
        status: 'contract_created',
        ...DATES,
        winner_announce_date: '2026-11-19',
      },
    ],
    [
      'a contract that only the status tells of',
      '????' + '?✓',
      { movement: 'unheard_of', status: 'contract_created', ...NO_DATES },
    ],
    [
      'an invitation cancelled before the last day',
      '✓✓✓✗--',
      { movement: 'invitation_cancelled', movement_date: '2026-11-15', status: 'invitation_cancelled', ...DATES },
    ],
    [
      'an invitation cancelled after the last day',
      '✓✓✓✓✗-',
      {
        movement: 'invitation_cancelled',
        movement_date: '2026-11-20',
        status: 'invitation_cancelled',
        ...DATES,
        submission_end_date: '2026-11-18',
      },
    ],
    [
      'an invitation cancelled of which nothing else is known',
      '??✓✗--',
      { movement: 'invitation_cancelled', movement_date: null, status: 'invitation_cancelled', ...NO_DATES },
    ],
    [
      'a project cancelled as a draft',
      '✓✗----',
      {
        movement: 'project_cancelled',
        movement_date: '2026-10-05',
        status: 'project_cancelled',
        ...NO_DATES,
        draft_published_date: '2026-10-01',
        draft_discussion_end_date: '2026-10-08',
      },
    ],
    [
      'a project cancelled after its winner, by what was announced',
      '????✓✗',
      { movement: 'project_cancelled', movement_date: '2026-11-20', status: 'project_cancelled', ...NO_DATES },
      [
        ['winner_announced', '2026-11-10'],
        ['project_cancelled', '2026-11-20'],
      ],
    ],
    [
      'a cancelled project of which nothing is known',
      '✗-----',
      { movement: 'project_cancelled', movement_date: null, status: 'project_cancelled', ...NO_DATES },
    ],
    [
      'a cancellation that the status tells and the movement does not yet',
      '✓✓✓✗--',
      { movement: 'invited', movement_date: '2026-11-12', status: 'project_cancelled', ...DATES },
      [['invited', '2026-11-12']],
    ],
    [
      'invited again after a cancellation, it goes on',
      '✓✓✓●..',
      { movement: 'invited', ...DATES },
      [
        ['invited', '2026-10-20'],
        ['invitation_cancelled', '2026-10-25'],
        ['invited', '2026-11-12'],
      ],
    ],
    ['a movement that we do not know, by its dates', '✓✓✓●..', { movement: 'unheard_of', ...DATES }],
    ['a movement that is the name of something else', '●.....', { movement: 'constructor', ...NO_DATES }],
  ]
  test.each(rows)('%s: %s', (_what, expectedSigns, row, announcements) => {
    expect(signs(row, announcements)).toBe(expectedSigns)
  })

  test('focuses the pending step, the step where the project stopped, or the end', () => {
    expect(findCurrentProjectStage(line({ movement: 'invited', ...DATES })).key).toBe('submission')
    expect(findCurrentProjectStage(line({ movement: 'winner_cancelled', ...DATES })).key).toBe('winner')
    expect(findCurrentProjectStage(line({ status: 'contract_created', ...DATES })).key).toBe('contract')
  })
})

describe('step details', () => {
  const stageOf = (key: string, ...facts: Parameters<typeof line>) => line(...facts).find((stage) => stage.key === key)!

  test('take dates from the row, else from the announcement', () => {
    expect(stageOf('invitation', { ...DATES }, [['invited', '2026-11-01']]).date).toBe('2026-11-12')
    expect(stageOf('invitation', { ...NO_DATES }, [['invited', '2026-11-01']]).date).toBe('2026-11-01')
  })

  test('use the first signature as the contract date when the project has none', () => {
    const contract = {
      contract_no: '1',
      winner_name: null,
      winner_tax_id: null,
      amount: null,
      end_date: null,
      status: null,
    }
    const detail = projectDetail({
      row: { status: 'contract_created' },
      contracts: [
        { ...contract, signed_date: '2026-11-20' },
        { ...contract, signed_date: '2026-11-18' },
        { ...contract, signed_date: null },
      ],
    })
    expect(computeProjectStages(detail, TODAY).at(-1)).toMatchObject({ date: '2026-11-18', state: 'done' })
  })

  test('show a cancellation with its day at the last step', () => {
    expect(
      stageOf('submission', {
        movement: 'invitation_cancelled',
        movement_date: '2026-11-15',
        status: 'invitation_cancelled',
        ...DATES,
      }),
    ).toMatchObject({ state: 'cancelled', date: '2026-11-15', time: null, note: 'ยกเลิกประกาศเชิญชวน' })
  })

  test('state a new invitation after a cancellation, and the date of an amendment', () => {
    const again: Step[] = [
      ['invited', '2026-10-20'],
      ['invitation_cancelled', '2026-10-25'],
      ['invited', '2026-11-12'],
    ]
    expect(stageOf('invitation', { movement: 'invited', ...DATES }, again).note).toBe('ประกาศใหม่หลังยกเลิก 12 พ.ย. 2569')
    const amended: Step[] = [
      ['invited', '2026-11-12'],
      ['invitation_amended', '2026-11-14'],
      ['invitation_amended', '2026-11-18'],
    ]
    expect(stageOf('invitation', { movement: 'invitation_amended', ...DATES }, amended).note).toBe(
      'แก้ไขประกาศ 18 พ.ย. 2569',
    )
    expect(stageOf('draft', { ...DATES }, [['draft_revised', '2026-10-05']]).note).toBe('แก้ไขร่าง 5 ต.ค. 2569')
  })

  test('include the hours of the submission', () => {
    expect(stageOf('submission', { movement: 'invited', ...DATES }).time).toBe('09:00-12:00')
  })
})
