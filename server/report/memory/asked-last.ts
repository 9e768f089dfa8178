import { activeReportFilters } from '#contract/report/report-params.ts'
import { SharedResults } from '#server/platform/route/shared-results.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { type FailureMasks, failureMasks } from './failure-masks.ts'
import type { HeldTab } from './held-matches.ts'
import { asksPursuits } from './kept-pursuits.ts'
import type { Question } from './question.ts'
import type { Standing } from './standing.ts'

/** Cache size: about nine queries over 650,000 matches, or three hundred over 20,000. */
const MOST_BYTES = 32 * 2 ** 20

type AskedQuestion = { readonly question: Question; readonly held: HeldTab; readonly standing: Standing }

/**
 * Caches filter results of recent queries. A screen requests a page and its facets almost at once, then the next page,
 * all with the same filters. Entries are valid only for the same tab, snapshot and marks.
 */
export class AskedLast {
  readonly #asked = new SharedResults<FailureMasks>({ maxBytes: MOST_BYTES, bytesOf })
  /** Numbers stand in for tabs in cache keys, so a cached query does not retain its tab. */
  readonly #numbers = new WeakMap<HeldTab, number>()
  #lastNumber = 0

  get heldBytes(): number {
    return this.#asked.bytes
  }

  clear(): void {
    this.#asked.clear()
  }

  async masksOf({ question, held, standing }: AskedQuestion, scope: ReportScope): Promise<FailureMasks> {
    const key = `${this.#numberOf(held)} ${keyOf(question, standing, scope)}`
    // A cached query that timed out does not mean that this one will.
    const known = await this.#asked.get(key)?.catch(() => undefined)
    return known ?? (await this.#asked.add(key, failureMasks(question)))
  }

  #numberOf(held: HeldTab): number {
    const known = this.#numbers.get(held)
    if (known !== undefined) return known
    this.#lastNumber += 1
    this.#numbers.set(held, this.#lastNumber)
    return this.#lastNumber
  }
}

/** Heap overhead of one typed array, on top of its bytes. */
const ARRAY_BYTES = 256

function bytesOf({ failed, isOut, passing, alone }: FailureMasks): number {
  return [failed, isOut, passing, ...alone].reduce((sum, { byteLength }) => sum + ARRAY_BYTES + byteLength, 0)
}

/** Cache key: tab snapshot, user, filters with values, and the user data those filters read. */
function keyOf(
  { search, visit, documents, meant }: Question,
  { marks, board }: Standing,
  { organisationId, userId }: ReportScope,
): string {
  const filters = activeReportFilters(search).map((name) => [name, search[name]])
  const own = [
    marks.hidden,
    search.project_bookmark && marks.bookmarked,
    search.project_label__in && marks.labelled,
    search.project_since_visit && visit?.loads,
    search.document_text__in && documents?.version,
    meant?.version,
    asksPursuits(search) && board,
  ]
  return JSON.stringify([organisationId, userId, search.is_archived === true, filters, own])
}
