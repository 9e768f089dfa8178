import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import { KEYWORD_TERM_ADVICE_PERIOD_DAYS, MAX_KEYWORD_TERM_ADVICE_PER_WEEK } from '#contract/matching/term-advice.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { compileMatchRules } from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { findKeywordTerms, type StoredKeywordTerm } from '#server/matching/keyword/store-terms.ts'
import { findDecidingTerms, getKeywordConceptNumbers } from '#server/matching/keyword-impact/title-groups.ts'
import { matchTermsToTitles } from '#server/matching/keyword-impact/year-titles.ts'
import { loadOrganisationMatchRules, loadProjectsToMatchById } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  findExcludedProjects,
  findReportedTermKeys,
  findSingleKeywordMatches,
  type KeywordTermAdviceRecipient,
  type NewKeywordTermAdvice,
  type SingleKeywordMatch,
} from './queries.ts'
import { computeHideCountPValue } from './term-advice-policy.ts'

const MAX_TITLES = 5_000
const MAX_EXCLUDED_TITLES = 2_000
const MAX_PROJECTS_PER_TERM = 10
const LIST = 'ai_include'

/**
 * Returns this week's most certain advice: terms that yield only titles this user hides, excluding those already
 * reported. A term counts for titles that it alone decides and no other word matches. The keyword itself and the last
 * term of a side are exempt, because the keyword needs them.
 */
export async function findKeywordTermAdvice(
  db: Db,
  adviser: KeywordTermAdviceRecipient,
  today: string,
): Promise<NewKeywordTermAdvice[]> {
  const since = addDays(today, -KEYWORD_TERM_ADVICE_PERIOD_DAYS)
  const inReport = await findSingleKeywordMatches(db, adviser, { since, limit: MAX_TITLES })
  if (!inReport.some(({ hidden_on }) => hidden_on !== null)) return []
  const titles = [...inReport, ...(await findExcludedSingleMatches(db, adviser.organisationId, since))]
  const [reported, terms] = [
    await findReportedTermKeys(db, adviser.userId),
    await findKeywordTerms(db, [...new Set(titles.map(({ keyword_id }) => keyword_id))]),
  ]
  const decided = await decidedTitlesByTerm(titles, terms)
  const isUnwanted = ({ hidden_on, is_excluded }: SingleKeywordMatch) => hidden_on !== null || is_excluded
  const baseline = { shown: titles.length, unwanted: titles.filter(isUnwanted).length }
  const advice: NewKeywordTermAdvice[] = []
  for (const [keyword_id, keywordTerms] of terms) {
    for (const [index, { term, facet, source }] of keywordTerms.entries()) {
      const decidedTitles = decided.get(keyword_id)?.[index] ?? []
      const term_key = toNormalisedSearchText(term)
      if (
        source === 'literal' ||
        isLastOfSide(keywordTerms, index) ||
        reported.has(`${keyword_id} ${facet} ${term_key}`)
      )
        continue
      const hidden = decidedTitles.filter(({ hidden_on }) => hidden_on !== null)
      const tally = {
        shown: decidedTitles.length,
        hidden: hidden.length,
        excluded: decidedTitles.filter(({ is_excluded }) => is_excluded).length,
        wanted: decidedTitles.filter(({ is_wanted }) => is_wanted).length,
        days: new Set(hidden.map(({ hidden_on }) => hidden_on)).size,
      }
      const chance = computeHideCountPValue(tally, {
        shown: baseline.shown - decidedTitles.length,
        unwanted: baseline.unwanted - decidedTitles.filter(isUnwanted).length,
      })
      if (chance === undefined) continue
      const projects = hidden.slice(0, MAX_PROJECTS_PER_TERM).map(({ project_id }) => project_id)
      const { shown: titleCount, excluded } = tally
      advice.push({
        keyword_id,
        facet,
        term,
        term_key,
        shown: titleCount,
        hidden: hidden.length,
        excluded,
        projects,
        chance,
      })
    }
  }
  return advice
    .sort((a, b) => a.chance - b.chance || b.hidden - a.hidden || (a.term_key < b.term_key ? -1 : 1))
    .slice(0, MAX_KEYWORD_TERM_ADVICE_PER_WEEK)
}

async function findExcludedSingleMatches(db: Db, organisationId: number, since: string): Promise<SingleKeywordMatch[]> {
  const ids = await findExcludedProjects(db, organisationId, { since, limit: MAX_EXCLUDED_TITLES })
  const [rules] = ids.length > 0 ? await loadOrganisationMatchRules(db, organisationId) : []
  if (!rules) return []
  const compiled = compileMatchRules([{ ...rules, rescued: ids }])
  return (await loadProjectsToMatchById(db, ids)).flatMap((project): SingleKeywordMatch[] => {
    const verdict = evaluateProjectMatch(compiled, project).find(({ kind }) => kind === 'match')
    if (verdict?.kind !== 'match' || verdict.reasons.length !== 1) return []
    const { project_id, name_search } = project
    const keyword_id = verdict.reasons[0]!.keyword
    return [{ project_id, name_search, keyword_id, hidden_on: null, is_wanted: false, is_excluded: true }]
  })
}

async function decidedTitlesByTerm(
  titles: readonly SingleKeywordMatch[],
  terms: ReadonlyMap<number, readonly StoredKeywordTerm[]>,
): Promise<Map<number, SingleKeywordMatch[][]>> {
  const forms = [...terms.values()].flat().map(({ term }) => toNormalisedSearchText(term))
  const indexesByForm = await matchTermsToTitles(titles, [...new Set(forms.filter((form) => form !== ''))])
  const holding = new Map([...indexesByForm].map(([form, indexes]) => [form, new Set(indexes)]))
  const decided = new Map(
    [...terms].map(([id, keywordTerms]) => [id, keywordTerms.map((): SingleKeywordMatch[] => [])]),
  )
  const statesByKeyword = new Map([...terms].map(([id, keywordTerms]) => [id, keywordTerms.map(toTermState)]))
  for (const [titleIndex, title] of titles.entries()) {
    const termStates = statesByKeyword.get(title.keyword_id)
    if (!termStates) continue
    const termIndexes = termStates.flatMap(({ form }, index) =>
      holding.get(form)?.has(titleIndex) === true ? [index] : [],
    )
    for (const index of findDecidingTerms(termStates, termIndexes, getKeywordConceptNumbers(termStates)))
      if (termStates[index]!.acts) decided.get(title.keyword_id)![index]!.push(title)
  }
  return decided
}

const toTermState = (term: StoredKeywordTerm) => ({
  form: toNormalisedSearchText(term.term),
  facet: term.facet,
  acts: isKeywordTermActive(LIST, term),
})

function isLastOfSide(terms: readonly StoredKeywordTerm[], index: number): boolean {
  const { facet } = terms[index]!
  return (
    facet > 0 &&
    !terms.some((term, otherIndex) => otherIndex !== index && term.facet === facet && isKeywordTermActive(LIST, term))
  )
}
