import { getTenderPartyKeys } from '#contract/catalogue/company-name.ts'
import { isPersonalName } from '#contract/catalogue/natural-person.ts'
import { MAX_LISTED_PURCHASES, type PurchaseHistory } from '#contract/catalogue/purchase-history.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { computeAnnouncementSeason } from './compute-announcement-season.ts'
import { loadNameWordExtractor } from './name-word-extractor.ts'
import { findPastPurchases, type PastPurchase, type PurchaseHistoryProject } from './purchase-queries.ts'
import { toPurchasingUnitToken } from './trait-tokens.ts'
import { isSameKindOfWork } from './word-similarity.ts'

type HistoryScope = { readonly organisationId: number; readonly today: string }

/**
 * Returns earlier purchases of the same unit with similar names (decision 0020), in the order of `projects`. A name
 * without content words has no history.
 */
export async function loadPurchaseHistories(
  db: Db,
  projects: readonly PurchaseHistoryProject[],
  scope: HistoryScope,
): Promise<PurchaseHistory[]> {
  const { wordsOf, weightOf } = await loadNameWordExtractor()
  const queries = projects.map((project) => ({ project, words: wordsOf(project.name) }))
  const purchases = await findPastPurchases(
    db,
    queries.flatMap(({ project, words }, index) =>
      words.length === 0
        ? []
        : [
            {
              index,
              unit: toPurchasingUnitToken(project.department_id),
              word: words[0]!,
              department: project.department_id,
              exceptProjectId: project.project_id,
            },
          ],
    ),
    scope,
  )
  const byIndex = Map.groupBy(purchases, ({ place: index }) => index)
  return queries.map(({ project, words }, index) => {
    const similarPurchases = (byIndex.get(index) ?? []).filter(({ tokens }) =>
      isSameKindOfWork(
        words,
        tokens.filter((token) => token < 0),
        weightOf,
      ),
    )
    return historyOf(project, similarPurchases, scope.today)
  })
}

/** Shown instead of the name of a natural person, as on company pages. */
const ANONYMOUS_PERSON = 'บุคคลธรรมดา'
const publicName = (taxId: string | null, name: string | null) =>
  name !== null && isPersonalName({ taxId, name }) ? ANONYMOUS_PERSON : name

function historyOf(
  project: PurchaseHistoryProject,
  similarPurchases: readonly PastPurchase[],
  today: string,
): PurchaseHistory {
  const days = [project, ...similarPurchases].flatMap(({ first_on: day }) => (day !== null && day <= today ? day : []))
  const earlier = similarPurchases
    .filter(({ first_on: day }) => day !== null && project.first_on !== null && day < project.first_on)
    .toSorted((a, b) =>
      a.first_on !== b.first_on ? (a.first_on! < b.first_on! ? 1 : -1) : a.project_id < b.project_id ? 1 : -1,
    )
  // Identify all parties together: a winner known only by name is the party with that name and a tax id.
  const [ownKey, ...keys] = getTenderPartyKeys(
    [project, ...earlier].map(({ winner_tin: taxId, winner_name: name }) => ({ taxId, name })),
  )
  const isSame = (at: number) => ownKey !== undefined && keys[at] === ownKey
  return {
    rhythm: computeAnnouncementSeason(days, today),
    decided: earlier.filter(({ winner_name: name }) => name !== null).length,
    same_winner: ownKey === undefined ? null : earlier.filter((_, at) => isSame(at)).length,
    earlier: earlier.slice(0, MAX_LISTED_PURCHASES).map((purchase, at) => ({
      project_id: purchase.project_id,
      name: purchase.name,
      first_date: purchase.first_on,
      fiscal_year: purchase.fiscal_year,
      winner_name: publicName(purchase.winner_tin, purchase.winner_name),
      winner_budget: satangToBaht(purchase.winner_satang),
      is_same_winner: isSame(at),
      in_report: purchase.in_report,
    })),
  }
}
