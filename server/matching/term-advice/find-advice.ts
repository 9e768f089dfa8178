import { takesPart } from '#contract/matching/keyword-term.ts'
import { ADVICE_A_WEEK, ADVICE_DAYS } from '#contract/matching/term-advice.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { evaluateProject } from '#server/matching/evaluate.ts'
import { findTerms, type StoredTerm } from '#server/matching/keyword/keyword-terms.ts'
import { deciders, facetsOf } from '#server/matching/keyword-impact/title-groups.ts'
import { findPlaces } from '#server/matching/keyword-impact/year-titles.ts'
import { loadProjectsById, loadRules } from '#server/matching/queries.ts'
import { compileRules } from '#server/matching/rules.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { adviceOn } from './advice-policy.ts'
import { type Adviser, type Brought, type FoundAdvice, findBrought, findKeptOut, findTold } from './queries.ts'

/** Report titles considered, newest first: more than a user reviews in half a year. */
const MOST = 5_000
const MOST_EXCLUDED = 2_000
const SHOWN = 10
const LIST = 'ai_include'

/**
 * Returns the most certain terms of the week that yield only titles this user hides, excluding those already reported.
 * A term counts for titles that it alone decides and no other word matches. The keyword itself and the last term of a
 * side are exempt, because the keyword needs them.
 */
export async function findAdvice(db: Db, adviser: Adviser, today: string): Promise<FoundAdvice[]> {
  const since = addDays(today, -ADVICE_DAYS)
  const inReport = await findBrought(db, adviser, { since, most: MOST })
  if (!inReport.some(({ hidden_on }) => hidden_on !== null)) return []
  const titles = [...inReport, ...(await broughtButKeptOut(db, adviser.organisationId, since))]
  const [told, terms] = [
    await findTold(db, adviser.userId),
    await findTerms(db, [...new Set(titles.map(({ keyword_id }) => keyword_id))]),
  ]
  const decided = await titlesByTerm(titles, terms)
  const isUnwanted = ({ hidden_on, is_excluded }: Brought) => hidden_on !== null || is_excluded
  const all = { shown: titles.length, unwanted: titles.filter(isUnwanted).length }
  const found: FoundAdvice[] = []
  for (const [keyword_id, own] of terms) {
    for (const [index, { term, facet, source }] of own.entries()) {
      const brought = decided.get(keyword_id)?.[index] ?? []
      const term_key = searchForm(term)
      if (source === 'literal' || isLastOfSide(own, index) || told.has(`${keyword_id} ${facet} ${term_key}`)) continue
      const hidden = brought.filter(({ hidden_on }) => hidden_on !== null)
      const tally = {
        shown: brought.length,
        hidden: hidden.length,
        excluded: brought.filter(({ is_excluded }) => is_excluded).length,
        wanted: brought.filter(({ is_wanted }) => is_wanted).length,
        days: new Set(hidden.map(({ hidden_on }) => hidden_on)).size,
      }
      const chance = adviceOn(tally, {
        shown: all.shown - brought.length,
        unwanted: all.unwanted - brought.filter(isUnwanted).length,
      })
      if (chance === undefined) continue
      const projects = hidden.slice(0, SHOWN).map(({ project_id }) => project_id)
      const { shown, excluded } = tally
      found.push({ keyword_id, facet, term, term_key, shown, hidden: hidden.length, excluded, projects, chance })
    }
  }
  return found
    .sort((a, b) => a.chance - b.chance || b.hidden - a.hidden || (a.term_key < b.term_key ? -1 : 1))
    .slice(0, ADVICE_A_WEEK)
}

/** Returns projects hidden by an exclusion that a single AI word would match, evaluated as if rescued. */
async function broughtButKeptOut(db: Db, organisationId: number, since: string): Promise<Brought[]> {
  const ids = await findKeptOut(db, organisationId, { since, most: MOST_EXCLUDED })
  const [rules] = ids.length > 0 ? await loadRules(db, organisationId) : []
  if (!rules) return []
  const compiled = compileRules([{ ...rules, rescued: ids }])
  return (await loadProjectsById(db, ids)).flatMap((project): Brought[] => {
    const verdict = evaluateProject(compiled, project).find(({ kind }) => kind === 'match')
    if (verdict?.kind !== 'match' || verdict.reasons.length !== 1) return []
    const { project_id, name_search } = project
    const keyword_id = verdict.reasons[0]!.keyword
    return [{ project_id, name_search, keyword_id, hidden_on: null, is_wanted: false, is_excluded: true }]
  })
}

async function titlesByTerm(
  titles: readonly Brought[],
  terms: ReadonlyMap<number, readonly StoredTerm[]>,
): Promise<Map<number, Brought[][]>> {
  const forms = [...terms.values()].flat().map(({ term }) => searchForm(term))
  const places = await findPlaces(titles, [...new Set(forms.filter((form) => form !== ''))])
  const holding = new Map([...places].map(([form, own]) => [form, new Set(own)]))
  const decided = new Map([...terms].map(([id, own]) => [id, own.map((): Brought[] => [])]))
  const asked = new Map([...terms].map(([id, own]) => [id, own.map(asAsked)]))
  for (const [place, title] of titles.entries()) {
    const own = asked.get(title.keyword_id)
    if (!own) continue
    const held = own.flatMap(({ form }, index) => (holding.get(form)?.has(place) === true ? [index] : []))
    for (const index of deciders(own, held, facetsOf(own)))
      if (own[index]!.acts) decided.get(title.keyword_id)![index]!.push(title)
  }
  return decided
}

const asAsked = (term: StoredTerm) => ({
  form: searchForm(term.term),
  facet: term.facet,
  acts: takesPart(LIST, term),
})

function isLastOfSide(terms: readonly StoredTerm[], index: number): boolean {
  const { facet } = terms[index]!
  return facet > 0 && !terms.some((term, other) => other !== index && term.facet === facet && takesPart(LIST, term))
}
