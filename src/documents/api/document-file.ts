import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildDocumentFileUrl, fetchApiFileRange } from './documents.ts'

/** Covers most announcements (0.12 MB) and lets the reader start on larger files; two pdf.js range chunks. */
const FIRST_BYTES = 2 * 65_536
/** Fetched whole: pdf.js would request chunk after chunk until it has the last page, each with a round trip. */
const WHOLE_FILE_BELOW_BYTES = 8 * 65_536
/** Keeps prefetched data (the first bytes, or a small file) long enough that opening it from the list reuses it. */
const GC_TIME_MS = 5 * 60_000

export type DocumentFile = {
  readonly bytes: number
  readonly first: ArrayBuffer
  /** Returns bytes `from` (inclusive) to `to` (exclusive). Throws ProblemError, NetworkError and AbortError. */
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
  /** Fetches the bytes after `first` once for all callers; only for small files. A call after a failure retries. */
  readonly loadRemainder?: (() => Promise<ArrayBuffer>) | undefined
}

export const documentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'file', id],
    queryFn: async ({ signal }): Promise<DocumentFile> => {
      const path = buildDocumentFileUrl(id)
      const { part, bytes } = await fetchApiFileRange(path, { from: 0, to: FIRST_BYTES }, signal)
      const read = async (from: number, to: number, stop: AbortSignal) =>
        (await fetchApiFileRange(path, { from, to }, stop)).part
      const loadRemainder = () => read(part.byteLength, bytes, new AbortController().signal)
      return {
        bytes,
        first: part,
        read,
        loadRemainder: bytes < WHOLE_FILE_BELOW_BYTES && part.byteLength < bytes ? shareOnce(loadRemainder) : undefined,
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: GC_TIME_MS,
    structuralSharing: false,
  })

function shareOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= ask().catch((error: unknown) => {
      promise = undefined
      throw error
    })
    return promise
  }
}

export async function prefetchDocumentFile(id: string): Promise<void> {
  try {
    await (await queryClient.query({ ...documentFileQuery(id), staleTime: 'static' })).loadRemainder?.()
  } catch {
    // Ignore the failure, because opening the document retries and reports the error.
  }
}

export const documentFileBytesQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'whole file', id],
    queryFn: async ({ signal, client }) => {
      const { bytes, first, read } = await client.query({ ...documentFileQuery(id), staleTime: 'static' })
      if (first.byteLength >= bytes) return first
      return await new Blob([first, await read(first.byteLength, bytes, signal)]).arrayBuffer()
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A file can have 50 MB, so it is evicted as soon as it is unused.
    gcTime: 0,
    structuralSharing: false,
  })

/** Prefetches the file and the viewer, but not the code of the document page. */
export function prefetchDocumentContent(id: string): void {
  void prefetchDocumentFile(id)
  // The viewer is larger than most documents, so it loads in parallel with the first requests.
  import('unpdf/pdfjs').catch(() => undefined)
}
