import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { draftObservationsSchema } from '#contract/documents/draft-observation.ts'
import type { NewDraftComment } from '#contract/team/draft-comment.ts'
import { pursuitDetailSchema } from '#contract/team/pursuit.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getServerTime } from '#src/lib/session-store.ts'

const pathOf = (projectId: string) => `pursuits/${encodeURIComponent(projectId)}`

export const draftObservationsQuery = (projectId: string) =>
  apiQueryOptions('projects/:id/draft-observations', {
    queryKey: ['documents', 'observations', projectId],
    params: { id: projectId },
    schema: draftObservationsSchema,
    staleTime: 30_000,
  })

export const saveDraftComment = (projectId: string, json: NewDraftComment): Promise<void> =>
  changeDraftComments(projectId, 'draft-comments', { method: 'post', json })

export const withdrawDraftComment = (projectId: string, id: number): Promise<void> =>
  changeDraftComments(projectId, `draft-comments/${id}`, { method: 'delete' })

async function changeDraftComments(
  projectId: string,
  path: string,
  request: { method: 'post' | 'delete'; json?: object },
): Promise<void> {
  const detail = await sendApiRequest(`${pathOf(projectId)}/${path}`, { ...request, schema: pursuitDetailSchema })
  queryClient.setQueryData(pursuitKeys.detail(projectId), detail)
}

export const downloadDraftLetter = (projectId: string, text: string): Promise<void> =>
  downloadFile({
    path: `${pathOf(projectId)}/draft-letter`,
    name: buildDatedFileName('draft-letter-', getServerTime(), 'docx'),
    json: { text },
  })
