import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Bidder, ProjectDetail } from '#contract/report/project-detail.ts'
import { reportRow } from '../../../test/report-row.ts'
import { BiddersCard, ContractsCard } from './bidders-panel.tsx'

const bidder = (name: string, change: Partial<Bidder> = {}): Bidder => ({
  name,
  tax_id: null,
  price: null,
  is_winner: false,
  is_sme: null,
  ...change,
})
const BIDDERS = [
  bidder('บริษัท ก จำกัด', { price: 8_550_000, is_winner: true, is_sme: false, tax_id: '0105556012345' }),
  bidder('บริษัท ข จำกัด', { price: 9_000_000, is_sme: true }),
  bidder('บริษัท ค จำกัด', { price: 9_600_000.5 }),
]

function setUp(
  bidders: Bidder[],
  bidder_coverage: ProjectDetail['bidder_coverage'],
  change: Parameters<typeof reportRow>[0] = {},
) {
  render(<BiddersCard detail={{ row: reportRow(change), bidders, bidder_coverage }} />)
}
const rows = () => {
  const body = screen.getByRole('table', { name: 'ผู้เสนอราคาและราคา' }).querySelector('tbody')!
  return within(body)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
}

describe('the bidders', () => {
  test('are listed with price, share of the reference price, rank, result and SME', () => {
    setUp(BIDDERS, 'full')
    expect(rows()).toEqual([
      ['บริษัท ก จำกัด0105556012345', '8,550,000.00', '90.0%', '1', 'ชนะ', 'ไม่ใช่ SME'],
      ['บริษัท ข จำกัด', '9,000,000.00', '94.7%', '2', 'ไม่ชนะ', 'SME ในแถบ +10%'],
      ['บริษัท ค จำกัด', '9,600,000.50', '101.1%', '3', 'ไม่ชนะ', '–ไม่มีข้อมูล'],
    ])
    expect(screen.getByText('ครบทุกราย')).toBeInTheDocument()
    expect(screen.getByRole('figure')).toHaveTextContent('ราคากลาง 9.50 ล้าน')
    expect(screen.getByRole('figure')).toHaveTextContent('ต่ำสุด +10% 9.41 ล้าน')
  })

  test('without a reference price are compared with the budget, and labelled so', () => {
    setUp(BIDDERS, 'full', { estimate_budget: null })
    expect(screen.getByRole('columnheader', { name: '% ของงบประมาณ' })).toBeInTheDocument()
    expect(rows()[0]![2]).toBe('85.5%')
  })

  test('of 300 show 20 ranked among all, and truncate a name of 2,000 letters', () => {
    setUp(
      Array.from({ length: 300 }, (_, at) => bidder(at === 0 ? 'ย'.repeat(2000) : `ราย ${at}`, { price: 1000 - at })),
      'full',
    )
    expect(rows()).toHaveLength(20)
    expect(rows()[0]![0]).toHaveLength(201)
    expect(rows()[0]![3]).toBe('300')
    expect(screen.getByRole('button', { name: 'ดูอีก 280 ราย' })).toBeInTheDocument()
  })

  test('have no result before it is announced', () => {
    setUp([bidder('บริษัท ก จำกัด', { price: 1 })], 'names')
    expect(rows()[0]![4]).toBe('ยังไม่ประกาศผล')
  })

  test('have no ranks when only the winner is known', () => {
    setUp([BIDDERS[0]!], 'winner')
    expect(screen.getByRole('columnheader', { name: 'ราคาที่ชนะ (บาท)' })).toBeInTheDocument()
    expect(rows()[0]![3]).toContain('ไม่มีข้อมูล')
    expect(screen.getByText(/ไม่ทราบว่ามีผู้เสนอราคารายอื่นหรือไม่/)).toBeInTheDocument()
  })

  test('without prices are listed without a chart', () => {
    setUp([bidder('บริษัท ก จำกัด'), bidder('บริษัท ข จำกัด')], 'names')
    expect(rows()).toHaveLength(2)
    expect(screen.queryByRole('figure')).toBeNull()
  })

  test('that e-GP has not published show a message instead of an empty table', () => {
    setUp([], 'none')
    expect(screen.getByText('e-GP ไม่ได้เผยแพร่รายชื่อผู้เสนอราคา')).toBeInTheDocument()
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('the contracts', () => {
  const contract = {
    contract_no: '12/2569',
    winner_name: 'บริษัท ก จำกัด',
    winner_tax_id: null,
    amount: 8_500_000,
    signed_date: '2026-11-02',
    end_date: null,
    status: 'ระหว่างดำเนินการ',
  }

  test('are listed with number, amount and dates; an unknown date is marked', () => {
    render(<ContractsCard contracts={[contract, { ...contract, contract_no: '13/2569', amount: 100 }]} />)
    const card = screen.getByRole('region', { name: 'สัญญา' })
    expect(card).toHaveTextContent('2 ฉบับ รวม 8,500,100.00 บาท')
    expect(within(card).getAllByRole('listitem')[0]).toHaveTextContent(
      '12/2569ระหว่างดำเนินการบริษัท ก จำกัดมูลค่า (บาท)8,500,000.00วันที่ทำสัญญา2 พ.ย. 2569',
    )
  })

  test('show no total when an amount is unknown', () => {
    render(<ContractsCard contracts={[contract, { ...contract, amount: null }]} />)
    expect(screen.getByRole('region', { name: 'สัญญา' })).not.toHaveTextContent('รวม')
  })

  test('of 300 show the 20 largest, and the rest on request', async () => {
    const contracts = Array.from({ length: 300 }, (_, at) => ({
      ...contract,
      contract_no: `${at + 1}/2569`,
      // Puts the largest contracts in the middle, because contract numbers do not sort by amount.
      amount: at === 150 ? null : 1_000_000 - Math.abs(at - 149),
    }))
    render(<ContractsCard contracts={contracts} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(20)
    expect(screen.getAllByRole('listitem')[0]).toHaveTextContent('150/2569')
    await userEvent.click(screen.getByRole('button', { name: 'ดูอีก 280 ฉบับ' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(300)
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
    expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent('151/2569')
  })

  test('show a message when there are none yet', () => {
    render(<ContractsCard contracts={[]} />)
    expect(screen.getByText('ยังไม่มีสัญญาที่เผยแพร่ใน e-GP')).toBeInTheDocument()
  })
})

describe('the price advantage', () => {
  const section = () => screen.getByRole('region', { name: 'แต้มต่อราคา' })
  const row = { method: 'e_bidding', criteria: 'price', bidding_invite_date: '2026-11-10' } as const

  test('reorders the bids by the advantage of SMEs, and states what an unknown size would change', () => {
    const bidders = [
      bidder('ก', { price: 100, is_sme: false }),
      bidder('ข', { price: 104, is_sme: null }),
      bidder('ค', { price: 110, is_sme: true }),
      bidder('ง', { price: 115, is_sme: null }),
    ]
    setUp(bidders, 'full', row)
    const items = within(section()).getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      '1. ค (ลำดับราคา 3)',
      '2. ก (ลำดับราคา 1)',
      '3. ข (ลำดับราคา 2)',
      '4. ง',
    ])
    expect(section()).toHaveTextContent('ถ้า ข เป็น SMEs น่าจะเป็นลำดับ 1')
    expect(section()).not.toHaveTextContent('ถ้า ง')
    expect(section()).toHaveTextContent('SMEs 10 % · Made in Thailand 5 % · ทั้งสองอย่าง 15 %')
    expect(section()).toHaveTextContent('27/1–27/4')
  })

  test('orders nothing by another criterion or without every price', () => {
    setUp(BIDDERS, 'full', { ...row, criteria: 'price_and_other' })
    expect(within(section()).queryByRole('list')).toBeNull()
    expect(section()).toHaveTextContent('ไม่ได้ตัดสินด้วยราคาอย่างเดียว')
  })

  test.each([
    ['names', row, true],
    ['full', { ...row, criteria: 'no_data' }, true],
    ['full', { ...row, method: 'selective' }, false],
    ['full', { ...row, bidding_invite_date: '2020-01-06' }, false],
  ] as const)('coverage %s and %j: shown %s', (coverage, change, isShown) => {
    setUp(BIDDERS, coverage, change)
    expect(screen.queryByRole('region', { name: 'แต้มต่อราคา' }) !== null).toBe(isShown)
    if (isShown && coverage === 'full') expect(section()).toHaveTextContent('ใช้ได้ถ้าเป็นเกณฑ์ราคา')
    if (coverage === 'names') expect(within(section()).queryByRole('list')).toBeNull()
  })
})
