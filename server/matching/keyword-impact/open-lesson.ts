import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import type {
  DraftKeywordTrainingRequest,
  KeywordTraining,
  KeywordTrainingTitle,
} from '#contract/matching/keyword-training.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  applyKeywordTermDecisions,
  computeAutoTermFlags,
  isManualTerm,
} from '#server/matching/keyword/apply-term-decisions.ts'
import { requireAiKeyword } from '#server/matching/keyword/change-stored-keyword-terms.ts'
import {
  countTitlesWithVocabularyUnit,
  expandWordToTerms,
  omitKeywordFromRejectedTerms,
  throwKeywordTermDecisionError,
} from '#server/matching/keyword/expand-keyword-entries.ts'
import type { KeywordRouteContext } from '#server/matching/keyword/keyword-context.ts'
import { findKeywordLists } from '#server/matching/keyword/queries.ts'
import { findKeywordTerms, type StoredKeywordTerm } from '#server/matching/keyword/store-terms.ts'
import { loadKeywordImpactProjectNames } from '#server/matching/queries/impact.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import {
  type AnsweredKeywordTrainingTitle,
  computeKeywordTrainingOutcome,
  countTitlesDecidedByTerm,
  estimateKeywordTrainingResult,
  type KeywordTrainingOutcome,
  type KeywordTrainingTerm,
  pickNextKeywordTrainingTitle,
} from './keyword-training-policy.ts'
import {
  findKeywordTrainingAnswers,
  findProjectNames,
  findStarredOrHiddenProjects,
  type StoredKeywordTrainingAnswer,
} from './lesson-queries.ts'
import { groupTitlesByTerms, type TitleGroup } from './title-groups.ts'
import { matchTermsToTitles, type RecentYearProjectTitles } from './year-titles.ts'

const LIST = 'ai_include'

export type ActiveKeywordTraining = {
  readonly keywordId: number
  readonly word: string
  readonly terms: readonly StoredKeywordTerm[]
  readonly lessonTerms: readonly KeywordTrainingTerm[]
  readonly groups: readonly TitleGroup[]
  readonly answers: readonly StoredKeywordTrainingAnswer[]
  readonly titleAnswers: readonly AnsweredKeywordTrainingTitle[]
  readonly seenTitles: ReadonlySet<number>
  readonly marks: KeywordTraining['marks']
  readonly year: RecentYearProjectTitles
  readonly learned: KeywordTrainingOutcome
}

type LessonUser = { readonly organisationId: number; readonly userId: number }

/**
 * Loads the lesson of a keyword. Throws ProblemError `not_found` unless the keyword is an AI include word of the
 * organisation. Exclusions have no lesson: they hide projects silently, so only manually confirmed terms are active
 * there.
 */
export async function loadKeywordTraining(
  context: Pick<KeywordRouteContext, 'db' | 'expand'>,
  { organisationId, userId }: LessonUser,
  keywordId: number,
  year: RecentYearProjectTitles,
): Promise<ActiveKeywordTraining> {
  const { db } = context
  const lists = await findKeywordLists(db, organisationId)
  const { word, list } = requireAiKeyword({ keywords: lists?.keywords ?? [] }, keywordId)
  if (list !== LIST) throw new ProblemError('not_found')
  const fresh = await expandWordToTerms(context, word)
  const terms = (await findKeywordTerms(db, [keywordId])).get(keywordId) ?? fresh
  const answers = await findKeywordTrainingAnswers(db, organisationId, keywordId)
  const marks = await findStarredOrHiddenProjects(db, { organisationId, userId }, keywordId)
  return buildLesson({ keywordId, word, terms, answers, marks }, fresh, year)
}

export async function loadDraftKeywordTraining(
  context: Pick<KeywordRouteContext, 'db' | 'expand'>,
  { word, answers, ...choice }: DraftKeywordTrainingRequest,
  year: RecentYearProjectTitles,
): Promise<ActiveKeywordTraining> {
  const fresh = await expandWordToTerms(context, word)
  const decided = applyKeywordTermDecisions(
    fresh,
    { ...choice, reject: omitKeywordFromRejectedTerms(choice.reject, word) },
    countTitlesWithVocabularyUnit,
  )
  if (!decided.ok) return throwKeywordTermDecisionError('approve', decided.problem)
  const lastAnswers = new Map(answers.map(({ project_id, is_wanted }) => [project_id, is_wanted]))
  const projectsById = new Map(
    (await findProjectNames(context.db, [...lastAnswers.keys()])).map((project) => [project.project_id, project]),
  )
  const storedAnswers = [...lastAnswers].flatMap(([id, is_wanted]) => {
    const project = projectsById.get(id)
    return project ? [{ ...project, is_wanted }] : []
  })
  const draft = { keywordId: 0, word, terms: decided.terms, answers: storedAnswers.reverse(), marks: [] }
  return buildLesson(draft, fresh, year)
}

async function buildLesson(
  about: Pick<ActiveKeywordTraining, 'keywordId' | 'word' | 'terms' | 'answers' | 'marks'>,
  fresh: readonly StoredKeywordTerm[],
  year: RecentYearProjectTitles,
): Promise<ActiveKeywordTraining> {
  const { terms, answers } = about
  const auto = computeAutoTermFlags(terms, fresh)
  const lessonTerms = terms.map((term, index): KeywordTrainingTerm => {
    return {
      facet: term.facet,
      similarity: term.similarity,
      isLiteral: term.source === 'literal',
      isAuto: auto[index]!,
      byHand: isManualTerm(term) ? term.state === 'approved' : undefined,
    }
  })
  const forms = terms.map(({ term }) => toNormalisedSearchText(term))
  const titlesByForm = await year.matchTerms(forms.filter((form) => form !== ''))
  const groups = groupTitlesByTerms(forms.map((form) => titlesByForm.get(form) ?? []))
  const titleAnswers = await resolveAnswers(answers, forms)
  const ids = new Set(answers.map(({ project_id }) => project_id))
  const seenTitles = new Set<number>()
  if (ids.size > 0)
    for (const [titleIndex, { project_id }] of year.titles.entries())
      if (ids.has(project_id)) seenTitles.add(titleIndex)
  const learned = computeKeywordTrainingOutcome(lessonTerms, groups, titleAnswers)
  return { ...about, lessonTerms, groups, titleAnswers, seenTitles, year, learned }
}

async function resolveAnswers(
  answers: readonly StoredKeywordTrainingAnswer[],
  forms: readonly string[],
): Promise<AnsweredKeywordTrainingTitle[]> {
  const answersByForm = await matchTermsToTitles(answers, [...new Set(forms.filter((form) => form !== ''))])
  const sets = forms.map((form) => new Set(answersByForm.get(form)))
  return answers.map(({ is_wanted }, answerIndex) => ({
    isWanted: is_wanted,
    termIndexes: sets.flatMap((answerIndexes, index) => (answerIndexes.has(answerIndex) ? [index] : [])),
  }))
}

export async function presentKeywordTraining(db: Db, lesson: ActiveKeywordTraining): Promise<KeywordTraining> {
  const { terms, lessonTerms, groups, answers, titleAnswers, seenTitles, year, learned } = lesson
  const next = pickNextKeywordTrainingTitle(lessonTerms, groups, learned, seenTitles)
  const termsAt = (titleIndex: number) =>
    groups.find(({ titleIndexes }) => titleIndexes.includes(titleIndex))!.termIndexes
  const nextAfter = (isWanted: boolean) => {
    if (next === undefined) return undefined
    const outcome = computeKeywordTrainingOutcome(lessonTerms, groups, [
      ...titleAnswers,
      { termIndexes: termsAt(next), isWanted },
    ])
    return pickNextKeywordTrainingTitle(lessonTerms, groups, outcome, new Set([...seenTitles, next]))
  }
  const candidates = [next, nextAfter(true), nextAfter(false)]
  const ids = candidates.flatMap((titleIndex) =>
    titleIndex === undefined ? [] : [year.titles[titleIndex]!.project_id],
  )
  const names = await loadKeywordImpactProjectNames(db, [...new Set(ids)])
  const [title, afterYes, afterNo] = candidates.map((titleIndex): KeywordTrainingTitle | null => {
    if (titleIndex === undefined) return null
    const { project_id } = year.titles[titleIndex]!
    const name = names.get(project_id)
    return name === undefined
      ? null
      : { project_id, name, terms: termsAt(titleIndex).map((index) => terms[index]!.term) }
  })
  const inForce = terms.map((term) => isKeywordTermActive(LIST, term))
  const perYear = (count: number) => Math.round(count / year.share)
  const figures = (acts: readonly boolean[]) => {
    const { finds, right } = estimateKeywordTrainingResult(lessonTerms, groups, acts, learned)
    return { finds: perYear(finds), right }
  }
  const counts = countTitlesDecidedByTerm(
    lessonTerms.map(({ facet }, index) => ({ facet, acts: learned.acts[index]! })),
    groups,
  )
  return {
    keyword_id: lesson.keywordId,
    word: lesson.word,
    answers: answers.map(({ project_id, name, is_wanted }) => ({ project_id, name, is_wanted })),
    marks: lesson.marks,
    next: title ?? null,
    after_yes: afterYes ?? null,
    after_no: afterNo ?? null,
    now: figures(inForce),
    taught: figures(learned.acts),
    turned: terms.flatMap(({ term, facet }, index) =>
      learned.acts[index] === inForce[index]
        ? []
        : [{ term, facet, acts: learned.acts[index]!, titles: perYear(counts[index]!) }],
    ),
    in_force: terms.filter(({ taught }: Pick<KeywordTerm, 'taught'>) => taught === true).length,
    share: year.share,
  }
}
