import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '#src/api/http/query-client.ts'
import { fetchRange, fileAddress } from './documents.ts'

/** Comes with the first answer: most announcements are no larger (0.12 MB), and the reader of a larger file begins with it. Two of the pieces in which pdf.js asks for the rest. */
const FIRST_BYTES = 2 * 65_536
/** A smaller file is fetched whole: pdf.js asks for one piece after another until it knows the last page, and each costs a way there and back. */
const WHOLE_BELOW = 8 * 65_536
/** What was asked for while somebody looked at the list of documents is still here when one is opened: the first bytes, and all of a small file. */
const KEPT_MS = 5 * 60_000

/** A file of which the first bytes are here. */
export type DocumentFile = {
  /** Of the whole file. */
  readonly bytes: number
  readonly first: ArrayBuffer
  /** Bytes `from` to before `to`. Throws ProblemError, NetworkError and AbortError. */
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
  /** Of a small file: what stands behind the first bytes, asked for once, however many want it. Throws as `read`, and asks again the next time. */
  readonly rest: (() => Promise<ArrayBuffer>) | undefined
}

/** The beginning of a document's file, for the reader. */
export const documentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'file', id],
    queryFn: async ({ signal }): Promise<DocumentFile> => {
      const path = fileAddress(id)
      const { part, bytes } = await fetchRange(path, { from: 0, to: FIRST_BYTES }, signal)
      const read = async (from: number, to: number, stop: AbortSignal) =>
        (await fetchRange(path, { from, to }, stop)).part
      const rest = () => read(part.byteLength, bytes, new AbortController().signal)
      return { bytes, first: part, read, rest: bytes < WHOLE_BELOW && part.byteLength < bytes ? once(rest) : undefined }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  })

/** One answer for all who ask; none when it failed, so that the next one asks anew. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

/** Asks for what the first page of a document needs, before anybody waits for it: the beginning of its file, or all of a small one. */
export async function readAhead(id: string): Promise<void> {
  try {
    await (await queryClient.query({ ...documentFileQuery(id), staleTime: 'static' })).rest?.()
  } catch {
    // Whoever opens the document asks again, and says what fails.
  }
}

/** All of a file: a picture is drawn at once. */
export const wholeFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'whole file', id],
    queryFn: async ({ signal, client }) => {
      const { bytes, first, read } = await client.query({ ...documentFileQuery(id), staleTime: 'static' })
      if (first.byteLength >= bytes) return first
      return await new Blob([first, await read(first.byteLength, bytes, signal)]).arrayBuffer()
    },
    staleTime: Number.POSITIVE_INFINITY,
    // 50 MB at most: not kept longer than somebody looks.
    gcTime: 0,
    structuralSharing: false,
  })
