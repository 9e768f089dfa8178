import { moneyRangeText } from '#contract/money-words.ts'
import { labelOf, PROJECT_METHOD_TYPES } from '#contract/project.ts'
import { provinceCoded } from '#contract/province.ts'
import { addMonths, formatThaiDateShort } from '#contract/thai-date.ts'
import type { Db } from '#server/db/db.ts'
import { findLikely, type StoredLikely, type Target } from './queries-likely.ts'

/** A circle of earlier purchases, and what of them is said in the reason. */
type Circle = { readonly isUnit: boolean; readonly factor: number }

/** A job three times as large, or a third, is still bid for in the same way (docs/decisions 0020); ten times only if nothing closer is known. */
const CIRCLES: readonly Circle[] = [
  { isUnit: true, factor: 3 },
  { isUnit: false, factor: 3 },
  { isUnit: false, factor: 10 },
]
/** Who bid longer ago is not said to be likely: three years of contracts for yearly purchases. */
const MONTHS = 36
/** With fewer, a wider circle is asked. */
const FEWEST = 3
const MOST = 10

export type LikelyBidder = {
  readonly companyId: number
  readonly wins: number
  readonly bids: number
  readonly reason: string
}

/** Companies that lately bid or won where the project is bought, from the narrowest circle that knows three, and why in Thai. */
export async function likelyBidders(db: Db, target: Target, today: string): Promise<LikelyBidder[]> {
  const since = addMonths(today, -MONTHS)
  let widest: LikelyBidder[] = []
  for (const { isUnit, factor } of CIRCLES) {
    const sizes = sizesAround(target.size_satang, factor)
    const found = await findLikely(db, target, { isUnit, sizes, since, most: MOST })
    if (found.length > widest.length) {
      const where = whereText(target, isUnit, sizes)
      widest = found.map((stored) => present(stored, where))
    }
    if (widest.length >= FEWEST) break
  }
  return widest
}

function sizesAround(satang: number | null, factor: number) {
  return satang === null ? undefined : { from: Math.ceil(satang / factor), to: Math.floor(satang * factor) }
}

function present({ company_id: companyId, wins, bids, last_on: lastOn }: StoredLikely, where: string): LikelyBidder {
  const did = [bids > 0 && `เสนอราคา ${bids} ครั้ง`, wins > 0 && `ชนะ ${wins} ครั้ง`].filter((text) => text !== false)
  return { companyId, wins, bids, reason: `${did.join(' ')} ใน${where} ล่าสุด ${formatThaiDateShort(lastOn)}` }
}

function whereText(target: Target, isUnit: boolean, sizes: ReturnType<typeof sizesAround>): string {
  const type = labelOf(PROJECT_METHOD_TYPES, target.method_type)
  const province = target.project_province === null ? undefined : provinceCoded(target.project_province)?.th
  const place = isUnit
    ? target.dept_sub_name || target.dept_name
    : `${target.dept_name}${province === undefined ? '' : ` ใน${province}`}`
  const range = sizes && moneyRangeText({ min: roughBaht(sizes.from), max: roughBaht(sizes.to) })
  return `งาน${type}ของ${place}${range === undefined ? '' : ` วงเงิน ${range}${range.endsWith('ล้าน') ? 'บาท' : ' บาท'}`} ในรอบ 3 ปี`
}

/** Two digits are enough for a border that is drawn by a factor. */
function roughBaht(satang: number): number {
  const baht = satang / 100
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, baht))) - 1)
  return Math.round(baht / unit) * unit
}
