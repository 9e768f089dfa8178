import {
  type DraftKeywordTrainingRequest,
  type KeywordTraining,
  type KeywordTrainingTitle,
  keywordTrainingSchema,
} from '#contract/matching/keyword-training.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'
import { keywordTermsQuery } from './keyword-terms.ts'
import { pollMatchingProgress } from './matching-progress.ts'

const pathOf = (keywordId: number) => `organisations/me/keywords/${keywordId}/lesson`

export const keywordTrainingQuery = (keywordId: number) =>
  apiQueryOptions('organisations/me/keywords/:id/lesson', {
    queryKey: ['keyword-lesson', keywordId],
    params: { id: keywordId },
    schema: keywordTrainingSchema,
    staleTime: 60_000,
  })

/** Loads the lesson of an unsaved word after the given answers; `placeholder` is shown until the response arrives. */
export const draftKeywordTrainingQuery = (draft: DraftKeywordTrainingRequest, placeholder?: KeywordTraining) =>
  apiQueryOptions('organisations/me/keywords/lesson', {
    queryKey: ['keyword-lesson', 'draft', draft],
    json: draft,
    schema: keywordTrainingSchema,
    staleTime: 60_000,
    ...(placeholder ? { placeholderData: placeholder } : {}),
  })

/** The user's answer to whether a title is wanted; null withdraws it. */
export type KeywordTrainingAnswer = {
  readonly title: Pick<KeywordTrainingTitle, 'project_id' | 'name'>
  readonly isWanted: boolean | null
}
type AnswersChange = { readonly keywordId: number; readonly answers: readonly KeywordTrainingAnswer[] }

const answerMutation = defineOptimisticChange<AnswersChange, KeywordTraining>({
  name: 'lesson',
  layers: [
    {
      key: ({ keywordId }) => keywordTrainingQuery(keywordId).queryKey,
      apply: (lesson: KeywordTraining, { answers }) => answers.reduce(applyKeywordTrainingAnswer, lesson),
      settle: (_lesson: KeywordTraining, response) => response,
    },
  ],
  // The last answer about a title wins, so send the changes of one keyword in order.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => [],
  send: ({ keywordId, answers }, call) =>
    call(pathOf(keywordId), {
      method: 'post',
      json: { answers: answers.map(({ title, isWanted }) => ({ project_id: title.project_id, is_wanted: isWanted })) },
      schema: keywordTrainingSchema,
    }),
})

/** Mutation filter for answers in flight: until their responses arrive, the next title is unknown. */
export const PENDING_TRAINING_ANSWERS_FILTER = { mutationKey: answerMutation.mutationKey! } as const

export async function answerKeywordTrainingTitles(
  keywordId: number,
  answers: readonly KeywordTrainingAnswer[],
): Promise<void> {
  await runOptimisticChange(answerMutation, { keywordId, answers })
}

export function applyKeywordTrainingAnswer(
  lesson: KeywordTraining,
  { title, isWanted }: KeywordTrainingAnswer,
): KeywordTraining {
  const { project_id, name } = title
  const otherAnswers = lesson.answers.filter((answer) => answer.project_id !== project_id)
  const marks = lesson.marks.filter((mark) => mark.project_id !== project_id)
  if (isWanted === null) return { ...lesson, answers: otherAnswers, next: { project_id, name, terms: [] }, ...UNKNOWN }
  const answers = [{ project_id, name, is_wanted: isWanted }, ...otherAnswers]
  if (lesson.next?.project_id !== project_id) return { ...lesson, answers, marks }
  return { ...lesson, answers, marks, next: isWanted ? lesson.after_yes : lesson.after_no, ...UNKNOWN }
}

const UNKNOWN = { after_yes: null, after_no: null } as const

export async function setKeywordTrainingActive(keywordId: number, inForce: boolean): Promise<KeywordTraining> {
  const lesson = await sendApiRequest(`${pathOf(keywordId)}/terms`, {
    method: 'put',
    json: { in_force: inForce },
    schema: keywordTrainingSchema,
  })
  queryClient.setQueryData(keywordTrainingQuery(keywordId).queryKey, lesson)
  void queryClient.invalidateQueries(keywordTermsQuery)
  pollMatchingProgress()
  return lesson
}
