import { REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import { findProvinceByName } from '#contract/thai/province.ts'

const PLAIN_KINDS = [
  'all',
  'wins',
  'bids',
  'bids_won',
  'lost',
  'against_budget',
  'active',
  'terminated',
  'other_departments',
] as const
const MEETING_RESULTS = ['met', 'we_won', 'they_won', 'others_won'] as const

/** A null `year` or DOPA `code` means unknown. A size is a reference price in baht, `to` exclusive, null open-ended. */
export type CompanyFigureRowFilter =
  | { readonly kind: (typeof PLAIN_KINDS)[number] }
  | { readonly kind: 'year'; readonly year: number | null }
  | { readonly kind: 'department' | 'method' | 'type' | 'criteria'; readonly value: string }
  | { readonly kind: 'province'; readonly code: number | null }
  | { readonly kind: 'discount'; readonly bin: number }
  | { readonly kind: 'size'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'with'; readonly companyId: number; readonly result: (typeof MEETING_RESULTS)[number] }

/**
 * Histogram scale in steps of 2.5 percentage points from −10 % to 50 %, like that of similar prices
 * (contract/report/project-detail.ts).
 */
export const DISCOUNT_BINS_PER_UNIT = 40
export const DISCOUNT_BINS_BELOW_ZERO = 4
export const LAST_DISCOUNT_BIN = 24

export const getDiscountBinStart = (bin: number) => (bin - DISCOUNT_BINS_BELOW_ZERO) / DISCOUNT_BINS_PER_UNIT

export function parseCompanyFigureRowFilter(text: string | undefined): CompanyFigureRowFilter | undefined {
  if (text === undefined) return { kind: 'all' }
  const plainKind = PLAIN_KINDS.find((kind) => kind === text)
  if (plainKind) return { kind: plainKind }
  const at = text.indexOf(':')
  const value = text.slice(at + 1)
  return at < 0 ? undefined : READERS.get(text.slice(0, at))?.(value)
}

const withValue = (kind: 'department' | 'method' | 'type' | 'criteria') => (value: string) => ({ kind, value }) as const

type RowFilterReader = (value: string) => CompanyFigureRowFilter | undefined

const READERS: ReadonlyMap<string, RowFilterReader> = new Map<string, RowFilterReader>([
  [
    'year',
    (value) => {
      if (value === '0') return { kind: 'year', year: null }
      return /^2[45]\d\d$/.test(value) ? { kind: 'year', year: Number(value) } : undefined
    },
  ],
  ['department', withValue('department')],
  ['method', withValue('method')],
  ['type', withValue('type')],
  ['criteria', withValue('criteria')],
  [
    'province',
    (value) => {
      if (value === '') return { kind: 'province', code: null }
      const province = findProvinceByName(value)
      return province && { kind: 'province', code: province.code }
    },
  ],
  [
    'discount',
    (value) => {
      const bin = Math.round(Number(value) * DISCOUNT_BINS_PER_UNIT) + DISCOUNT_BINS_BELOW_ZERO
      return /^-?\d(\.\d{1,3})?$/.test(value) &&
        bin >= 0 &&
        bin <= LAST_DISCOUNT_BIN &&
        getDiscountBinStart(bin) === Number(value)
        ? { kind: 'discount', bin }
        : undefined
    },
  ],
  [
    'size',
    (value) => {
      const band = REFERENCE_PRICE_BANDS.find(({ from, to }) => `${from ?? ''}-${to ?? ''}` === value)
      return band && { kind: 'size', ...band }
    },
  ],
  [
    'with',
    (value) => {
      const [, id, result = 'met'] = /^(\d{1,9})(?::(.+))?$/.exec(value) ?? []
      const meeting = MEETING_RESULTS.find((candidate) => candidate === result)
      return id && meeting ? { kind: 'with', companyId: Number(id), result: meeting } : undefined
    },
  ],
])
