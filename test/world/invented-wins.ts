import { createSeededRandom } from './seeded.ts'
import type { WonProject } from './won-projects.ts'

const PROJECTS = 260
const COMPANIES = 9

/**
 * Returns projects of nine companies, the first of which bids most often, with every kind of gap in the real data:
 * unknown years, provinces and prices, several winners, cancellations after the award, discounts below zero and far
 * above 50 %.
 */
export function inventProjects(seed: number): WonProject[] {
  const next = createSeededRandom(seed)
  const below = (count: number) => Math.floor(next() * count)
  const oneOf = <T>(...values: readonly T[]): T => values[below(values.length)]!
  // The last two companies are sellers with the same name and different person ids, one of which is sometimes missing.
  const company = (at: number) =>
    at >= COMPANIES - 2
      ? {
          name: 'ร้านทดลองพาณิชย์',
          tin: at === COMPANIES - 1 ? 'p:abcdefghijklmnop' : oneOf('p:ponmlkjihgfedcba', 'p:', null),
        }
      : { name: `บริษัท ทดลอง ${at} จำกัด`, tin: `01055000000${String(at).padStart(2, '0')}` }
  return Array.from({ length: PROJECTS }, (_, i): WonProject => {
    const estimate = oneOf(below(500) + 1, below(10_000) + 1, below(100_000) + 1) * 100_000
    const takers = [
      ...new Set([below(3) === 0 ? below(COMPANIES) : 0, ...Array.from({ length: below(4) }, () => below(COMPANIES))]),
    ]
    const priceOf = new Map(takers.map((at) => [at, Math.round(estimate * (0.4 + next() * 0.75))]))
    const winners = takers.toSorted(() => next() - 0.5).slice(0, next() < 0.15 ? 0 : next() < 0.12 ? 2 : 1)
    const coverage = below(3)
    const decidedOn = `202${4 + below(3)}-0${1 + below(9)}-1${below(9)}`
    const bidders =
      coverage === 0
        ? []
        : takers.map((at) => ({
            ...company(at),
            price: coverage === 1 && next() < 0.6 ? null : priceOf.get(at)!,
            won: winners.includes(at),
          }))
    const contracts = winners.flatMap((at) => {
      const amount = next() < 0.08 ? null : priceOf.get(at)!
      return Array.from({ length: next() < 0.1 ? 2 : 1 }, () => ({
        ...company(at),
        amount,
        signedOn: decidedOn,
        endsOn: oneOf(null, '2026-11-21', '2026-11-20', '2027-05-01'),
        status: i % 11 === 0 ? 'ยกเลิกสัญญา' : oneOf(null, null, 'สิ้นสุดสัญญา'),
      }))
    })
    return {
      id: `690${String(i).padStart(8, '0')}`,
      name: oneOf('ซื้อกล้องวงจรปิด', 'ก่อสร้างถนนคอนกรีต', 'จ้างเหมาทำความสะอาด'),
      dept: `กรม ${below(24)}`,
      // Every fifth project is bought by one of several bodies with the same name, some of which state no province.
      ...(i % 5 === 0 ? { dept: 'เทศบาลตำบลบ้านกลาง', deptProvince: [51, 67, null][(i / 5) % 3]! } : {}),
      unit: `กอง ${below(4)}`,
      year: oneOf(2567, 2568, 2569, 2569, 2570, null),
      province: oneOf(10, 50, 83, null),
      method: oneOf('e_bidding', 'selective', 'specific'),
      methodType: oneOf('buy', 'service'),
      criteria: oneOf('price', 'price_and_other', 'no_data'),
      status: next() < 0.1 ? 'project_cancelled' : oneOf('in_progress', 'contract_created'),
      budget: next() < 0.1 ? null : Math.round(estimate * 1.05),
      estimate: next() < 0.25 ? null : estimate,
      winnerAnnouncedOn: winners.length > 0 && next() < 0.7 ? decidedOn : null,
      // Projects with a known price are included, because another source may have stated the price since.
      isPriceInDoubt: i % 2 === 0,
      bidders,
      contracts,
    }
  })
}
