import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import {
  type BudgetRow,
  type RejectedBudgetRow,
  UNNAMED_BUDGET_CATEGORY,
  UNNAMED_BUDGET_PLAN,
  UNNAMED_BUDGET_PROJECT,
} from './budget-row.ts'
import { recountBudgetYear } from './budget-summary-queries.ts'
import {
  type BudgetItemKey,
  type BudgetItemRow,
  deleteBudgetItems,
  insertBudgetLoad,
  loadBudgetItemKeys,
  lockBudgetYear,
  reserveBudgetItemIds,
  resolveBudgetNameIds,
  upsertBudgetItems,
} from './replace-budget-queries.ts'

const ROWS_PER_STATEMENT = 4_000

export type BudgetYearReplacement = {
  readonly fiscalYear: number
  readonly origin: string
  readonly read: number
  readonly rows: readonly BudgetRow[]
  readonly refused: readonly RejectedBudgetRow[]
  readonly at: Date
}

/**
 * Replaces the items of a year in the caller's transaction, so readers see either the old or the new year. An item that
 * matches by content, else by source id within its unit, keeps its id and with it the organisations' decisions.
 */
export async function replaceBudgetYear(
  tx: Db,
  year: BudgetYearReplacement,
): Promise<{ budgetLoadId: number; unchanged: number; removed: number }> {
  await lockBudgetYear(tx, year.fiscalYear)
  const numbers = await resolveBudgetNameIds(tx, namesOf(year.rows))
  const items = year.rows.map((row) => itemOf(row, year.fiscalYear, numbers))
  const stored = await loadBudgetItemKeys(tx, year.fiscalYear)
  const idByIndex = reuseIds(items, stored)
  const fresh = await reserveBudgetItemIds(tx, items.length - idByIndex.size)
  const retainedIds = new Set(idByIndex.values())
  const removed = stored.filter(({ id }) => !retainedIds.has(id)).map(({ id }) => id)
  for (const slice of splitIntoSlices(removed, ROWS_PER_STATEMENT)) await deleteBudgetItems(tx, slice)
  const numbered = items.map((item, index) => ({ ...item, id: idByIndex.get(index) ?? fresh.pop()! }))
  for (const slice of splitIntoSlices(numbered, ROWS_PER_STATEMENT)) await upsertBudgetItems(tx, slice)
  await recountBudgetYear(tx, year.fiscalYear)
  const budgetLoadId = await insertBudgetLoad(tx, {
    fiscalYear: year.fiscalYear,
    origin: year.origin,
    at: year.at,
    read: year.read,
    items: items.length,
    refused: year.refused,
    sources: [...new Set(year.rows.map(({ document }) => document).filter((name) => name !== ''))].sort(),
  })
  return { budgetLoadId, unchanged: retainedIds.size, removed: removed.length }
}

const planOf = ({ plan }: BudgetRow) => plan ?? UNNAMED_BUDGET_PLAN
const categoriesOf = ({ categories }: BudgetRow) => (categories.length > 0 ? categories : [UNNAMED_BUDGET_CATEGORY])
const projectOf = ({ project, output }: BudgetRow) => project ?? output ?? UNNAMED_BUDGET_PROJECT

function namesOf(rows: readonly BudgetRow[]): string[] {
  const names = new Set<string>()
  for (const row of rows)
    for (const name of [row.ministry, row.unit, planOf(row), projectOf(row), row.document, ...categoriesOf(row)])
      names.add(name)
  return [...names]
}

function itemOf(row: BudgetRow, fiscalYear: number, numbers: ReadonlyMap<string, number>): BudgetItemRow {
  const number = (name: string) => numbers.get(name)!
  const categories = categoriesOf(row).map(number)
  const searched = [row.description, row.unit, row.output, row.project].filter((text) => text !== null)
  return {
    id: 0,
    fiscal_year: fiscalYear,
    ministry: number(row.ministry),
    unit: number(row.unit),
    plan: number(planOf(row)),
    project: number(projectOf(row)),
    category: categories[0]!,
    categories,
    amount_satang: row.amountSatang,
    province: findProvinceInText(row.description),
    is_multi_year: row.isMultiYear,
    is_cross_function: row.isCrossFunction,
    source_id: row.sourceId,
    description: row.description,
    output_name: row.output,
    project_name: row.project,
    search_compact: searched.map(toNormalisedSearchText).join('\n'),
    search_spaced: searched.map(normaliseThai).join('\n'),
    document: number(row.document),
    page: row.page,
  }
}

const contentKey = ({ unit, plan, project, categories, description }: BudgetItemKey) =>
  [unit, plan, project, categories.join(','), description].join('\u001f')
const sourceKey = ({ unit, source_id }: BudgetItemKey) => `${unit}\u001f${source_id}`

function reuseIds(
  items: readonly BudgetItemRow[],
  stored: readonly (BudgetItemKey & { id: number })[],
): Map<number, number> {
  const idByIndex = new Map<number, number>()
  const usedIds = new Set<number>()
  const pair = (keyOf: (item: BudgetItemKey) => string | undefined) => {
    const waiting = new Map<string, number[]>()
    for (const item of stored) {
      const key = usedIds.has(item.id) ? undefined : keyOf(item)
      if (key !== undefined) waiting.set(key, [...(waiting.get(key) ?? []), item.id])
    }
    for (const [index, item] of items.entries()) {
      const key = idByIndex.has(index) ? undefined : keyOf(item)
      const id = key === undefined ? undefined : waiting.get(key)?.shift()
      if (id === undefined) continue
      idByIndex.set(index, id)
      usedIds.add(id)
    }
  }
  // First pair items that match both by content and by source id, in case several have the same content.
  pair((item) => (item.source_id === '' ? undefined : `${sourceKey(item)}\u001f${contentKey(item)}`))
  pair(contentKey)
  pair((item) => (item.source_id === '' ? undefined : sourceKey(item)))
  return idByIndex
}

const PROVINCE_CODES = new Map(PROVINCES.map(({ th, code }) => [toNormalisedSearchText(th), code]))
const CAPITAL = toNormalisedSearchText('กรุงเทพมหานคร')
const PROVINCE_PATTERN = new RegExp(`(?:จังหวัด|จ\\.)(${[...PROVINCE_CODES.keys()].join('|')})|${CAPITAL}`, 'g')

export function findProvinceInText(description: string): number | null {
  const provinces = new Set(
    [...toNormalisedSearchText(description).matchAll(PROVINCE_PATTERN)].map(([whole, name]) => name ?? whole),
  )
  const [only] = provinces
  return provinces.size === 1 ? PROVINCE_CODES.get(only!)! : null
}
