import {
  applySavedQuestionsPatch,
  invertSavedQuestionsPatch,
  type SavedQuestions,
  type SavedQuestionsPatch,
  savedQuestionsSchema,
} from '#contract/market/saved-question.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { savedQuestionKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

const PATH = 'users/me/questions'

export const savedQuestionsQuery = apiQueryOptions('users/me/questions', {
  queryKey: savedQuestionKeys.mine,
  schema: savedQuestionsSchema,
  staleTime: 60_000,
})

const questionsMutation = defineOptimisticChange<SavedQuestionsPatch, SavedQuestions>({
  name: 'questions',
  layers: [
    {
      key: savedQuestionKeys.mine,
      apply: applySavedQuestionsPatch,
      settle: (_cached: SavedQuestions, answer) => answer,
      undo: invertSavedQuestionsPatch,
    },
  ],
  // Every response contains all questions, so a late response would undo a newer change.
  scope: 'questions',
  tags: () => ['questions'],
  send: (json, call) => call(PATH, { method: 'patch', json, schema: savedQuestionsSchema }),
})

export async function patchSavedQuestions(patch: SavedQuestionsPatch, message: ChangeResultMessages): Promise<void> {
  await runOptimisticChange(questionsMutation, patch, { message }).catch(() => undefined)
}
