import { queryOptions } from '@tanstack/react-query'
import { type DraftLessonRequest, type Lesson, type LessonTitle, lessonSchema } from '#contract/matching/lesson.ts'
import { request } from '#src/api/http/client.ts'
import { termKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineChange, runOptimisticChange } from '#src/api/optimistic.ts'
import { keywordTermsQuery } from './keyword-terms.ts'
import { followMatchingProgress } from './matching-progress.ts'

const pathOf = (keywordId: number) => `organisations/me/keywords/${keywordId}/lesson`

export const lessonQuery = (keywordId: number) =>
  queryOptions({
    queryKey: termKeys.lesson(keywordId),
    queryFn: ({ signal }) => request(pathOf(keywordId), { schema: lessonSchema, signal }),
    staleTime: 60_000,
  })

/** Loads the lesson of an unsaved word after the given answers; `placeholder` is shown until the response arrives. */
export const draftLessonQuery = (draft: DraftLessonRequest, placeholder?: Lesson) =>
  queryOptions({
    queryKey: termKeys.draftLesson(draft),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/lesson', { method: 'post', json: draft, schema: lessonSchema, signal }),
    staleTime: 60_000,
    ...(placeholder ? { placeholderData: placeholder } : {}),
  })

/** The user's answer whether a title is wanted; null withdraws it. */
export type LessonTitleAnswer = {
  readonly title: Pick<LessonTitle, 'project_id' | 'name'>
  readonly isWanted: boolean | null
}
type AnswersChange = { readonly keywordId: number; readonly answers: readonly LessonTitleAnswer[] }

const answerMutation = defineChange<AnswersChange, Lesson>({
  name: 'lesson',
  layers: [
    {
      key: ({ keywordId }) => termKeys.lesson(keywordId),
      apply: (lesson: Lesson, { answers }) => answers.reduce(withTitleAnswer, lesson),
      settle: (_lesson: Lesson, response) => response,
    },
  ],
  // The last answer about a title wins, so send the changes of one keyword in order.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => [],
  send: ({ keywordId, answers }, call) =>
    call(pathOf(keywordId), {
      method: 'post',
      json: { answers: answers.map(({ title, isWanted }) => ({ project_id: title.project_id, is_wanted: isWanted })) },
      schema: lessonSchema,
    }),
})

/** Mutation filter for answers in flight: until their responses arrive, the next title is unknown. */
export const PENDING_ANSWERS_FILTER = { mutationKey: answerMutation.mutationKey! } as const

export async function answerLessonTitles(keywordId: number, answers: readonly LessonTitleAnswer[]): Promise<void> {
  await runOptimisticChange(answerMutation, { keywordId, answers })
}

export function withTitleAnswer(lesson: Lesson, { title, isWanted }: LessonTitleAnswer): Lesson {
  const { project_id, name } = title
  const otherAnswers = lesson.answers.filter((answer) => answer.project_id !== project_id)
  const marks = lesson.marks.filter((mark) => mark.project_id !== project_id)
  if (isWanted === null) return { ...lesson, answers: otherAnswers, next: { project_id, name, terms: [] }, ...UNKNOWN }
  const answers = [{ project_id, name, is_wanted: isWanted }, ...otherAnswers]
  if (lesson.next?.project_id !== project_id) return { ...lesson, answers, marks }
  return { ...lesson, answers, marks, next: isWanted ? lesson.after_yes : lesson.after_no, ...UNKNOWN }
}

const UNKNOWN = { after_yes: null, after_no: null } as const

export async function setLessonInForce(keywordId: number, inForce: boolean): Promise<Lesson> {
  const lesson = await request(`${pathOf(keywordId)}/terms`, {
    method: 'put',
    json: { in_force: inForce },
    schema: lessonSchema,
  })
  queryClient.setQueryData(lessonQuery(keywordId).queryKey, lesson)
  void queryClient.invalidateQueries(keywordTermsQuery)
  followMatchingProgress()
  return lesson
}
