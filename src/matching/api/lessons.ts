import { queryOptions } from '@tanstack/react-query'
import { type DraftLesson, type Lesson, type LessonTitle, lessonSchema } from '#contract/matching/lesson.ts'
import { request } from '#src/api/http/client.ts'
import { termKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineChange, mutate } from '#src/api/optimistic.ts'
import { keywordTermsQuery } from './keyword-terms.ts'
import { followMatching } from './matching-progress.ts'

const pathOf = (keywordId: number) => `organisations/me/keywords/${keywordId}/lesson`

export const lessonQuery = (keywordId: number) =>
  queryOptions({
    queryKey: termKeys.lesson(keywordId),
    queryFn: ({ signal }) => request(pathOf(keywordId), { schema: lessonSchema, signal }),
    staleTime: 60_000,
  })

/** The lesson of an unsaved word after the given answers; `placeholder` is shown until the response arrives. */
export const draftLessonQuery = (draft: DraftLesson, placeholder?: Lesson) =>
  queryOptions({
    queryKey: termKeys.draftLesson(draft),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/lesson', { method: 'post', json: draft, schema: lessonSchema, signal }),
    staleTime: 60_000,
    ...(placeholder ? { placeholderData: placeholder } : {}),
  })

/** An answer about a title; null withdraws it. */
export type Said = { readonly title: Pick<LessonTitle, 'project_id' | 'name'>; readonly isWanted: boolean | null }
type Saying = { readonly keywordId: number; readonly said: readonly Said[] }

const answerMutation = defineChange<Saying, Lesson>({
  name: 'lesson',
  layers: [
    {
      key: ({ keywordId }) => termKeys.lesson(keywordId),
      apply: (lesson: Lesson, { said }) => said.reduce(withAnswer, lesson),
      settle: (_lesson: Lesson, answer) => answer,
    },
  ],
  // The last answer about a title wins, so changes of one keyword are sent in order.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => [],
  send: ({ keywordId, said }, call) =>
    call(pathOf(keywordId), {
      method: 'post',
      json: { answers: said.map(({ title, isWanted }) => ({ project_id: title.project_id, is_wanted: isWanted })) },
      schema: lessonSchema,
    }),
})

/** Matches answers in flight: until they return, the next title is unknown. */
export const answersUnderWay = { mutationKey: answerMutation.mutationKey! } as const

/** Saves answers about titles and shows the next title optimistically. Rejects when the server refuses. */
export async function answerTitles(keywordId: number, said: readonly Said[]): Promise<void> {
  await mutate(answerMutation, { keywordId, said })
}

export function withAnswer(lesson: Lesson, { title, isWanted }: Said): Lesson {
  const { project_id, name } = title
  const others = lesson.answers.filter((answer) => answer.project_id !== project_id)
  const marks = lesson.marks.filter((mark) => mark.project_id !== project_id)
  if (isWanted === null) return { ...lesson, answers: others, next: { project_id, name, terms: [] }, ...UNKNOWN }
  const answers = [{ project_id, name, is_wanted: isWanted }, ...others]
  if (lesson.next?.project_id !== project_id) return { ...lesson, answers, marks }
  return { ...lesson, answers, marks, next: isWanted ? lesson.after_yes : lesson.after_no, ...UNKNOWN }
}

const UNKNOWN = { after_yes: null, after_no: null } as const

export async function takeLesson(keywordId: number, inForce: boolean): Promise<Lesson> {
  const lesson = await request(`${pathOf(keywordId)}/terms`, {
    method: 'put',
    json: { in_force: inForce },
    schema: lessonSchema,
  })
  queryClient.setQueryData(lessonQuery(keywordId).queryKey, lesson)
  void queryClient.invalidateQueries(keywordTermsQuery)
  followMatching()
  return lesson
}
