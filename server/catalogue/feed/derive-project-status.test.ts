import { describe, expect, test } from 'vitest'
import {
  deriveProjectMovement,
  deriveProjectStatus,
  findLatestProjectStep,
  formatOtherWinners,
  getProjectWinner,
  isProjectArchived,
} from './derive-project-status.ts'
import type { ContractRow } from './project-row.ts'

const contract = (fields: Partial<ContractRow>): ContractRow => ({
  project_id: '68010000001',
  contract_no: '1',
  winner_tin: null,
  winner_name: null,
  amount_satang: null,
  signed_on: null,
  ends_on: null,
  status: null,
  ...fields,
})
const NO_DATES = { draft_published_on: null, bidding_invited_on: null, winner_announced_on: null }

describe('status (D1)', () => {
  const facts = { stated: undefined, hasContract: false, latest: null, before: undefined } as const

  test('is in progress without a contract and contract created with one', () => {
    expect(deriveProjectStatus(facts)).toBe('in_progress')
    expect(deriveProjectStatus({ ...facts, stated: 'in_progress', hasContract: true })).toBe('contract_created')
    expect(deriveProjectStatus({ ...facts, stated: 'contract_created' })).toBe('contract_created')
  })

  test('a stated or latest announced cancellation outweighs a contract', () => {
    expect(deriveProjectStatus({ ...facts, stated: 'project_cancelled', hasContract: true })).toBe('project_cancelled')
    expect(deriveProjectStatus({ ...facts, latest: { movement: 'invitation_cancelled', on: '2026-01-01' } })).toBe(
      'invitation_cancelled',
    )
  })

  test('stays cancelled until a later step appears', () => {
    const before = { status: 'invitation_cancelled', movement_on: '2026-01-10' }
    expect(deriveProjectStatus({ ...facts, before, latest: { movement: 'invited', on: '2026-01-05' } })).toBe(
      'invitation_cancelled',
    )
    expect(deriveProjectStatus({ ...facts, before, latest: { movement: 'invited', on: '2026-02-01' } })).toBe(
      'in_progress',
    )
  })

  test('a source without contract data does not revert a stated contract', () => {
    expect(deriveProjectStatus({ ...facts, before: { status: 'contract_created', movement_on: null } })).toBe(
      'contract_created',
    )
  })
})

describe('movement (D2)', () => {
  const facts = {
    status: 'in_progress',
    submission_ends_on: null,
    winner_name: null,
    today: '2026-06-15',
    contracts: [],
    before: undefined,
  }
  const invited = { movement: 'invited', on: '2026-06-01' }

  test('is the latest dated step; on one day, the later one in the life of a project', () => {
    const dates = { ...NO_DATES, bidding_invited_on: '2026-05-01', winner_announced_on: '2026-06-01' }
    const announced = [{ movement: 'winner_amended', announced_on: '2026-06-01' }]
    expect(findLatestProjectStep(dates, [], announced)).toEqual({ movement: 'winner_amended', on: '2026-06-01' })
    expect(findLatestProjectStep(dates, [contract({ signed_on: '2026-06-02' })], announced)).toEqual({
      movement: 'contract_created',
      on: '2026-06-02',
    })
    expect(findLatestProjectStep(NO_DATES, [], [])).toBeNull()
  })

  test.each([
    ['2026-06-15', 'invited'],
    ['2026-06-14', 'bids_closed'],
  ])('submission ending on %s leaves the project on the 15th as %s', (submission_ends_on, movement) => {
    expect(deriveProjectMovement({ ...facts, latest: invited, submission_ends_on }).movement).toBe(movement)
  })

  test('bids do not close after a winner is known or before the invitation', () => {
    const past = { ...facts, submission_ends_on: '2026-06-10' }
    expect(deriveProjectMovement({ ...past, latest: invited, winner_name: 'ร้าน ก' })).toEqual({
      ...invited,
      isUndated: false,
    })
    expect(deriveProjectMovement({ ...past, latest: { movement: 'draft_published', on: '2026-05-01' } }).movement).toBe(
      'draft_published',
    )
    expect(deriveProjectMovement({ ...past, latest: invited })).toEqual({
      movement: 'bids_closed',
      on: '2026-06-10',
      isUndated: false,
    })
  })

  describe('contract or cancellation known only by status', () => {
    const undated = { isUndated: true, on: facts.today }
    const signed = { ...facts, status: 'contract_created', latest: invited }

    test.each(['contract_created', 'project_cancelled', 'invitation_cancelled'])(
      'dates %s to the first load that saw it, and keeps the date in later loads',
      (status) => {
        const first = deriveProjectMovement({ ...facts, status, latest: invited })
        expect(first).toEqual({ movement: status, ...undated })
        expect(deriveProjectMovement({ ...facts, status, latest: null })).toEqual({ movement: status, ...undated })
        expect(
          deriveProjectMovement({ ...facts, status, latest: invited, today: '2026-08-01', before: first }),
        ).toEqual(first)
      },
    )

    test('dates a stored movement without a day', () => {
      const before = { movement: 'project_cancelled', on: null, isUndated: false }
      expect(deriveProjectMovement({ ...facts, status: 'project_cancelled', latest: invited, before })).toMatchObject(
        undated,
      )
    })

    test('dates a contract first seen after its end to that end', () => {
      const contracts = [contract({ ends_on: '2026-06-08' }), contract({ ends_on: '2026-07-31' })]
      expect(deriveProjectMovement({ ...signed, contracts }).on).toBe('2026-06-08')
      // An end date before the invitation is a mistake. A project that had no contract yesterday has been signed since.
      expect(deriveProjectMovement({ ...signed, contracts: [contract({ ends_on: '2026-05-01' })] }).on).toBe(
        facts.today,
      )
      expect(deriveProjectMovement({ ...signed, contracts, before: { ...invited, isUndated: false } }).on).toBe(
        facts.today,
      )
    })

    test('a dated contract replaces an undated one', () => {
      const before = { movement: 'contract_created', on: '2026-06-15', isUndated: true }
      const latest = { movement: 'contract_created', on: '2026-06-12' }
      expect(deriveProjectMovement({ ...signed, latest, before })).toEqual({ ...latest, isUndated: false })
    })

    test('a withdrawn cancellation clears the movement', () => {
      const before = { movement: 'project_cancelled', on: '2026-06-10', isUndated: true }
      expect(deriveProjectMovement({ ...facts, latest: null, before })).toEqual({
        movement: '',
        on: null,
        isUndated: false,
      })
      expect(deriveProjectMovement({ ...facts, latest: invited, before })).toEqual({ ...invited, isUndated: false })
    })
  })
})

describe('archived (D5)', () => {
  const facts = {
    status: 'contract_created',
    statedText: undefined,
    contracts: [contract({ status: 'ระหว่างดำเนินการ' })],
    movement_on: '2026-01-01',
    latest: null,
    fiscal_year: 2569,
    today: '2026-06-30',
  }

  test('180 days after the contract, and not a day earlier', () => {
    expect(isProjectArchived(facts)).toBe(false)
    expect(isProjectArchived({ ...facts, today: '2026-07-01' })).toBe(true)
  })

  test('when every contract has ended, delivery is stated, or the project is cancelled', () => {
    const over = contract({ status: 'สิ้นสุดสัญญา' })
    expect(isProjectArchived({ ...facts, contracts: [over] })).toBe(true)
    expect(isProjectArchived({ ...facts, contracts: [over, contract({})] })).toBe(false)
    expect(isProjectArchived({ ...facts, statedText: 'แล้วเสร็จตามสัญญา' })).toBe(true)
    expect(isProjectArchived({ ...facts, status: 'project_cancelled' })).toBe(true)
  })

  test('never while the project is open, however old', () => {
    expect(isProjectArchived({ ...facts, status: 'in_progress', movement_on: '2020-01-01' })).toBe(false)
  })

  test('counts an undated contract from its end, or from the end of its fiscal year', () => {
    const undated = { ...facts, movement_on: null, contracts: [contract({ ends_on: '2025-01-31' })] }
    expect(isProjectArchived({ ...undated, today: '2025-07-30' })).toBe(false)
    expect(isProjectArchived({ ...undated, today: '2025-07-31' })).toBe(true)
    expect(isProjectArchived({ ...facts, movement_on: null, fiscal_year: 2568, today: '2026-03-30' })).toBe(true)
    expect(isProjectArchived({ ...facts, movement_on: null, fiscal_year: 2569, today: '2026-03-30' })).toBe(false)
  })
})

test('the winner has the largest contract; tax ids distinguish winners, names distinguish masked ones', () => {
  const winner = getProjectWinner([
    contract({ contract_no: '1', winner_tin: '0105546135262', winner_name: 'บริษัท ก จำกัด', amount_satang: 100 }),
    contract({ contract_no: '2', winner_tin: '0105546135262', winner_name: 'บจก. ก', amount_satang: 300 }),
    contract({ contract_no: '3', winner_tin: 'xxxxxxxxxxxxx', winner_name: 'บุคคลธรรมดา-1', amount_satang: 50 }),
    contract({ contract_no: '4', winner_tin: 'xxxxxxxxxxxxx', winner_name: 'บุคคลธรรมดา-2', amount_satang: 50 }),
  ])
  expect(winner).toMatchObject({ name: 'บจก. ก', count: 3, satang: 500 })
  expect(getProjectWinner([contract({ amount_satang: 5 }), contract({ contract_no: '2' })]).satang).toBeNull()
})

test('other winners appear once each, largest contract first, without the main winner and without people', () => {
  const { name, parties } = getProjectWinner([
    contract({ contract_no: '1', winner_tin: '0105546135262', winner_name: 'บริษัท ก จำกัด', amount_satang: 100 }),
    contract({ contract_no: '2', winner_tin: '0105546135262', winner_name: 'บจก. ก', amount_satang: 300 }),
    contract({ contract_no: '3', winner_name: 'บุคคลธรรมดา-1', amount_satang: 90 }),
    contract({ contract_no: '4', winner_name: 'นาย สมมติ ไม่มีจริง', amount_satang: 80 }),
    contract({ contract_no: '5', winner_name: 'หจก.  ข\nสาขา 2', amount_satang: 60 }),
    contract({ contract_no: '6', winner_name: 'ร้านค', amount_satang: 70 }),
    contract({ contract_no: '7', winner_name: 'ร้าน ค', amount_satang: 10 }),
    contract({ contract_no: '8', winner_tin: '0105546135263' }),
  ])
  expect(name).toBe('บจก. ก')
  expect(formatOtherWinners(name, parties)).toBe('ร้านค\nหจก. ข สาขา 2')
  expect(formatOtherWinners('บุคคลธรรมดา-1', parties)).toBe('บจก. ก\nร้านค\nหจก. ข สาขา 2')
  expect(formatOtherWinners('บจก. ก', parties.slice(0, 2))).toBeNull()
  expect(formatOtherWinners(null, [])).toBeNull()
})
