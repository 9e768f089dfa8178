import { queryOptions } from '@tanstack/react-query'
import { fetchRange, fileAddress } from './documents.ts'

/** Comes with the first answer: most announcements are no larger (0.12 MB), and the reader of a larger file begins with it. Two of the pieces in which pdf.js asks for the rest. */
const FIRST_BYTES = 2 * 65_536
/** What was asked for while somebody looked at the list of documents is still here when one is opened: the first bytes alone, never a large file. */
const KEPT_MS = 5 * 60_000

/** A file of which the first bytes are here. */
export type DocumentFile = {
  /** Of the whole file. */
  readonly bytes: number
  readonly first: ArrayBuffer
  /** Bytes `from` to before `to`. Throws ProblemError, NetworkError and AbortError. */
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
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
      return { bytes, first: part, read }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  })

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
