import { LRUCache } from 'lru-cache'
import { activeReportFilters } from '#contract/report/report-params.ts'
import type { ReportScope } from '../queries.ts'
import { type FailureMasks, failureMasks } from './failure-masks.ts'
import type { HeldTab } from './held-matches.ts'
import { asksPursuits } from './kept-pursuits.ts'
import type { Question } from './question.ts'
import type { Standing } from './standing.ts'

/** Bytes of the masks that are kept: of 650,000 matches nine questions, of 20,000 three hundred. */
const MOST_BYTES = 32 * 2 ** 20

/** A question, the tab that it is about, and what stood in the database when it was asked. */
type AskedQuestion = { readonly question: Question; readonly held: HeldTab; readonly standing: Standing }

type Asked = { readonly held: HeldTab; readonly masks: Promise<FailureMasks> }

/**
 * What passes the questions asked last. A screen asks for a page and for its facets at nearly the same time, then for the next page: the filters are
 * the same, so they are looked at once. Only what was found of the same tab, at the same moment and with the same marks, is given again.
 */
export class AskedLast {
  readonly #asked = new LRUCache<string, Asked>({ maxSize: MOST_BYTES })

  get heldBytes(): number {
    return this.#asked.calculatedSize
  }

  clear(): void {
    this.#asked.clear()
  }

  async masksOf({ question, held, standing }: AskedQuestion, scope: ReportScope): Promise<FailureMasks> {
    const key = keyOf(question, standing, scope)
    const known = this.#asked.get(key)
    if (known?.held === held) {
      // A question that ran out of its time says nothing about this one.
      const masks = await known.masks.catch(() => undefined)
      if (masks) return masks
    }
    const asked: Asked = { held, masks: failureMasks(question) }
    this.#asked.set(key, asked, { size: 1 })
    try {
      const masks = await asked.masks
      if (this.#asked.peek(key) === asked) this.#asked.set(key, asked, { size: bytesOf(masks) })
      return masks
    } catch (error) {
      if (this.#asked.peek(key) === asked) this.#asked.delete(key)
      throw error
    }
  }
}

const bytesOf = ({ failed, isOut, passing, alone }: FailureMasks) =>
  alone.reduce((sum, places) => sum + places.byteLength, 1 + failed.byteLength + isOut.byteLength + passing.byteLength)

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
