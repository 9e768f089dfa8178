import { type KeywordTerm, takesPart } from '#contract/matching/keyword-term.ts'
import type { DraftLesson, Lesson, LessonTitle } from '#contract/matching/lesson.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { aiKeyword } from '#server/matching/keyword/change-terms.ts'
import { autoTerms, decideTerms, isByHand } from '#server/matching/keyword/decide-terms.ts'
import { expandedTerms, refuseDecision, titleCount, withoutWord } from '#server/matching/keyword/expand-words.ts'
import type { KeywordContext } from '#server/matching/keyword/keyword-context.ts'
import { findTerms, type StoredTerm } from '#server/matching/keyword/keyword-terms.ts'
import { findLists } from '#server/matching/keyword/queries.ts'
import { loadNames } from '#server/matching/queries/impact.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import {
  type Answered,
  countDecided,
  estimate,
  type Learned,
  type LessonTerm,
  learn,
  nextPlace,
} from './lesson-policy.ts'
import { findAnswers, findMarks, findNamed, type StoredAnswer } from './lesson-queries.ts'
import { groupTitles, type TitleGroup } from './title-groups.ts'
import { findPlaces, type YearTitles } from './year-titles.ts'

const LIST = 'ai_include'

export type OpenLesson = {
  readonly keywordId: number
  readonly word: string
  readonly terms: readonly StoredTerm[]
  readonly known: readonly LessonTerm[]
  readonly groups: readonly TitleGroup[]
  readonly answers: readonly StoredAnswer[]
  readonly answered: readonly Answered[]
  /** Indexes of the answered titles. */
  readonly asked: ReadonlySet<number>
  readonly marks: Lesson['marks']
  readonly year: YearTitles
  readonly learned: Learned
}

type Asker = { readonly organisationId: number; readonly userId: number; readonly isSampleOnly: boolean }

/**
 * Loads the lesson of a keyword. Throws ProblemError `not_found` unless it is an AI include word of the organisation:
 * exclusions hide silently, so only manually confirmed terms act there.
 */
export async function openLesson(
  context: Pick<KeywordContext, 'db' | 'expand'>,
  { organisationId, userId, isSampleOnly }: Asker,
  keywordId: number,
  year: YearTitles,
): Promise<OpenLesson> {
  const { db } = context
  const lists = await findLists(db, organisationId)
  const { word, list } = aiKeyword({ keywords: lists?.keywords ?? [] }, keywordId)
  if (list !== LIST) throw new ProblemError('not_found')
  const fresh = await expandedTerms(context, word)
  const terms = (await findTerms(db, [keywordId])).get(keywordId) ?? fresh
  const answers = await findAnswers(db, organisationId, keywordId)
  const marks = await findMarks(db, { organisationId, userId }, keywordId)
  return lessonOf({ keywordId, word, terms, answers, marks }, fresh, year, isSampleOnly)
}

/** Like `openLesson` for an unsaved word. Throws for decisions that cannot be stored. */
export async function openDraftLesson(
  context: Pick<KeywordContext, 'db' | 'expand'>,
  { isSampleOnly }: Pick<Asker, 'isSampleOnly'>,
  { word, answers, ...choice }: DraftLesson,
  year: YearTitles,
): Promise<OpenLesson> {
  const fresh = await expandedTerms(context, word)
  const decided = decideTerms(fresh, { ...choice, reject: withoutWord(choice.reject, word) }, titleCount)
  if (!decided.ok) return refuseDecision('approve', decided.problem)
  const last = new Map(answers.map(({ project_id, is_wanted }) => [project_id, is_wanted]))
  const named = new Map(
    (await findNamed(context.db, [...last.keys()], isSampleOnly)).map((one) => [one.project_id, one]),
  )
  const said = [...last].flatMap(([id, is_wanted]) => {
    const project = named.get(id)
    return project ? [{ ...project, is_wanted }] : []
  })
  const draft = { keywordId: 0, word, terms: decided.terms, answers: said.reverse(), marks: [] }
  return lessonOf(draft, fresh, year, isSampleOnly)
}

async function lessonOf(
  about: Pick<OpenLesson, 'keywordId' | 'word' | 'terms' | 'answers' | 'marks'>,
  fresh: readonly StoredTerm[],
  year: YearTitles,
  isSampleOnly: boolean,
): Promise<OpenLesson> {
  const { terms, answers } = about
  const auto = autoTerms(terms, fresh)
  const known = terms.map((term, index): LessonTerm => {
    return {
      facet: term.facet,
      similarity: term.similarity,
      isLiteral: term.source === 'literal',
      isAuto: auto[index]!,
      byHand: isByHand(term) ? term.state === 'approved' : undefined,
    }
  })
  const forms = terms.map(({ term }) => searchForm(term))
  const all = await year.placesOf(forms.filter((form) => form !== ''))
  const isShown = (place: number) => !isSampleOnly || year.titles[place]!.is_sample
  const groups = groupTitles(forms.map((form) => (all.get(form) ?? []).filter(isShown)))
  const answered = await answeredTitles(answers, forms)
  const ids = new Set(answers.map(({ project_id }) => project_id))
  const asked = new Set<number>()
  if (ids.size > 0)
    for (const [place, { project_id }] of year.titles.entries()) if (ids.has(project_id)) asked.add(place)
  const learned = learn(known, groups, answered)
  return { ...about, known, groups, answered, asked, year, learned }
}

async function answeredTitles(answers: readonly StoredAnswer[], forms: readonly string[]): Promise<Answered[]> {
  const held = await findPlaces(answers, [...new Set(forms.filter((form) => form !== ''))])
  const sets = forms.map((form) => new Set(held.get(form)))
  return answers.map(({ is_wanted }, place) => ({
    isWanted: is_wanted,
    held: sets.flatMap((own, index) => (own.has(place) ? [index] : [])),
  }))
}

export async function presentLesson(db: Db, lesson: OpenLesson): Promise<Lesson> {
  const { terms, known, groups, answers, answered, asked, year, learned } = lesson
  const next = nextPlace(known, groups, learned, asked)
  const heldAt = (place: number) => groups.find(({ places }) => places.includes(place))!.held
  const after = (isWanted: boolean) => {
    if (next === undefined) return undefined
    const then = learn(known, groups, [...answered, { held: heldAt(next), isWanted }])
    return nextPlace(known, groups, then, new Set([...asked, next]))
  }
  const places = [next, after(true), after(false)]
  const ids = places.flatMap((place) => (place === undefined ? [] : [year.titles[place]!.project_id]))
  const names = await loadNames(db, [...new Set(ids)])
  const [title, afterYes, afterNo] = places.map((place): LessonTitle | null => {
    if (place === undefined) return null
    const { project_id } = year.titles[place]!
    const name = names.get(project_id)
    return name === undefined ? null : { project_id, name, terms: heldAt(place).map((index) => terms[index]!.term) }
  })
  const inForce = terms.map((term) => takesPart(LIST, term))
  const perYear = (count: number) => Math.round(count / year.share)
  const figures = (acts: readonly boolean[]) => {
    const { finds, right } = estimate(known, groups, acts, learned)
    return { finds: perYear(finds), right }
  }
  const counts = countDecided(
    known.map(({ facet }, index) => ({ facet, acts: learned.acts[index]! })),
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
