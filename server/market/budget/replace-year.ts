import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import { type BudgetRow, type RefusedBudgetRow, UNNAMED_CATEGORY, UNNAMED_PLAN, UNNAMED_PROJECT } from './budget-row.ts'
import { recountYear } from './budget-summary-queries.ts'
import {
  deleteItems,
  type ItemRow,
  insertLoad,
  lockYear,
  newItemIds,
  numberNames,
  type StoredItemKey,
  storedItems,
  writeItems,
} from './replace-budget-queries.ts'

const SLICE = 4_000

export type YearToReplace = {
  readonly fiscalYear: number
  readonly origin: string
  readonly read: number
  readonly rows: readonly BudgetRow[]
  readonly refused: readonly RefusedBudgetRow[]
  readonly at: Date
}

/**
 * Replaces the items of a year in the caller's transaction, so readers see the old or the new year. An item keeps its
 * id, and with it the organisations' decisions, when it matches by content, else by source id within its unit.
 */
export async function replaceYear(
  tx: Db,
  year: YearToReplace,
): Promise<{ budgetLoadId: number; kept: number; removed: number }> {
  await lockYear(tx, year.fiscalYear)
  const numbers = await numberNames(tx, namesOf(year.rows))
  const items = year.rows.map((row) => itemOf(row, year.fiscalYear, numbers))
  const stored = await storedItems(tx, year.fiscalYear)
  const places = reusedIds(items, stored)
  const fresh = await newItemIds(tx, items.length - places.size)
  const kept = new Set(places.values())
  const removed = stored.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  for (const slice of slicesOf(removed, SLICE)) await deleteItems(tx, slice)
  const numbered = items.map((item, place) => ({ ...item, id: places.get(place) ?? fresh.pop()! }))
  for (const slice of slicesOf(numbered, SLICE)) await writeItems(tx, slice)
  await recountYear(tx, year.fiscalYear)
  const budgetLoadId = await insertLoad(tx, {
    fiscalYear: year.fiscalYear,
    origin: year.origin,
    at: year.at,
    read: year.read,
    items: items.length,
    refused: year.refused,
    sources: [...new Set(year.rows.map(({ document }) => document).filter((name) => name !== ''))].sort(),
  })
  return { budgetLoadId, kept: kept.size, removed: removed.length }
}

const planOf = ({ plan }: BudgetRow) => plan ?? UNNAMED_PLAN
const categoriesOf = ({ categories }: BudgetRow) => (categories.length > 0 ? categories : [UNNAMED_CATEGORY])
/** The level below the plan is the layout's PROJECT, or OUTPUT when that is empty. */
const projectOf = ({ project, output }: BudgetRow) => project ?? output ?? UNNAMED_PROJECT

function namesOf(rows: readonly BudgetRow[]): string[] {
  const names = new Set<string>()
  for (const row of rows)
    for (const name of [row.ministry, row.unit, planOf(row), projectOf(row), row.document, ...categoriesOf(row)])
      names.add(name)
  return [...names]
}

function itemOf(row: BudgetRow, fiscalYear: number, numbers: ReadonlyMap<string, number>): ItemRow {
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
    province: provinceIn(row.description),
    is_multi_year: row.isMultiYear,
    is_cross_function: row.isCrossFunction,
    source_id: row.sourceId,
    description: row.description,
    output_name: row.output,
    project_name: row.project,
    search_compact: searched.map(searchForm).join('\n'),
    search_spaced: searched.map(normaliseThai).join('\n'),
    document: number(row.document),
    page: row.page,
  }
}

const contentKey = ({ unit, plan, project, categories, description }: StoredItemKey) =>
  [unit, plan, project, categories.join(','), description].join('\u001f')
const sourceKey = ({ unit, source_id }: StoredItemKey) => `${unit}\u001f${source_id}`

function reusedIds(
  items: readonly ItemRow[],
  stored: readonly (StoredItemKey & { id: number })[],
): Map<number, number> {
  const kept = new Map<number, number>()
  const taken = new Set<number>()
  const pair = (keyOf: (item: StoredItemKey) => string | undefined) => {
    const waiting = new Map<string, number[]>()
    for (const item of stored) {
      const key = taken.has(item.id) ? undefined : keyOf(item)
      if (key !== undefined) waiting.set(key, [...(waiting.get(key) ?? []), item.id])
    }
    for (const [place, item] of items.entries()) {
      const key = kept.has(place) ? undefined : keyOf(item)
      const id = key === undefined ? undefined : waiting.get(key)?.shift()
      if (id === undefined) continue
      kept.set(place, id)
      taken.add(id)
    }
  }
  // First pair items that match both by content and by source id, in case several have the same content.
  pair((item) => (item.source_id === '' ? undefined : `${sourceKey(item)}\u001f${contentKey(item)}`))
  pair(contentKey)
  pair((item) => (item.source_id === '' ? undefined : sourceKey(item)))
  return kept
}

const CODES = new Map(PROVINCES.map(({ th, code }) => [searchForm(th), code]))
const CAPITAL = searchForm('กรุงเทพมหานคร')
const PROVINCE = new RegExp(`(?:จังหวัด|จ\\.)(${[...CODES.keys()].join('|')})|${CAPITAL}`, 'g')

/** Returns the only province in a description; null when it names none or several. */
export function provinceIn(description: string): number | null {
  const named = new Set([...searchForm(description).matchAll(PROVINCE)].map(([whole, name]) => name ?? whole))
  const [only] = named
  return named.size === 1 ? CODES.get(only!)! : null
}
