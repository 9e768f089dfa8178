import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import { KEYWORD_TERM_ADVICE_PERIOD_DAYS, MAX_KEYWORD_TERM_ADVICE_PER_WEEK } from '#contract/matching/term-advice.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { findKeywordTerms, type StoredKeywordTerm } from '#server/matching/keyword/store-terms.ts'
import { findTitlesDecidedByTerm } from '#server/matching/keyword-impact/title-groups.ts'
import { matchTermsToTitles, type RecentYearProjectTitlesCache } from '#server/matching/keyword-impact/year-titles.ts'
import { isProcurementProcedureTerm } from '#server/matching/meaning/broader-terms.ts'
import { loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { isGenericVocabularyUnit } from '#server/matching/meaning/keyword-sides.ts'
import { estimateTermRelevance } from '#server/matching/meaning/term-gain.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { isWordFragment } from '#server/matching/meaning/term-similarity.ts'
import { containsWholeTerm } from '#server/matching/meaning/word-borders.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'
import {
  findAiKeywords,
  findJudgedProjects,
  findReportedTermKeys,
  type JudgedProject,
  type KeywordTermAdviceRecipient,
  type NewKeywordTermAddition,
} from './queries.ts'
import { estimateTermAddition } from './term-addition-policy.ts'

const MAX_PROJECTS = 400
const MAX_PROJECTS_PER_TERM = 10
const MIN_WANTED_PROJECTS = 2
const MIN_TERM_LENGTH = 4
const MONTHS = 12

/** `term` is in the normalised form. */
type Candidate = { readonly term: string; readonly prior: number; readonly wanted: readonly JudgedProject[] }

/**
 * Returns this week's best terms to add to AI words: vocabulary of at least two projects that the user starred, marked
 * as relevant or the team decided to bid for, and that the word does not match. Whether another word of the list or
 * none found these projects does not matter. Ordered by expected right projects a month.
 */
export async function findKeywordTermAdditions(
  db: Db,
  adviser: KeywordTermAdviceRecipient,
  { today, readYearTitles }: { readonly today: string; readonly readYearTitles: RecentYearProjectTitlesCache },
): Promise<NewKeywordTermAddition[]> {
  const since = addDays(today, -KEYWORD_TERM_ADVICE_PERIOD_DAYS)
  const projects = await findJudgedProjects(db, adviser, { since, limit: MAX_PROJECTS })
  const wantedProjects = projects.filter(({ is_wanted }) => is_wanted)
  if (wantedProjects.length < MIN_WANTED_PROJECTS) return []
  const keywords = await findAiKeywords(db, adviser.organisationId)
  if (keywords.length === 0) return []
  const terms = await findKeywordTerms(
    db,
    keywords.map(({ id }) => id),
  )
  const reported = await findReportedTermKeys(db, adviser.userId)
  const wantedTitles = wantedProjects.map((project) => ({ project, unitIds: unitIdsOf(project) }))
  const hiddenTitles = projects.flatMap(({ is_hidden, is_wanted, name_search }) =>
    is_hidden && !is_wanted ? [name_search] : [],
  )
  const additions: (NewKeywordTermAddition & { readonly gain: number })[] = []
  for (const { id, word } of keywords) {
    const stored = terms.get(id) ?? []
    const missed = wantedTitles.filter(({ project }) => !project.keyword_ids.includes(id))
    const candidates = candidatesOf(word, stored, missed).flatMap((candidate) => {
      if (reported.has(`${id} 0 ${candidate.term}`)) return []
      const hidden = hiddenTitles.filter((title) => containsWholeTerm(candidate.term, title)).length
      const evidence = { prior: candidate.prior, wanted: candidate.wanted.length, hidden }
      return estimateTermAddition({ ...evidence, monthly: 0 }) ? [{ ...candidate, evidence }] : []
    })
    if (candidates.length === 0) continue
    const counts = await countMonthlyAdditions(await readYearTitles(), stored, candidates)
    for (const [index, { term, wanted, evidence }] of candidates.entries()) {
      const monthly = counts[index]!
      const estimate = estimateTermAddition({ ...evidence, monthly })
      if (!estimate) continue
      additions.push({
        keyword_id: id,
        facet: 0,
        term,
        term_key: term,
        wanted: wanted.length,
        monthly,
        likely_right: estimate.likelyRight,
        projects: wanted.slice(0, MAX_PROJECTS_PER_TERM).map(({ project_id }) => project_id),
        gain: estimate.gain,
      })
    }
  }
  return withoutOverlaps(
    additions.sort((a, b) => b.gain - a.gain || b.likely_right - a.likely_right || (a.term_key < b.term_key ? -1 : 1)),
  ).slice(0, MAX_KEYWORD_TERM_ADVICE_PER_WEEK)
}

/** Keeps the best of terms that match the same titles, also for different words. */
function withoutOverlaps<T extends { readonly term_key: string }>(additions: readonly T[]): T[] {
  const chosen: T[] = []
  for (const addition of additions) {
    const overlaps = ({ term_key }: T) =>
      containsWholeTerm(term_key, addition.term_key) || containsWholeTerm(addition.term_key, term_key)
    if (!chosen.some(overlaps)) chosen.push(addition)
  }
  return chosen
}

type WantedTitle = { readonly project: JudgedProject; readonly unitIds: ReadonlySet<number> }

function unitIdsOf({ name_search }: JudgedProject): Set<number> {
  const units = loadDefaultTermModel().segmenter.segment(stripTitleBoilerplate(name_search))
  return new Set(units.flatMap(({ id }) => (id >= 0 ? [id] : [])))
}

function candidatesOf(word: string, stored: readonly StoredKeywordTerm[], missed: readonly WantedTitle[]): Candidate[] {
  if (missed.length < MIN_WANTED_PROJECTS) return []
  const [model, concepts] = [loadDefaultTermModel(), loadConceptDictionary()]
  const keyword = toNormalisedSearchText(word)
  const standalone = stored.filter(({ facet }) => facet === 0)
  const acting = standalone.filter((term) => isKeywordTermActive('ai_include', term))
  const forms = acting.map(({ term }) => toNormalisedSearchText(term))
  const rejected = new Set(
    standalone.filter(({ state }) => state === 'rejected').map(({ term }) => toNormalisedSearchText(term)),
  )
  const estimate = estimateTermRelevance(model, concepts, keyword, [keyword, ...forms])
  if (!estimate) return []
  const projectsByUnit = new Map<number, JudgedProject[]>()
  for (const { project, unitIds } of missed)
    for (const id of unitIds) projectsByUnit.set(id, [...(projectsByUnit.get(id) ?? []), project])
  return [...projectsByUnit].flatMap(([id, wanted]) => {
    const term = toNormalisedSearchText(model.words[id]!)
    const isUseless =
      wanted.length < MIN_WANTED_PROJECTS ||
      term.length < MIN_TERM_LENGTH ||
      rejected.has(term) ||
      !model.context.has(id) ||
      isGenericVocabularyUnit(model, id) ||
      isWordFragment(model, id) ||
      isProcurementProcedureTerm(keyword, term) ||
      forms.some((form) => containsWholeTerm(form, term))
    return isUseless ? [] : [{ term, prior: estimate(id), wanted }]
  })
}

async function countMonthlyAdditions(
  { titles, share }: Awaited<ReturnType<RecentYearProjectTitlesCache>>,
  stored: readonly StoredKeywordTerm[],
  candidates: readonly Candidate[],
): Promise<number[]> {
  const acting = stored
    .filter((term) => isKeywordTermActive('ai_include', term))
    .map(({ term, facet }) => ({ term: toNormalisedSearchText(term), facet, acts: true }))
  const forms = [...acting, ...candidates].map(({ term }) => term)
  const titlesByTerm = await matchTermsToTitles(titles, [...new Set(forms)])
  return candidates.map(({ term }) => {
    const decided = findTitlesDecidedByTerm([...acting, { term, facet: 0, acts: false }], titlesByTerm)
    return decided.at(-1)!.length / Math.max(share, Number.EPSILON) / MONTHS
  })
}
