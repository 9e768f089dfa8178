import type { ProcurementMethodType } from '#contract/catalogue/project.ts'
import { type BuyerWeights, parseBuyerWeights } from '#sample/buyer-kinds.ts'
import {
  clamp,
  composeBuyerPhrase,
  composeFiscalYearPhrase,
  formatSampleTitleNumber,
  formatSiteAddress,
  roundToPlausibleCount,
  roundToSignificantDigits,
  type SampleTitleContext,
} from '#sample/title-words.ts'

export type SampleWorkKind =
  | 'roads'
  | 'buildings'
  | 'water'
  | 'technology'
  | 'medical'
  | 'vehicles'
  | 'supplies'
  | 'systems'
  | 'services'
  | 'consulting'

export type GeneratedProjectDraft = {
  /** Title without method words, in Arabic digits. */
  readonly body: string
  /** Budget in baht. */
  readonly budget: number
  readonly type: ProcurementMethodType
  readonly trade: SampleWorkKind
  readonly days: number
  /** True if the goods are in the electronic catalogue, so that the e-market method is allowed. */
  readonly isCatalogued: boolean
}

export type ProjectTemplate = {
  /** Pattern of department names that may buy this; absent: all departments of the kinds below. */
  readonly only?: RegExp | undefined
  readonly trade: SampleWorkKind
  readonly buyers: BuyerWeights
  readonly compose: (context: SampleTitleContext) => GeneratedProjectDraft
}

type GoodsTemplateGroup = {
  readonly trade: SampleWorkKind
  readonly type: ProcurementMethodType
  /** Kinds of buyers with their weights, which are shared evenly among the rows. */
  readonly for: string
  readonly only?: RegExp
  /** Budget heading under which some offices list these goods, such as ครุภัณฑ์การแพทย์. */
  readonly heading?: string
  readonly days: readonly [number, number]
  /**
   * One item per line: `name | unit | price | count | user; user | flags`. Price in baht for one unit, `k` and `M`
   * allowed, and price and count as `low-high`. Flags: `install` (installed on site), `catalogue` (e-market allowed),
   * `bare` (never "โครงการ"), `standard` (wording of the budget bureau, so purchases differ only by the buyer).
   */
  readonly rows: string
}

type GoodsRow = {
  readonly name: string
  readonly unit: string
  readonly price: readonly [number, number]
  readonly count: readonly [number, number]
  readonly users: readonly string[]
  readonly flags: ReadonlySet<string>
}

export function buildGoodsTemplates(group: GoodsTemplateGroup): readonly ProjectTemplate[] {
  const rows = group.rows.trim().split('\n').map(readRow)
  const total = parseBuyerWeights(group.for)
  const weights = Object.fromEntries(
    Object.entries(total).map(([kind, weight]) => [kind, weight / rows.length]),
  ) as BuyerWeights
  return rows.map((row) => ({
    trade: group.trade,
    only: group.only,
    buyers: weights,
    compose: (context) => composeGoods(group, row, context),
  }))
}

function readRow(line: string): GoodsRow {
  const [name = '', unit = '', price = '', count = '1', users = '', flags = ''] = line
    .split('|')
    .map((cell) => cell.trim())
  return {
    name,
    unit,
    price: readRange(price),
    count: readRange(count),
    users: users === '' ? [] : users.split(';').map((user) => user.trim()),
    flags: new Set(flags.split(' ')),
  }
}

function readRange(text: string): readonly [number, number] {
  const [low, high] = text.split('-').map((part) => {
    const factor = part.endsWith('M') ? 1_000_000 : part.endsWith('k') ? 1_000 : 1
    return Number.parseFloat(part) * factor
  })
  return [low!, high ?? low!]
}

function composeGoods(group: GoodsTemplateGroup, row: GoodsRow, context: SampleTitleContext): GeneratedProjectDraft {
  const { random, target } = context
  const [lowPrice, highPrice] = row.price
  const typical = Math.sqrt(lowPrice * highPrice) * (0.85 + random.next() * 0.3)
  const targetCount = Math.min(target / typical, row.count[1] * (0.45 + random.next() * 0.55))
  const count = clamp(roundToPlausibleCount(targetCount), row.count[0], row.count[1])
  // At the minimum count the prices are spread, because otherwise half of the demo data would cost exactly the minimum.
  const targetPrice = count === row.count[0] ? target / count : typical
  const price = roundToSignificantDigits(
    targetPrice < lowPrice
      ? Math.min(highPrice, lowPrice * (1 + random.next() * 0.22))
      : Math.min(targetPrice, highPrice * (0.85 + random.next() * 0.15)),
  )
  const isPlain = count === 1 && random.chance(row.unit === 'งาน' ? 0.78 : 0.35)
  const quantity = isPlain ? '' : ` จำนวน ${formatSampleTitleNumber(count)} ${row.unit}`
  return {
    body: `${goodsHead(group, row, context)}${quantity}${userPhrase(row, context)}${composeSampleTitleEnding(context, row.flags.has('standard') ? 0 : row.name.length)}`,
    budget: Math.round((price * count) / 100) * 100,
    type: group.type,
    trade: group.trade,
    days: termOf(row.name) ?? random.int(group.days[0], group.days[1]),
    isCatalogued: row.flags.has('catalogue'),
  }
}

function termOf(name: string): number | undefined {
  const months = /ระยะเวลา (\d+) เดือน/u.exec(name)?.[1]
  return months === undefined ? undefined : Math.round(Number(months) * 30.4)
}

/** Verb between "โครงการ" and the name of a thing; services contain their own verb. */
const PROJECT_VERBS: Partial<Record<ProcurementMethodType, string>> = { buy: 'จัดซื้อ', lease: 'เช่า' }

function goodsHead(group: GoodsTemplateGroup, row: GoodsRow, { random }: SampleTitleContext): string {
  const shape = random.next()
  const isBare = row.flags.has('bare')
  if (row.flags.has('install')) {
    if (shape < 0.2) return `พร้อมติดตั้ง${row.name}`
    if (shape < 0.42 && !isBare) return `โครงการติดตั้ง${row.name}`
    if (shape < 0.62 && !row.name.includes('พร้อม')) return `${row.name} พร้อมติดตั้ง`
  } else if (shape < 0.16 && !isBare) return `โครงการ${PROJECT_VERBS[group.type] ?? ''}${row.name}`
  if (group.heading !== undefined && shape > 0.8 && !isBare)
    return `${group.heading} ${random.chance(0.5) ? 'รายการ' : ''}${row.name}`
  return row.name
}

function userPhrase(row: GoodsRow, { random }: SampleTitleContext): string {
  return row.users.length > 0 && random.chance(0.4) ? ` สำหรับ${random.pick(row.users)}` : ''
}

/**
 * Returns the end of a title: buyer, site, year or some of them. Short titles always get one, so that this year's
 * purchase differs from last year's.
 */
export function composeSampleTitleEnding(context: SampleTitleContext, lengthSoFar: number): string {
  const { random } = context
  const parts: string[] = []
  const roll = random.next()
  if (roll < 0.46) parts.push(composeBuyerPhrase(context))
  else if (roll < 0.56) parts.push(formatSiteAddress(context))
  else if (roll < 0.59) parts.push(composeBuyerPhrase(context), formatSiteAddress(context))
  else if (lengthSoFar < 68) parts.push(composeBuyerPhrase(context))
  if (random.chance(0.2)) parts.push(composeFiscalYearPhrase(context))
  return parts.length > 0 ? ` ${parts.join(' ')}` : ''
}
