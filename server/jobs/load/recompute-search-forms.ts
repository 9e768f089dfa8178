import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { findOrganisationIds } from '#server/matching/search-form/queries.ts'
import { rewriteStaleNormalisedSearchTexts } from '#server/matching/search-form/rewrite-stale-search-forms.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function recomputeNormalisedSearchTexts(db: Db, at: Date): Promise<void> {
  const { projects, keywords } = await rewriteStaleNormalisedSearchTexts(db)
  if (projects.length === 0 && keywords.length === 0) return
  const words = Map.groupBy(keywords, ({ organisation_id }) => organisation_id)
  for (const organisationId of await findOrganisationIds(db)) {
    const organisationWords = (words.get(organisationId) ?? []).filter(({ list }) => list !== 'deptsub_include')
    const isAi = ({ list }: { readonly list: string }) => list.startsWith('ai_')
    await db.transaction((tx) =>
      enqueueProjectMatchJob(
        tx,
        organisationId,
        {
          projects: [...projects],
          expressions: organisationWords.filter((keyword) => !isAi(keyword)).map(({ word }) => word),
          terms: organisationWords.filter(isAi).map(({ word }) => word),
        },
        at,
      ),
    )
  }
}
