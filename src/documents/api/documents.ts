import { documentMatchesSchema, documentSearchSchema } from '#contract/documents/document-search.ts'
import {
  type ProjectDocument,
  projectDocumentSchema,
  projectDocumentsSchema,
} from '#contract/documents/project-document.ts'
import { documentKeywordPassagesSchema } from '#contract/documents/word-passages.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { fetchFromApi, sendApiRequest, throwNetworkError } from '#src/api/http/client.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { uploadFile } from '#src/api/http/file-upload.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const addressOf = (id: string) => `documents/${encodeURIComponent(id)}`
const POLL_INTERVAL_MS = 1_000
const STALE_TIME_MS = 30_000

const isWaiting = ({ state }: Pick<ProjectDocument, 'state'>) => state === 'waiting'
const PICTURE_POLL_INTERVAL_MS = 3_000
const areReadOn = ({ pictures: { state, reason } }: Pick<ProjectDocument, 'pictures'>) =>
  state === 'waiting' && reason !== 'day-limit'
const pollInterval = (documents: readonly ProjectDocument[]) =>
  documents.some(isWaiting) ? POLL_INTERVAL_MS : documents.some(areReadOn) ? PICTURE_POLL_INTERVAL_MS : false

export const projectDocumentsQuery = (projectId: string) =>
  apiQueryOptions('projects/:id/documents', {
    queryKey: ['documents', 'of', projectId],
    params: { id: projectId },
    schema: projectDocumentsSchema,
    select: ({ documents }) => documents,
    refetchInterval: ({ state }) => pollInterval(state.data?.documents ?? []),
    staleTime: STALE_TIME_MS,
  })

export const documentQuery = (id: string) =>
  apiQueryOptions('documents/:id', {
    queryKey: ['documents', 'one', id],
    params: { id },
    schema: projectDocumentSchema,
    refetchInterval: ({ state }) => pollInterval(state.data ? [state.data] : []),
    staleTime: STALE_TIME_MS,
  })

export const documentSearchHitsQuery = (id: string, q: string) =>
  apiQueryOptions('documents/:id/hits', {
    queryKey: ['documents', 'hits', id, q],
    params: { id },
    query: { q },
    schema: documentMatchesSchema,
    staleTime: STALE_TIME_MS,
    enabled: q !== '',
  })

export const documentSearchQuery = (projectId: string | undefined, q: string) =>
  apiQueryOptions('documents', {
    queryKey: ['documents', 'search', projectId, q],
    query: { q, ...(projectId === undefined ? {} : { project: projectId }) },
    schema: documentSearchSchema,
    staleTime: STALE_TIME_MS,
    enabled: q !== '',
  })

export const keywordPassagesQuery = (projectId: string) =>
  apiQueryOptions('projects/:id/word-passages', {
    queryKey: ['documents', 'words', projectId],
    params: { id: projectId },
    schema: documentKeywordPassagesSchema,
    staleTime: STALE_TIME_MS,
  })

export async function removeDocument({ id, project_id }: Pick<ProjectDocument, 'id' | 'project_id'>): Promise<void> {
  await sendApiRequest(addressOf(id), { method: 'delete' })
  queryClient.removeQueries({ queryKey: documentQuery(id).queryKey })
  await queryClient.invalidateQueries({ queryKey: projectDocumentsQuery(project_id).queryKey })
}

export async function requestTextRecognition({ id }: Pick<ProjectDocument, 'id'>): Promise<void> {
  const updated = await sendApiRequest(`${addressOf(id)}/pictures`, { method: 'post', schema: projectDocumentSchema })
  queryClient.setQueryData(documentQuery(id).queryKey, updated)
  queryClient.setQueryData(
    projectDocumentsQuery(updated.project_id).queryKey,
    (list) => list && { documents: list.documents.map((document) => (document.id === id ? updated : document)) },
  )
}

export async function downloadDocument({ id }: Pick<ProjectDocument, 'id'>): Promise<void> {
  const { name, type } = await sendApiRequest(addressOf(id), { schema: projectDocumentSchema })
  const ending = { pdf: /\.pdf$/i, jpeg: /\.jpe?g$/i, png: /\.png$/i, zip: /\.zip$/i }[type]
  await downloadFile({ path: `${addressOf(id)}/file`, name: ending.test(name) ? name : `${name}.${type}` })
}

type SentFile = Omit<Parameters<typeof uploadFile>[0], 'path' | 'schema'>

export async function addDocument(projectId: string, sentFile: SentFile): Promise<ProjectDocument> {
  const path = `projects/${encodeURIComponent(projectId)}/documents`
  const added = await uploadFile({ path, schema: projectDocumentSchema, ...sentFile })
  queryClient.setQueryData(
    projectDocumentsQuery(projectId).queryKey,
    (list) => list && { documents: [added, ...list.documents.filter(({ id }) => id !== added.id)] },
  )
  void queryClient.invalidateQueries({ queryKey: projectDocumentsQuery(projectId).queryKey })
  return added
}

export const buildDocumentFileUrl = (id: string) => `${addressOf(id)}/file`

/** Fetches a file from the API. Throws ProblemError (refused), NetworkError (no response) and AbortError. */
export const fetchApiFile = async (path: string, signal?: AbortSignal): Promise<ArrayBuffer> =>
  await (await fetchFromApi(path, { signal })).arrayBuffer().catch(throwNetworkError)

/**
 * Fetches bytes `from` (inclusive) to `to` (exclusive) and the total size. Slices the response if a proxy sent the
 * whole file. Throws ProblemError (refused), NetworkError (no response) and AbortError.
 */
export async function fetchApiFileRange(
  path: string,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
) {
  const response = await fetchFromApi(path, { range: `bytes=${from}-${to - 1}`, signal })
  const part = await response.arrayBuffer().catch(throwNetworkError)
  const bytes = response.headers.get('content-range')?.split('/')[1]
  if (response.status === 206 && bytes !== undefined) return { part, bytes: Number(bytes) }
  return { part: from === 0 ? part : part.slice(from, to), bytes: part.byteLength }
}
