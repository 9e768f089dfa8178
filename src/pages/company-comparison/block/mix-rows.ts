import type { Comparison } from '#contract/company/company-comparison.ts'
import { labelOf, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/project/project.ts'
import { moneyRangeText } from '#src/lib/money-text.ts'

export type MixDimension = Comparison['mix'][number]['dimension']
type Row = Pick<Comparison['mix'][number], 'value' | 'cells'>

export const MIX_DIMENSIONS: readonly { readonly dimension: MixDimension; readonly title: string }[] = [
  { dimension: 'method', title: 'วิธีจัดหาของงานที่ชนะ' },
  { dimension: 'type', title: 'ประเภทของงานที่ชนะ' },
  { dimension: 'size', title: 'ขนาดของงานที่ชนะ' },
  { dimension: 'province', title: 'จังหวัดของงานที่ชนะ' },
]

/** Kinds that have a bar of their own; the rest is one. */
const MOST_SHOWN = 8
const OTHERS = 'others'

/** A kind in words: `e-bidding`, `ซื้อ`, `0.5–5 ล้าน`, `กรุงเทพมหานคร`. */
export function mixLabel(dimension: MixDimension, value: string): string {
  if (value === '' || value === 'unknown') return 'ไม่ระบุ'
  if (dimension === 'method') return labelOf(PROJECT_METHODS, value)
  if (dimension === 'type') return labelOf(PROJECT_METHOD_TYPES, value)
  if (dimension !== 'size') return value
  const [from, to] = value.split('-')
  const side = (text: string | undefined) => (text ? Number(text) : null)
  return moneyRangeText({ min: side(from) || null, max: side(to) })
}

const sum = (rows: readonly Row[], place: number) => ({
  wins: rows.reduce((total, { cells }) => total + (cells[place]?.wins ?? 0), 0),
  value: rows.reduce<number | null>((total, { cells }) => {
    const value = cells[place]?.value ?? null
    return value === null ? total : (total ?? 0) + value
  }, null),
})

export type MixRow = Row & {
  readonly label: string /** Undefined: several kinds in one row. */
  readonly code: string | undefined
}

/** The kinds of one dimension in their order, the rare ones as one. */
export function mixRows(mix: Comparison['mix'], dimension: MixDimension, companies: number): MixRow[] {
  const rows = mix.filter((row) => row.dimension === dimension)
  const kept = rows.length > MOST_SHOWN + 1 ? rows.slice(0, MOST_SHOWN) : rows
  const rest = rows.slice(kept.length)
  const own = kept.map(({ value, cells }) => ({ value, cells, label: mixLabel(dimension, value), code: value }))
  if (rest.length === 0) return own
  const cells = Array.from({ length: companies }, (_, place) => sum(rest, place))
  return [...own, { value: OTHERS, cells, label: `อื่น ๆ ${rest.length} รายการ`, code: undefined }]
}
