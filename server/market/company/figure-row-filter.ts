import { REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import { findProvinceByName } from '#contract/thai/province.ts'

export type CompanyFigureRowFilter =
  | {
      readonly kind:
        | 'all'
        | 'wins'
        | 'bids'
        | 'bids_won'
        | 'lost'
        | 'against_budget'
        | 'active'
        | 'terminated'
        | 'other_departments'
    }
  /**
   * A null `year` or DOPA `code` means unknown. A size is a reference price in baht, `to` exclusive, null open-ended.
   */
  | { readonly kind: 'year'; readonly year: number | null }
  | { readonly kind: 'department' | 'method' | 'type' | 'criteria'; readonly value: string }
  | { readonly kind: 'province'; readonly code: number | null }
  | { readonly kind: 'discount'; readonly bin: number }
  | { readonly kind: 'size'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'with'; readonly companyId: number; readonly result: MeetingResult }

type MeetingResult = 'met' | 'we_won' | 'they_won' | 'others_won'
const MEETING_RESULTS: readonly MeetingResult[] = ['met', 'we_won', 'they_won', 'others_won']
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

/**
 * Histogram scale in steps of 2.5 percentage points from −10 % to 50 %, like that of similar prices
 * (contract/report/project-detail.ts).
 */
const STEPS_PER_UNIT = 40
const STEPS_BELOW_ZERO = 4
export const LAST_DISCOUNT_BIN = 24

export const getDiscountBinStart = (bin: number) => (bin - STEPS_BELOW_ZERO) / STEPS_PER_UNIT
export const DISCOUNT_BIN_SCALE = { stepsAUnit: STEPS_PER_UNIT, stepsBelowZero: STEPS_BELOW_ZERO } as const

export function parseCompanyFigureRowFilter(text: string | undefined): CompanyFigureRowFilter | undefined {
  if (text === undefined) return { kind: 'all' }
  const plainKind = PLAIN_KINDS.find((kind) => kind === text)
  if (plainKind) return { kind: plainKind }
  const at = text.indexOf(':')
  const value = text.slice(at + 1)
  return at < 0 ? undefined : READERS.get(text.slice(0, at))?.(value)
}

const withValue = (kind: 'department' | 'method' | 'type' | 'criteria') => (value: string) => ({ kind, value }) as const

const READERS: ReadonlyMap<string, (value: string) => CompanyFigureRowFilter | undefined> = new Map(
  Object.entries({
    year: (value: string): CompanyFigureRowFilter | undefined => {
      if (value === '0') return { kind: 'year', year: null }
      return /^2[45]\d\d$/.test(value) ? { kind: 'year', year: Number(value) } : undefined
    },
    department: withValue('department'),
    method: withValue('method'),
    type: withValue('type'),
    criteria: withValue('criteria'),
    province: (value: string): CompanyFigureRowFilter | undefined => {
      if (value === '') return { kind: 'province', code: null }
      const province = findProvinceByName(value)
      return province && { kind: 'province', code: province.code }
    },
    discount: (value: string): CompanyFigureRowFilter | undefined => {
      const bin = Math.round(Number(value) * STEPS_PER_UNIT) + STEPS_BELOW_ZERO
      return /^-?\d(\.\d{1,3})?$/.test(value) &&
        bin >= 0 &&
        bin <= LAST_DISCOUNT_BIN &&
        getDiscountBinStart(bin) === Number(value)
        ? { kind: 'discount', bin }
        : undefined
    },
    size: (value: string): CompanyFigureRowFilter | undefined => {
      const band = REFERENCE_PRICE_BANDS.find(({ from, to }) => `${from ?? ''}-${to ?? ''}` === value)
      return band && { kind: 'size', ...band }
    },
    with: (value: string): CompanyFigureRowFilter | undefined => {
      const [, id, result = 'met'] = /^(\d{1,9})(?::(.+))?$/.exec(value) ?? []
      const meeting = MEETING_RESULTS.find((candidate) => candidate === result)
      return id && meeting ? { kind: 'with', companyId: Number(id), result: meeting } : undefined
    },
  } satisfies Record<string, (value: string) => CompanyFigureRowFilter | undefined>),
)
