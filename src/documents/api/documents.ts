import { queryOptions } from '@tanstack/react-query'
import { documentHitsSchema, documentSearchSchema } from '#contract/documents/document-search.ts'
import {
  type ProjectDocument,
  projectDocumentSchema,
  projectDocumentsSchema,
} from '#contract/documents/project-document.ts'
import { wordPassagesSchema } from '#contract/documents/word-passages.ts'
import { request } from '#src/api/http/client.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { uploadFile } from '#src/api/http/file-upload.ts'
import { NetworkError, ProblemError } from '#src/api/http/problem-error.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { currentSession } from '#src/lib/session-store.ts'

/** Keys of the cache. Here and not with the others, which every page loads: the page of /login has no byte to spare. */
const keys = {
  of: (projectId: string) => ['documents', 'of', projectId] as const,
  one: (id: string) => ['documents', 'one', id] as const,
  hits: (id: string, q: string) => ['documents', 'hits', id, q] as const,
  search: (projectId: string | undefined, q: string) => ['documents', 'search', projectId, q] as const,
  words: (projectId: string) => ['documents', 'words', projectId] as const,
}

const addressOf = (id: string) => `documents/${encodeURIComponent(id)}`
/** Somebody watches: a reading takes a second or some. */
const LOOK_AGAIN_MS = 1_000
const FRESH_MS = 30_000

const isWaiting = ({ state }: Pick<ProjectDocument, 'state'>) => state === 'waiting'
/** A page of a picture takes some seconds. */
const LOOK_AT_PICTURES_MS = 3_000
const areReadOn = ({ pictures: { state, reason } }: Pick<ProjectDocument, 'pictures'>) =>
  state === 'waiting' && reason !== 'day-limit'
const lookAgain = (documents: readonly ProjectDocument[]) =>
  documents.some(isWaiting) ? LOOK_AGAIN_MS : documents.some(areReadOn) ? LOOK_AT_PICTURES_MS : false

/** What the organisation keeps beside a project, the newest first; asked again while one of them is to be read. */
export const projectDocumentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.of(projectId),
    queryFn: async ({ signal }) =>
      (await request(`projects/${encodeURIComponent(projectId)}/documents`, { schema: projectDocumentsSchema, signal }))
        .documents,
    refetchInterval: ({ state }) => lookAgain(state.data ?? []),
    staleTime: FRESH_MS,
  })

/** One document with its facts. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => request(addressOf(id), { schema: projectDocumentSchema, signal }),
    refetchInterval: ({ state }) => lookAgain(state.data ? [state.data] : []),
    staleTime: FRESH_MS,
  })

/** Pages of one document in which something stands; `q` is asked as it was typed. */
export const documentHitsQuery = (id: string, q: string) =>
  queryOptions({
    queryKey: keys.hits(id, q),
    queryFn: ({ signal }) => request(`${addressOf(id)}/hits`, { query: { q }, schema: documentHitsSchema, signal }),
    staleTime: FRESH_MS,
    enabled: q !== '',
  })

/** Pages of all documents of the organisation, or of one project. */
export const documentSearchQuery = (projectId: string | undefined, q: string) =>
  queryOptions({
    queryKey: keys.search(projectId, q),
    queryFn: ({ signal }) =>
      request('documents', {
        query: { q, ...(projectId === undefined ? {} : { project: projectId }) },
        schema: documentSearchSchema,
        signal,
      }),
    staleTime: FRESH_MS,
    enabled: q !== '',
  })

/** Where watch words stand in the public documents of a project. */
export const wordPassagesQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.words(projectId),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(projectId)}/word-passages`, { schema: wordPassagesSchema, signal }),
    staleTime: FRESH_MS,
  })

/** Takes a document away for everybody in the organisation. */
export async function removeDocument({ id, project_id }: Pick<ProjectDocument, 'id' | 'project_id'>): Promise<void> {
  await request(addressOf(id), { method: 'delete' })
  queryClient.removeQueries({ queryKey: keys.one(id) })
  await queryClient.invalidateQueries({ queryKey: keys.of(project_id) })
}

/** Asks for the pictures of a document; a job reads them. Throws ProblemError (refused) and NetworkError (no answer). */
export async function readPictures({ id }: Pick<ProjectDocument, 'id'>): Promise<void> {
  const asked = await request(`${addressOf(id)}/pictures`, { method: 'post', schema: projectDocumentSchema })
  queryClient.setQueryData(documentQuery(id).queryKey, asked)
  queryClient.setQueryData(projectDocumentsQuery(asked.project_id).queryKey, (list) =>
    list?.map((one) => (one.id === id ? asked : one)),
  )
}

/** Fetches the file and gives it to the browser to save. */
export async function downloadDocument({ id }: Pick<ProjectDocument, 'id'>): Promise<void> {
  // Asked first: a session that has ended is noticed as with every other call, and so is a document that is gone.
  const { name, type } = await request(addressOf(id), { schema: projectDocumentSchema })
  const ending = { pdf: /\.pdf$/i, jpeg: /\.jpe?g$/i, png: /\.png$/i, zip: /\.zip$/i }[type]
  await downloadFile({ path: `${addressOf(id)}/file`, name: ending.test(name) ? name : `${name}.${type}` })
}

type Upload = {
  readonly projectId: string
  readonly file: File
  /** 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Adds a file to a project. Throws what `uploadFile` throws. */
export async function addDocument({ projectId, file, onProgress, signal }: Upload): Promise<ProjectDocument> {
  const added = await uploadFile({
    path: `projects/${encodeURIComponent(projectId)}/documents`,
    schema: projectDocumentSchema,
    ...{ file, onProgress, signal },
    whenSessionEnds: () => void queryClient.invalidateQueries({ queryKey: keys.of(projectId) }),
  })
  queryClient.setQueryData(projectDocumentsQuery(projectId).queryKey, (list) =>
    list === undefined ? undefined : [added, ...list.filter(({ id }) => id !== added.id)],
  )
  void queryClient.invalidateQueries({ queryKey: keys.of(projectId) })
  return added
}

/** Where the file of a document lies, as it lies in the store. */
export const fileAddress = (id: string) => `${addressOf(id)}/file`

/** A file behind an address of the API. Throws ProblemError (refused), NetworkError (no answer) and AbortError. */
export const fetchFile = (path: string, signal?: AbortSignal): Promise<ArrayBuffer> =>
  answered(path, {}, signal, (response) => response.arrayBuffer())

/** Bytes `from` to before `to` of a file and how many it has. Throws what `fetchFile` throws. A file that came whole, as what stands between may send it, is cut. */
export const fetchRange = (path: string, { from, to }: { from: number; to: number }, signal?: AbortSignal) =>
  answered(path, { range: `bytes=${from}-${to - 1}` }, signal, async (response) => {
    const part = await response.arrayBuffer()
    const bytes = response.headers.get('content-range')?.split('/')[1]
    if (response.status === 206 && bytes !== undefined) return { part, bytes: Number(bytes) }
    return { part: from === 0 ? part : part.slice(from, to), bytes: part.byteLength }
  })

async function answered<T>(
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    const response = await fetch(`/api/v2/${path}`, {
      headers: { ...headers, authorization: `Bearer ${currentSession()?.access ?? ''}` },
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) throw new ProblemError(response, await response.json().catch(() => ({})))
    return await read(response)
  } catch (error) {
    if (error instanceof ProblemError || (error as Error).name === 'AbortError') throw error
    throw new NetworkError('No answer', { cause: error })
  }
}
