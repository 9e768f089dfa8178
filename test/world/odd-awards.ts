import type { WonProject } from './won-projects.ts'

const MILLION = 100_000_000

type Party = { readonly name: string; readonly tin: string | null }
const company = (at: number, name = `บริษัท สังเกต ${at} จำกัด`): Party => ({
  name,
  tin: `01055000001${String(at).padStart(2, '0')}`,
})
const PERSON: Party = { name: 'นาย ตัวอย่าง ใจดี', tin: null }

type Award = {
  readonly dept: string
  readonly unit?: string
  readonly deptProvince?: number | null
  readonly winners: readonly (readonly [Party, amount: number | null])[]
  readonly bidders?: readonly Party[]
  readonly method?: string
  readonly estimate?: number | null
  readonly on?: string | null
  readonly year?: number
  readonly status?: string
}

/**
 * Returns the awards of agencies, each with one kind of sign past its threshold, and the traps of the real data:
 * several winners, natural persons, an id with two names, a company with two ids, agencies with one name, cancellations
 * after the award, prices exactly at a border, no reference price, no price, no date.
 */
export function inventOddAwards(): WonProject[] {
  const awards: Award[] = [...shares(), ...twoWinners(), ...meetings(), ...closePrices(), ...highPrices(), ...windows()]
  return awards.map(
    (
      {
        dept,
        unit = 'กองคลัง',
        deptProvince = 10,
        winners,
        bidders = [],
        method = 'e_bidding',
        on = '2025-03-14',
        year = 2568,
        ...award
      },
      i,
    ) => ({
      id: `691${String(i).padStart(8, '0')}`,
      name: 'ซื้อกล้องวงจรปิด',
      dept,
      unit,
      deptProvince,
      year,
      method,
      methodType: 'buy',
      status: award.status ?? 'contract_created',
      budget: 60 * MILLION,
      estimate: award.estimate === undefined ? 50 * MILLION : award.estimate,
      winnerAnnouncedOn: on,
      bidders: bidders.map((bidder) => ({
        ...bidder,
        price: null,
        won: winners.some(([{ name }]) => name === bidder.name),
      })),
      contracts: winners.map(([winner, amount]) => ({ ...winner, amount, signedOn: on })),
    }),
  )
}

const times = <T>(count: number, create: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => create(at))

function shares(): Award[] {
  const dept = 'สำนักส่วนแบ่ง'
  return [
    ...times(5, () => ({ dept, winners: [[company(1), 10 * MILLION]] as const })),
    // Traps: the same company under another name, an unknown price, and a second winner.
    { dept, winners: [[company(1, 'บริษัท สังเกตหนึ่ง จำกัด'), 8 * MILLION]] },
    { dept, winners: [[company(1), null]] },
    {
      dept,
      winners: [
        [company(1), 3 * MILLION],
        [company(2), 2 * MILLION],
      ],
    },
    { dept, winners: [[company(1), 90 * MILLION]], status: 'project_cancelled' },
    ...times(4, (at) => ({ dept, winners: [[company(at < 2 ? 3 : 4, 'บริษัท ชื่อซ้ำ จำกัด'), 4 * MILLION]] as const })),
    { dept, winners: [[PERSON, 6 * MILLION]] },
    // In another year the agency has too few awards for a sign.
    ...times(6, () => ({ dept, year: 2567, winners: [[company(1), 10 * MILLION]] as const })),
  ]
}

function twoWinners(): Award[] {
  const dept = 'สำนักสองราย'
  const method = 'selective'
  return [
    ...times(6, () => ({ dept, method, winners: [[company(5), MILLION]] as const })),
    ...times(4, () => ({ dept, method, winners: [[company(6), MILLION]] as const })),
    {
      dept,
      method,
      winners: [
        [company(5), MILLION],
        [company(6), MILLION],
      ],
    },
    { dept, method, winners: [[company(7), MILLION]] },
    { dept, method, winners: [[PERSON, MILLION]] },
  ]
}

function meetings(): Award[] {
  const dept = 'สำนักยื่นรายเดียว'
  const winners = [[company(8), 40 * MILLION]] as const
  const two = [company(8), company(9)]
  return [
    ...times(8, () => ({ dept, winners, bidders: [company(8)] })),
    ...times(6, () => ({ dept, winners, bidders: two })),
    ...times(2, () => ({ dept: 'สำนักอื่น', winners, bidders: [...two, company(10)] })),
    { dept: 'สำนักอื่น', winners: [[company(9), 40 * MILLION]], bidders: two },
    // Direct awards to one company and cancelled projects do not count, because they had no competition.
    ...times(3, () => ({ dept, winners, bidders: [company(8)], method: 'specific' })),
    { dept, winners, bidders: [company(8)], status: 'project_cancelled' },
  ]
}

function closePrices(): Award[] {
  const dept = 'สำนักชิดราคากลาง'
  const of = (percent: number) => ({ dept, winners: [[company(11), (50 * MILLION * percent) / 100]] as const })
  return [
    ...times(10, () => of(99.5)),
    of(100),
    of(99.000002),
    // A discount of exactly 1 % no longer counts as near zero.
    of(99),
    { ...of(99.9), estimate: null },
    { ...of(99.9), method: 'specific' },
  ]
}

function highPrices(): Award[] {
  const dept = 'สำนักเกินราคากลาง'
  const of = (amount: number) => ({ dept, winners: [[company(12), amount]] as const })
  return [
    ...times(5, () => of(50 * MILLION + 1)),
    of(70 * MILLION),
    ...times(6, () => of(30 * MILLION)),
    of(50 * MILLION),
    { ...of(70 * MILLION), method: 'specific' },
    { ...of(70 * MILLION), estimate: null },
  ]
}

function windows(): Award[] {
  const dept = 'สำนักใต้เส้น'
  const town = 'เทศบาลตำบลใต้เส้น'
  const method = 'specific'
  const of = (satang: number, at = 13) => ({ dept, method, winners: [[company(at), satang]] as const, estimate: null })
  return [
    of(50_000_000),
    of(49_999_999),
    of(48_000_000, 14),
    of(46_000_000),
    of(47_000_000),
    of(45_000_001),
    of(45_000_000),
    of(50_000_001),
    of(40_000_000),
    {
      ...of(0),
      winners: [
        [company(13), 48_000_000],
        [company(14), 48_000_000],
      ],
    },
    { ...of(48_000_000), on: null },
    { ...of(48_000_000), method: 'e_bidding' },
    { ...of(48_000_000), winners: [[PERSON, 48_000_000]] },
    ...times(5, () => ({ ...of(47_500_000), dept: 'สำนักไร้หน่วย', unit: 'สำนักไร้หน่วย' })),
    // Three towns share a name. The first two are their own unit, and the second has too few awards.
    ...times(6, () => ({ ...of(47_000_000), dept: town, unit: town, deptProvince: 40 })),
    ...times(4, () => ({ ...of(47_000_000), dept: town, unit: town, deptProvince: 35 })),
    ...times(5, () => ({ ...of(47_000_000), dept: town, deptProvince: null })),
    // Another unit of the department and another month have four awards each.
    ...times(4, () => ({ ...of(48_000_000), unit: 'กองช่าง' })),
    ...times(4, () => ({ ...of(48_000_000), on: '2025-04-01' })),
  ]
}
