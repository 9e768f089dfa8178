import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatSatangAsBaht } from './diff-tracked-fields.ts'
import type { FeedRecord } from './feed-source.ts'
import { computeNextProjectState, type NextProjectState } from './next-project.ts'
import type { ExistingProject } from './project-row.ts'
import { UNKNOWN_DEPARTMENT_NAME } from './sources/resolve-fact-conflicts.ts'

const ID = '68010000001'
const TODAY = '2026-06-15'
const record = (fields: Partial<FeedRecord>): FeedRecord => ({
  projectId: ID,
  name: 'ประกวดราคาจ้างก่อสร้างถนน',
  deptName: 'กรมทดสอบ',
  ...fields,
})
const LIST = { source: 'list', loadId: 1, today: TODAY }
const next = (existing: ExistingProject | undefined, ...records: FeedRecord[]) =>
  computeNextProjectState(ID, existing, records, LIST)

function stored(step: NextProjectState, before?: ExistingProject): ExistingProject {
  const merge = <Row>(old: readonly Row[], rows: readonly Row[], key: (row: Row) => string) => [
    ...new Map([...old, ...rows].map((row) => [key(row), row])).values(),
  ]
  return {
    row: step.row,
    firstLoad: 1,
    source: before?.source ?? 'list',
    fieldSources: step.fieldSources ?? before?.fieldSources ?? {},
    contracts: merge(before?.contracts ?? [], step.contracts, (row) => row.contract_no),
    attachments: merge(before?.attachments ?? [], step.attachments, (row) => row.url),
    announcements: merge(before?.announcements ?? [], step.announcements, (row) => row.movement + row.announced_on),
    bidders: step.bidders ?? before?.bidders ?? [],
  }
}
const existingProject = (fields: Partial<FeedRecord>) => stored(next(undefined, record(fields)))
const changesOf = (step: NextProjectState) =>
  step.changes.map(({ field, old_value, new_value }) => [field, old_value, new_value])

describe('fields missing from a source', () => {
  test('keep their value, and null clears them', () => {
    const before = existingProject({ budgetSatang: 100, estimateSatang: 90, remark: 'เดิม' })
    const { row } = next(before, { projectId: ID, estimateSatang: null })
    expect(row).toMatchObject({ name: before.row.name, budget_satang: 100, estimate_satang: null, remark: 'เดิม' })
  })

  test('get defaults in a new project', () => {
    const { row } = next(undefined, { projectId: ID })
    expect(row).toMatchObject({
      name: `โครงการ ${ID}`,
      dept_name: UNKNOWN_DEPARTMENT_NAME,
      dept_sub_name: UNKNOWN_DEPARTMENT_NAME,
      criteria: 'no_data',
    })
    expect(next(undefined, record({})).row).toMatchObject({ dept_sub_name: 'กรมทดสอบ', method_type: 'construct' })
  })

  test('an announcement without a department keeps the known unit', () => {
    const before = existingProject({ deptSubName: 'สำนักงานทดสอบที่ 1' })
    const step = next(before, {
      projectId: ID,
      name: before.row.name,
      announcements: [{ movement: 'invited', announcedOn: '2026-06-01' }],
    })
    expect(step.row).toMatchObject({ dept_name: 'กรมทดสอบ', dept_sub_name: 'สำนักงานทดสอบที่ 1', movement: 'invited' })
  })
})

describe('changes (D3)', () => {
  const FULL = {
    budgetSatang: 1_200_050,
    submissionEndsOn: '2026-07-01',
    biddingInvitedOn: '2026-06-01',
    submissionTime: '09:00-12:00',
  }

  test('a moved date is one change from old to new', () => {
    expect(changesOf(next(existingProject(FULL), record({ ...FULL, submissionEndsOn: '2026-07-08' })))).toEqual([
      ['submission_end_date', '2026-07-01', '2026-07-08'],
    ])
  })

  test('ignores spelling: blanks, Thai digits, doubled marks, attachment order', () => {
    const attachments = [1, 2].map((n) => ({ url: `https://e.example/${n}`, name: `${n}`, step: 'invited' }))
    const before = existingProject({ name: 'ซื้อกล้อง จำนวน ๑๐ ตัว', remark: 'ก ข', attachments })
    const step = next(
      before,
      record({ name: 'ซื้อกล้อง  จำนวน 10 ตัว', remark: 'ก  ข', attachments: attachments.toReversed() }),
    )
    expect([step.changes, step.isRowChanged, step.attachments]).toEqual([[], false, []])
  })

  test('a budget that is only now in doubt rewrites the row without a change', () => {
    const before = existingProject({})
    const doubts = [{ kind: 'amount_zero', field: 'งบประมาณ', value: '0' }] as const
    const step = next(before, record({ doubts }))
    expect([step.row.budget_satang, step.isRowChanged, changesOf(step)]).toEqual([null, true, []])
    const stored = { ...before, doubts: [{ ...doubts[0], source: 'cgd', load: 1 }] }
    expect(next(stored, record({ doubts })).isRowChanged).toBe(false)
  })

  test('a new attachment is a change although no column differs', () => {
    const step = next(
      existingProject({}),
      record({ attachments: [{ url: 'https://e.example/1', name: 'TOR', step: 'invited' }] }),
    )
    expect([step.isRowChanged, changesOf(step)]).toEqual([false, [['attachments', null, 'TOR']]])
  })

  test('a winner and a contract change movement, status, winner, price and date', () => {
    const contracts = [{ contractNo: '1', winnerName: 'ร้าน ก', amountSatang: 1_000_000, signedOn: '2026-06-10' }]
    expect(changesOf(next(existingProject(FULL), record({ contracts }))).toSorted()).toEqual([
      ['contract_signed_date', null, '2026-06-10'],
      ['movement', 'invited', 'contract_created'],
      ['status', 'in_progress', 'contract_created'],
      ['winner_budget', null, '10000'],
      ['winner_name', null, 'ร้าน ก'],
    ])
  })

  test('time alone closes the bids', () => {
    const before = existingProject({ ...FULL, submissionEndsOn: '2026-06-20' })
    const step = computeNextProjectState(ID, before, [], { ...LIST, today: '2026-06-21' })
    expect(changesOf(step)).toEqual([['movement', 'invited', 'bids_closed']])
    expect(step.row.movement_on).toBe('2026-06-20')
  })

  test('an invitation date moved back replaces the old step', () => {
    const step = next(existingProject({ biddingInvitedOn: '2026-06-10' }), record({ biddingInvitedOn: '2026-06-05' }))
    expect(step.row).toMatchObject({ movement: 'invited', movement_on: '2026-06-05' })
  })
})

describe('winner price', () => {
  const contract = (contractNo: string, amountSatang?: number) => ({ contractNo, winnerName: 'ร้าน ก', amountSatang })

  test('keeps the stated price when known contracts add up to less', () => {
    expect(next(undefined, record({ winnerSatang: 300, contracts: [contract('1', 100)] })).row.winner_satang).toBe(300)
  })

  test('sums the contracts of several records when no price is stated', () => {
    const step = next(
      undefined,
      record({ contracts: [contract('1', 100)] }),
      record({ contracts: [contract('2', 50)] }),
    )
    expect(step.row.winner_satang).toBe(150)
    expect(next(stored(step), record({ contracts: [contract('3', 25)] })).row.winner_satang).toBe(175)
  })
})

test('keeps a stated fiscal year over silent sources until a contract is signed', () => {
  const before = existingProject({ fiscalYear: 2567, biddingInvitedOn: '2026-06-01' })
  expect(next(before, record({})).row.fiscal_year).toBe(2567)
  expect(next(before, record({ contracts: [{ contractNo: '1', signedOn: '2026-10-01' }] })).row.fiscal_year).toBe(2570)
  expect(next(existingProject({ biddingInvitedOn: '2026-06-01' })).row.fiscal_year).toBe(2569)
})

test('keeps a stated delivery over silent sources', () => {
  const before = existingProject({ status: 'แล้วเสร็จตามสัญญา', contracts: [{ contractNo: '1', signedOn: '2026-06-01' }] })
  expect(before.row.is_archived).toBe(true)
  expect(next(before, record({})).row.is_archived).toBe(true)
  expect(next(before, record({ status: 'ระหว่างดำเนินการ' })).row.is_archived).toBe(false)
})

test('repeating any records changes nothing', () => {
  const day = fc.option(
    fc
      .date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  )
  const money = fc.option(fc.integer({ min: 0, max: 1e9 }))
  const text = fc.constantFrom('ก', 'ข ค', '๑', '1', '')
  const anyFields = fc.record(
    {
      name: text,
      deptName: text,
      deptSubName: text,
      status: fc.constantFrom('ระหว่างดำเนินการ', 'สิ้นสุดสัญญา', 'ยกเลิกโครงการ', 'อะไรก็ไม่รู้'),
      budgetSatang: money,
      winnerSatang: money,
      biddingInvitedOn: day,
      submissionEndsOn: day,
      winnerAnnouncedOn: day,
      contractSignedOn: day,
      winnerName: fc.option(text),
      contracts: fc.array(
        fc.record({ contractNo: text, winnerName: fc.option(text), amountSatang: money, signedOn: day }),
        { maxLength: 3 },
      ),
      bidders: fc.array(fc.record({ name: text, isWinner: fc.boolean() }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(anyFields, { minLength: 1, maxLength: 3 }), (all) => {
      const records = all.map((fields) => ({ projectId: ID, ...fields }))
      const first = next(undefined, ...records)
      const again = next(stored(first), ...records)
      expect({ changes: again.changes, row: again.row, contracts: again.contracts, bidders: again.bidders }).toEqual({
        changes: [],
        row: first.row,
        contracts: [],
        bidders: undefined,
      })
    }),
    { numRuns: 500 },
  )
})

test('values on the wire are in baht', () => {
  expect([
    formatSatangAsBaht(12_345),
    formatSatangAsBaht(1_200_000),
    formatSatangAsBaht(50),
    formatSatangAsBaht(null),
  ]).toEqual(['123.45', '12000', '0.5', null])
})
