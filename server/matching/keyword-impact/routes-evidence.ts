import {
  EVIDENCE_SAMPLES,
  type Evidence,
  type EvidenceRequest,
  evidenceRequestSchema,
  evidenceSchema,
} from '#contract/matching/term-evidence.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { loadNames } from '#server/matching/queries/impact.ts'
import { loadRules } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { placesThatDecide, spread } from './title-groups.ts'
import type { YearTitles, YearTitlesCache } from './year-titles.ts'

/** Computes what each term adds to the others over a year of titles. The demo sees demo data only. */
async function evidenceOf(
  db: Db,
  year: YearTitles,
  { terms }: EvidenceRequest,
  isSampleOnly: boolean,
): Promise<Evidence> {
  const { titles, share } = year
  const asked = terms.map((term) => ({ ...term, term: searchForm(term.term) }))
  const all = await year.placesOf(asked.map(({ term }) => term).filter((term) => term !== ''))
  const places = isSampleOnly
    ? new Map([...all].map(([term, own]) => [term, own.filter((place) => titles[place]!.is_sample)]))
    : all
  const decided = placesThatDecide(asked, places)
  const shown = decided.map((own) => spread(own, EVIDENCE_SAMPLES))
  const ids = shown.flat().map((place) => titles[place]!.project_id)
  const names = await loadNames(db, [...new Set(ids)])
  const estimate = (count: number) => Math.round(count / share)
  return {
    from: year.from,
    to: year.to,
    titles: titles.length,
    share,
    terms: terms.map(({ term, facet }, index) => ({
      term,
      facet,
      holds: estimate(places.get(asked[index]!.term)?.length ?? 0),
      adds: estimate(decided[index]!.length),
      samples: shown[index]!.flatMap((place) => {
        const { project_id } = titles[place]!
        const name = names.get(project_id)
        return name === undefined ? [] : [{ project_id, name }]
      }),
    })),
  }
}

export function evidenceRoutes(app: RouteApp, context: RouteContext, yearTitles: YearTitlesCache): void {
  app.post(
    '/organisations/me/keywords/evidence',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['watch list'],
        summary:
          'What each term of an AI keyword adds to the others, by the titles of the last year; nothing is stored',
        body: evidenceRequestSchema,
        response: { 200: evidenceSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const [rules] = await loadRules(context.db, organisationId)
      return evidenceOf(context.db, await yearTitles(), request.body, rules?.is_sample_only === true)
    },
  )
}
