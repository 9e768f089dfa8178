import { documentAnswerSchema, documentAnswerSettingsSchema } from '#contract/documents/document-answer.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

export const documentAnswerSettingsQuery = apiQueryOptions('document-answers', {
  queryKey: ['documents', 'answers'],
  schema: documentAnswerSettingsSchema,
  staleTime: 60_000,
})

export async function saveDocumentAnswerConsent(json: {
  readonly is_on: boolean
  readonly host: string
  readonly model: string
}): Promise<void> {
  const stored = await sendApiRequest('document-answers', {
    method: 'patch',
    json,
    schema: documentAnswerSettingsSchema,
  })
  queryClient.setQueryData(documentAnswerSettingsQuery.queryKey, stored)
}

/** Takes up to a minute. Throws AbortError when aborted, which also stops the model. */
export async function requestDocumentAnswer(projectId: string, question: string, signal: AbortSignal) {
  const path = `projects/${encodeURIComponent(projectId)}/document-answers`
  const answer = await sendApiRequest(path, {
    method: 'post',
    json: { question },
    schema: documentAnswerSchema,
    signal,
  })
  queryClient.setQueryData(
    documentAnswerSettingsQuery.queryKey,
    (settings) => settings && { ...settings, left_today: answer.left_today },
  )
  return answer
}
