import { queryOptions } from '@tanstack/react-query'
import {
  applyQuestionsPatch,
  inverseQuestionsPatch,
  type QuestionsPatch,
  type SavedQuestions,
  savedQuestionsSchema,
} from '#contract/market/saved-question.ts'
import { request } from '#src/api/http/client.ts'
import { questionKeys } from '#src/api/http/keys.ts'
import { type ChangeMessage, defineChange, runOptimisticChange } from '#src/api/optimistic.ts'

const PATH = 'users/me/questions'

export const savedQuestionsQuery = queryOptions({
  queryKey: questionKeys.mine,
  queryFn: ({ signal }) => request(PATH, { schema: savedQuestionsSchema, signal }),
  staleTime: 60_000,
})

const questionsChange = (message: ChangeMessage) =>
  defineChange<QuestionsPatch, SavedQuestions>({
    name: 'questions',
    layers: [
      {
        key: questionKeys.mine,
        apply: applyQuestionsPatch,
        settle: (_cached: SavedQuestions, answer) => answer,
        undo: inverseQuestionsPatch,
      },
    ],
    // Every response contains all questions, so send changes one after another: otherwise a late response would undo a
    // newer change.
    scope: 'questions',
    tags: () => ['questions'],
    message,
    send: (json, call) => call(PATH, { method: 'patch', json, schema: savedQuestionsSchema }),
  })

export async function patchSavedQuestions(patch: QuestionsPatch, message: ChangeMessage): Promise<void> {
  await runOptimisticChange(questionsChange(message), patch).catch(() => undefined)
}
