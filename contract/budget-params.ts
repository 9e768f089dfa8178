import { BUDGET_ITEM_STATES } from './budget.ts'
import { parseSearchExpression } from './search-grammar.ts'

/** The query parameters of /budget, one parser and one printer for the address bar and the API call. */
type ValueOf = {
  year: number
  text: string
  expression: string
  choice: string
  list: readonly string[]
  money: { readonly min: number | null; readonly max: number | null }
  count: number
}
type Kind = keyof ValueOf
type Param = {
  readonly name: string
  readonly kind: Kind
  readonly th: string
  /** The first is the default and is left out of the address. */
  readonly of?: readonly string[]
}

const STATES = BUDGET_ITEM_STATES.map(({ code }) => code)

export const BUDGET_PARAMS = [
  { name: 'year', kind: 'year', th: 'ปีงบประมาณ' },
  /** Items that the organisation's words let in, or every item. */
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['matched', 'all'] },
  // The way down (BUDGET_LEVELS): each names one of its level; what stands below one that is missing is ignored.
  { name: 'ministry', kind: 'text', th: 'กระทรวง' },
  { name: 'unit', kind: 'text', th: 'หน่วยรับงบประมาณ' },
  { name: 'plan', kind: 'text', th: 'แผนงาน' },
  { name: 'project', kind: 'text', th: 'ผลผลิต/โครงการ' },
  { name: 'q', kind: 'expression', th: 'ค้นหารายการ' },
  { name: 'category', kind: 'list', th: 'หมวดรายจ่าย' },
  { name: 'amount__range', kind: 'money', th: 'วงเงิน' },
  /** Words of the organisation's lists. */
  { name: 'keyword__in', kind: 'list', th: 'คำติดตาม' },
  { name: 'state', kind: 'list', th: 'สถานะ', of: ['', ...STATES] },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ['-amount', 'amount', 'description', 'unit', 'state'] },
  { name: 'page', kind: 'count', th: 'หน้า' },
  { name: 'page_size', kind: 'count', th: 'จำนวนต่อหน้า' },
  /** The item whose panel is open. */
  { name: 'item', kind: 'count', th: 'รายการที่เปิดดู' },
] as const satisfies readonly Param[]

type Listed = (typeof BUDGET_PARAMS)[number]
/** The typed search of /budget; an absent key is the default. */
export type BudgetSearch = { readonly [P in Listed as P['name']]?: ValueOf[P['kind']] }
export type BudgetParamName = Listed['name']

export const BUDGET_PAGE_SIZES = [20, 50, 100] as const
export const BUDGET_DEFAULT_PAGE_SIZE = 50

const MAX_VALUES = 200
const MAX_LENGTH = 500
const MAX_NUMBER = 2_147_483_647
const MAX_BAHT = 10_000_000_000_000
const BY_NAME: ReadonlyMap<string, Param> = new Map(BUDGET_PARAMS.map((param) => [param.name, param]))

const baht = (text: string) => {
  if (text.trim() === '') return null
  return /^\d{1,14}(\.\d{1,2})?$/.test(text) && Number(text) <= MAX_BAHT ? Number(text) : undefined
}

const PARSERS: { [K in Kind]: (text: string, param: Param) => ValueOf[K] | undefined } = {
  year: (text) => (/^2[45]\d\d$/.test(text) ? Number(text) : undefined),
  text: (text) => (text.length <= MAX_LENGTH ? text : undefined),
  expression: (text) => (parseSearchExpression(text).ok ? text : undefined),
  choice: (text, { of }) => (of?.includes(text) ? text : undefined),
  list: (text, { of }) => {
    const values = [...new Set(text.split('||').map((value) => value.trim()))]
    const fits = values.length <= MAX_VALUES && values.every((value) => value !== '' && value.length <= MAX_LENGTH)
    return fits && values.every((value) => of?.includes(value) ?? true) ? values : undefined
  },
  money: (text) => {
    const sides = text.split(',').map(baht)
    const [min, max] = sides
    if (sides.length !== 2 || min === undefined || max === undefined || (min === null && max === null)) return undefined
    return min !== null && max !== null && min > max ? undefined : { min, max }
  },
  count: (text, { name }) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
    if (name === 'page_size') return (BUDGET_PAGE_SIZES as readonly number[]).includes(value) ? value : undefined
    return value >= 1 && value <= MAX_NUMBER ? value : undefined
  },
}

const isDefault = ({ name, of }: Param, text: string) =>
  of?.[0] === text ||
  (name === 'page' && text === '1') ||
  (name === 'page_size' && text === String(BUDGET_DEFAULT_PAGE_SIZE))

function print(value: unknown): string {
  if (Array.isArray(value)) return value.join('||')
  if (typeof value === 'object' && value !== null) {
    const { min, max } = value as ValueOf['money']
    return `${min ?? ''},${max ?? ''}`
  }
  return String(value)
}

export type IgnoredBudgetParam = {
  readonly name: string
  readonly value: string
  readonly reason: 'unknown' | 'invalid'
}

/** Reads flat name → text pairs. Never throws; what it cannot read is named in `ignored` (the browser says so, the server answers 400). */
export function parseBudgetSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BudgetSearch
  readonly ignored: readonly IgnoredBudgetParam[]
} {
  const search: Record<string, unknown> = {}
  const ignored: IgnoredBudgetParam[] = []
  for (const [name, value] of Object.entries(flat)) {
    const param = BY_NAME.get(name)
    if (!param) ignored.push({ name, value, reason: 'unknown' })
    else if (value !== '' && !isDefault(param, value)) {
      const parsed = PARSERS[param.kind](value, param)
      if (parsed === undefined) ignored.push({ name, value, reason: 'invalid' })
      else search[name] = parsed
    }
  }
  return { search: search as BudgetSearch, ignored }
}

/** Prints a search in catalogue order, defaults left out. Reading it gives the same search. */
export function printBudgetSearch(search: BudgetSearch): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const param of BUDGET_PARAMS as readonly Param[]) {
    const value = search[param.name as BudgetParamName]
    if (value === undefined) continue
    const text = print(value)
    if (!isDefault(param, text)) flat[param.name] = text
  }
  return flat
}
