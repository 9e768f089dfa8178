import { formatUnusualAwardPatternRows } from '#contract/market/unusual-award-patterns.ts'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { REGIONS } from '#contract/thai/province.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { describeRowsFilter } from '#src/market/describe-rows-filter.ts'
import { formatThaiMonth } from '#src/market/who-wins/month-text.ts'

export function formatPriceBand(from: number | null, to: number | null): string {
  if (from === null) return `ไม่ถึง ${formatBahtCompact(to)}`
  return to === null ? `${formatBahtCompact(from)} ขึ้นไป` : `${formatBahtCompact(from)} – ${formatBahtCompact(to)}`
}

export function formatDiscountBinRange(from: number | null): string {
  if (from === null) return 'แพงกว่าราคากลาง'
  const points = Math.round(from * 100)
  return points >= 30 ? '30% ขึ้นไป' : `${points}–${points + 2}%`
}

const plain = {
  found: 'โครงการทั้งหมดที่พบ',
  decided: 'โครงการที่รู้ผล',
  won: 'งานที่บริษัทชนะ',
  priced: 'งานที่คิดส่วนลดได้',
  against_budget: 'งานที่เทียบได้กับงบประมาณเท่านั้น',
  bidders: 'งานที่รู้รายชื่อผู้ยื่น',
  terminated: 'โครงการที่สัญญาถูกยกเลิก',
}
const sides = (text: string) => text.split('-').map((side) => (side === '' ? null : Number(side)))
const byKind: Readonly<Record<string, (value: string, answer: WhoWins | undefined) => string>> = {
  company: (id, answer) => answer?.companies.results.find((row) => String(row.id) === id)?.name ?? 'บริษัท',
  agency: (name) => name,
  month: (month) => (/^\d{4}-\d{2}$/.test(month) ? `ประกาศผล ${formatThaiMonth(month)}` : month),
  province: (province) => (province === '' ? 'ไม่ทราบจังหวัด' : province),
  region: (region) => REGIONS.find(({ code }) => code === region)?.th ?? region,
  discount: (from) => `ลด ${formatDiscountBinRange(from === 'below' ? null : Number(from))}`,
  band: (band) => `ราคากลาง ${formatPriceBand(...(sides(band) as [number | null, number | null]))} บาท`,
}

export function describeWhoWinsRowsFilter(rows: string, answer: WhoWins | undefined): string {
  return describeRowsFilter(rows, { plain, byKind }, answer) ?? formatUnusualAwardPatternRows(rows) ?? rows
}

export function buildWhoWinsLineMessage(
  answer: WhoWins,
  { question, address }: { question: string; address: string },
): string {
  const { figures, companies } = answer
  const top = companies.results
    .slice(0, 3)
    .map((row, index) => `${index + 1}) ${row.name} ${formatCount(row.wins)} งาน`)
    .join(' ')
  const { median, n } = figures.discount
  const percent =
    median === null
      ? `ส่วนลด ${formatCount(n)} งาน น้อยเกินกว่าจะบอก`
      : `ลดราว ${(median * 100).toFixed(1)}% (มัธยฐานจาก ${formatCount(n)} งาน)`
  return [
    `ใครชนะ: ${question}`,
    top === '' ? 'งานที่รู้ผลน้อยเกินกว่าจะจัดอันดับ' : top,
    `รู้ผล ${formatCount(answer.decided)} งาน มูลค่า ${formatBahtCompact(figures.value)} บาท ${percent}`,
    address,
  ].join('\n')
}

/** Opens the projects behind a figure; `rows` is the URL parameter (contract/market/who-wins.ts). */
export type OpenWhoWinsProjectsFn = (rows: string) => void
