export type PdfPieces = {
  readonly bytes: number
  readonly first: ArrayBuffer
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
  /** Set for small files: fetches everything after the first bytes. */
  readonly rest?: (() => Promise<ArrayBuffer>) | undefined
}

const PIECE_BYTES = 65_536
/** Retry delays of a failed piece, ms; after the last it counts as lost. */
const AGAIN_MS = [500, 2_000]

type Transport = typeof import('unpdf/pdfjs').PDFDataRangeTransport
type Given = Parameters<typeof import('unpdf/pdfjs').getDocument>[0] & object
type Handed = { readonly given: Given; readonly lost: Promise<never>; readonly stop: () => void }

const whole = (data: ArrayBuffer): Handed => ({
  given: { data },
  lost: new Promise(() => undefined),
  stop: () => undefined,
})

/**
 * Returns first and remaining bytes in a new buffer, because pdf.js detaches its input and the first bytes belong to
 * the cache.
 */
async function allOf(first: ArrayBuffer, rest: () => Promise<ArrayBuffer>): Promise<ArrayBuffer> {
  const behind = await rest()
  const all = new Uint8Array(first.byteLength + behind.byteLength)
  all.set(new Uint8Array(first))
  all.set(new Uint8Array(behind), first.byteLength)
  return all.buffer
}

/**
 * Returns the input for pdf.js. `lost` rejects when a piece cannot be loaded, since pdf.js would wait forever; `stop`
 * cancels further requests. Rejects if a small file cannot be loaded.
 */
export async function givenTo(source: ArrayBuffer | PdfPieces, Transport: Transport): Promise<Handed> {
  if (!('read' in source)) return whole(source)
  const { bytes, first, read, rest } = source
  if (first.byteLength >= bytes) return whole(first.slice(0))
  if (rest) return whole(await allOf(first, rest))
  const gone = new AbortController()
  const { promise: lost, reject } = Promise.withResolvers<never>()
  // Prevents an unhandled rejection while no call awaits it.
  lost.catch(() => undefined)
  const fetchPiece = async (from: number, to: number): Promise<ArrayBuffer> => {
    for (const pause of AGAIN_MS) {
      try {
        return await read(from, to, gone.signal)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause))
        gone.signal.throwIfAborted()
      }
    }
    return await read(from, to, gone.signal)
  }
  const range = new Transport(bytes, new Uint8Array(first.slice(0)))
  range.requestDataRange = (from, to) =>
    void fetchPiece(from, to).then((piece) => range.onDataRange(from, new Uint8Array(piece)), reject)
  // Fetch only viewed pages: a scan has up to 50 MB.
  const given: Given = { range, rangeChunkSize: PIECE_BYTES, disableStream: true, disableAutoFetch: true }
  return { given, lost, stop: () => gone.abort() }
}
