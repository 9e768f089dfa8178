import { activeReportFilters } from '#contract/report/report-params.ts'
import { SharedResults } from '#server/platform/route/shared-results.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { type FailureMasks, failureMasks } from './failure-masks.ts'
import type { HeldTab } from './held-matches.ts'
import { asksPursuits } from './kept-pursuits.ts'
import type { Question } from './question.ts'
import type { Standing } from './standing.ts'

/** Bytes of the masks that are kept: of 650,000 matches nine questions, of 20,000 three hundred. */
const MOST_BYTES = 32 * 2 ** 20

/** A question, the tab that it is about, and what stood in the database when it was asked. */
type AskedQuestion = { readonly question: Question; readonly held: HeldTab; readonly standing: Standing }

/**
 * What passes the questions asked last. A screen asks for a page and for its facets at nearly the same time, then for the next page: the filters are
 * the same, so they are looked at once. Only what was found of the same tab, at the same moment and with the same marks, is given again.
 */
export class AskedLast {
  readonly #asked = new SharedResults<FailureMasks>({ maxBytes: MOST_BYTES, bytesOf })
  /** A number for each tab, so that a cached question does not retain the tab that it was about. */
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
    // A question that ran out of its time says nothing about this one.
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

/** Of one typed array, beside its values: its objects in the heap. */
const ARRAY_BYTES = 256

function bytesOf({ failed, isOut, passing, alone }: FailureMasks): number {
  return [failed, isOut, passing, ...alone].reduce((sum, { byteLength }) => sum + ARRAY_BYTES + byteLength, 0)
}

/** All that the masks follow from beside the tab at its moment: who asks, which filters with which values, and what these look at of the user's own. */
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
