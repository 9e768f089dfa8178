import sql from 'sql-template-tag'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline, yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { createTextNeedle, EncodedTextIndex } from '#server/platform/text/encoded-text-index.ts'
import { evaluateSearch } from '#server/platform/text/evaluate-search.ts'
import type { BudgetHits } from './budget-filter-sql.ts'

const ITEMS_PER_STATEMENT = 5_000

type CachedYear = {
  readonly fiscalYear: number
  readonly loadId: number
  readonly ids: Int32Array
  readonly texts: EncodedTextIndex
}

/**
 * In-process cache of budget texts: a search takes a few milliseconds, while the database reads 50,000 texts a year.
 * The texts are public and the same for every organisation. A year loads on its first search (21 MB for 50,000 items)
 * and again after another import; meanwhile SQL answers.
 */
export class BudgetTextCache {
  readonly #db: Db
  readonly #maxBytes: number
  readonly #years = new Map<number, CachedYear>()
  readonly #reading = new Map<number, Promise<void>>()
  /** Years that exceeded the memory budget, with the id of their load. Loading the same data again would fail again. */
  readonly #refused = new Map<number, number>()
  readonly #stopping = new AbortController()

  constructor(db: Db, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#maxBytes = megabytes * 2 ** 20
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#reading.values())
  }

  async preload(years: readonly number[]): Promise<void> {
    await this.#findCachedYears(years)
    await Promise.all(this.#reading.values())
  }

  /**
   * Returns the ids of the matching items by year. Returns undefined if a year is stale or not cached, and in the demo schema.
   */
  async find(search: string, years: readonly number[]): Promise<BudgetHits | undefined> {
    // The cache contains only customers' data. Demo items are in tables of the demo schema (decision 0053).
    if (usesDemoSchema()) return undefined
    const parsed = parseSearchExpression(search)
    if (!parsed.ok) return undefined
    const cachedYears = await this.#findCachedYears(years)
    if (!cachedYears) return undefined
    const hits = new Map<number, readonly number[]>()
    for (const year of cachedYears) hits.set(year.fiscalYear, await findItemIds(year, parsed.node))
    return hits
  }

  async #findCachedYears(years: readonly number[]): Promise<CachedYear[] | undefined> {
    const loads = await this.#db.query<{ fiscal_year: number; load_id: number }>(sql`
      select fiscal_year, load_id from budget_years where fiscal_year = any (${[...years]}::smallint[])`)
    const cachedYears: CachedYear[] = []
    for (const { fiscal_year, load_id } of loads) {
      const year = this.#years.get(fiscal_year)
      if (year?.loadId === load_id) cachedYears.push(year)
      else this.#readLater(fiscal_year, load_id)
    }
    return cachedYears.length === loads.length ? cachedYears : undefined
  }

  #readLater(fiscalYear: number, loadId: number): void {
    if (this.#reading.has(fiscalYear) || this.#refused.get(fiscalYear) === loadId || this.#stopping.signal.aborted)
      return
    const reading = withoutDeadline(() => runWithoutTenant(() => this.#read(fiscalYear, loadId)))
      // If the database is unreachable, the next query reports it.
      .catch(() => undefined)
      .finally(() => this.#reading.delete(fiscalYear))
    this.#reading.set(fiscalYear, reading)
  }

  async #read(fiscalYear: number, loadId: number): Promise<void> {
    this.#years.delete(fiscalYear)
    const texts = new EncodedTextIndex()
    const ids: number[] = []
    for (;;) {
      this.#stopping.signal.throwIfAborted()
      const rows = await this.#db.query<{ id: number; text: string }>(sql`
        select i.id, t.search_spaced as text from budget_items i join budget_item_texts t on t.item_id = i.id
        where i.fiscal_year = ${fiscalYear}::smallint and i.id > ${ids.at(-1) ?? 0}::int order by i.id limit ${ITEMS_PER_STATEMENT}::int`)
      texts.reserve((ids.length + rows.length + 31) & ~31)
      for (const { id, text } of rows) {
        texts.set(ids.length, text)
        ids.push(id)
      }
      if (this.#usedBytes() + texts.usedBytes > this.#maxBytes) {
        this.#refused.set(fiscalYear, loadId)
        return
      }
      if (rows.length < ITEMS_PER_STATEMENT) break
      await yieldToEventLoop()
    }
    this.#years.set(fiscalYear, { fiscalYear, loadId, ids: Int32Array.from(ids), texts })
  }

  #usedBytes(): number {
    let bytes = 0
    for (const { ids, texts } of this.#years.values()) bytes += ids.byteLength + texts.usedBytes
    return bytes
  }
}

async function findItemIds({ ids, texts }: CachedYear, node: SearchNode): Promise<number[]> {
  const hits = await evaluateSearch(node, async (term) => {
    const form = toNormalisedSearchTerm(term)
    const rows = new Uint8Array(ids.length)
    if (form.form === '') return rows
    const bits = await texts.find(createTextNeedle(form), ids.length)
    for (let row = 0; row < rows.length; row += 1) rows[row] = (bits[row >>> 5]! >>> (row & 31)) & 1
    return rows
  })
  return [...ids.filter((_, row) => hits[row] === 1)]
}
