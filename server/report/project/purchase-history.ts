import { identitiesOf } from '#contract/catalogue/company-name.ts'
import { isNaturalPerson } from '#contract/catalogue/natural-person.ts'
import { MOST_LISTED, type PurchaseHistory } from '#contract/catalogue/purchase-history.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isAlike } from './likeness.ts'
import { nameWords } from './name-words.ts'
import { findPurchases, type HistoryOf, type Purchase } from './purchase-queries.ts'
import { rhythmOf } from './rhythm.ts'
import { unitToken } from './trait-tokens.ts'

type Asker = { readonly organisationId: number; readonly isSampleOnly: boolean; readonly today: string }

/**
 * Earlier purchases of the same unit with similar names (decision 0020), in the order of `projects`. A name without
 * content words has no history.
 */
export async function purchaseHistories(
  db: Db,
  projects: readonly HistoryOf[],
  asker: Asker,
): Promise<PurchaseHistory[]> {
  const { wordsOf, weightOf } = nameWords()
  const asked = projects.map((project) => ({ project, words: wordsOf(project.name) }))
  const found = await findPurchases(
    db,
    asked.flatMap(({ project, words }, place) =>
      words.length === 0
        ? []
        : [
            {
              place,
              unit: unitToken(project.department_id),
              word: words[0]!,
              department: project.department_id,
              own: project.project_id,
            },
          ],
    ),
    asker,
  )
  const byPlace = Map.groupBy(found, ({ place }) => place)
  return asked.map(({ project, words }, place) => {
    const others = (byPlace.get(place) ?? []).filter(({ tokens }) =>
      isAlike(
        words,
        tokens.filter((token) => token < 0),
        weightOf,
      ),
    )
    return historyOf(project, others, asker.today)
  })
}

const baht = (satang: number | null) => (satang === null ? null : satang / 100)
/** Natural persons are anonymised, as on company pages. */
const PERSON = 'บุคคลธรรมดา'
const shown = (taxId: string | null, name: string | null) =>
  name !== null && isNaturalPerson({ taxId, name }) ? PERSON : name

function historyOf(project: HistoryOf, others: readonly Purchase[], today: string): PurchaseHistory {
  const days = [project, ...others].flatMap(({ first_on: day }) => (day !== null && day <= today ? day : []))
  const earlier = others
    .filter(({ first_on: day }) => day !== null && project.first_on !== null && day < project.first_on)
    .toSorted((a, b) =>
      a.first_on !== b.first_on ? (a.first_on! < b.first_on! ? 1 : -1) : a.project_id < b.project_id ? 1 : -1,
    )
  // Resolved together, so that a winner with only a name matches the winner with that name and a tax id.
  const [own, ...keys] = identitiesOf(
    [project, ...earlier].map(({ winner_tin: taxId, winner_name: name }) => ({ taxId, name })),
  )
  const isSame = (at: number) => own !== undefined && keys[at] === own
  return {
    rhythm: rhythmOf(days, today),
    decided: earlier.filter(({ winner_name: name }) => name !== null).length,
    same_winner: own === undefined ? null : earlier.filter((_, at) => isSame(at)).length,
    earlier: earlier.slice(0, MOST_LISTED).map((other, at) => ({
      project_id: other.project_id,
      name: other.name,
      first_date: other.first_on,
      fiscal_year: other.fiscal_year,
      winner_name: shown(other.winner_tin, other.winner_name),
      winner_budget: baht(other.winner_satang),
      is_same_winner: isSame(at),
      in_report: other.in_report,
    })),
  }
}
