/** A PDF that comes piece by piece: its first bytes, and a way to the others. */
export type PdfPieces = {
  readonly bytes: number
  readonly first: ArrayBuffer
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
  /** Of a file that is better had whole: what stands behind its first bytes. */
  readonly rest?: (() => Promise<ArrayBuffer>) | undefined
}

/** As pdf.js asks for what it needs. */
const PIECE_BYTES = 65_536
/** A piece that failed is requested again after these delays, ms; after the last one it counts as lost. */
const AGAIN_MS = [500, 2_000]

type Transport = typeof import('unpdf/pdfjs').PDFDataRangeTransport
type Given = Parameters<typeof import('unpdf/pdfjs').getDocument>[0] & object
type Handed = { readonly given: Given; readonly lost: Promise<never>; readonly stop: () => void }

const whole = (data: ArrayBuffer): Handed => ({
  given: { data },
  lost: new Promise(() => undefined),
  stop: () => undefined,
})

/** The bytes behind the first ones, at the end of a new buffer: pdf.js takes what it is given away, and the first bytes are the cache's. */
async function allOf(first: ArrayBuffer, rest: () => Promise<ArrayBuffer>): Promise<ArrayBuffer> {
  const behind = await rest()
  const all = new Uint8Array(first.byteLength + behind.byteLength)
  all.set(new Uint8Array(first))
  all.set(new Uint8Array(behind), first.byteLength)
  return all.buffer
}

/**
 * What pdf.js is given. `lost` rejects when a piece could not be had, for which pdf.js itself would wait without end; `stop` asks for no more. Rejects when a small file could not be
 * had whole.
 */
export async function givenTo(source: ArrayBuffer | PdfPieces, Transport: Transport): Promise<Handed> {
  if (!('read' in source)) return whole(source)
  const { bytes, first, read, rest } = source
  if (first.byteLength >= bytes) return whole(first.slice(0))
  if (rest) return whole(await allOf(first, rest))
  const gone = new AbortController()
  const { promise: lost, reject } = Promise.withResolvers<never>()
  // It may be lost while nobody waits for anything.
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
  // Pages that nobody looks at are not fetched: a scan has up to 50 MB.
  const given: Given = { range, rangeChunkSize: PIECE_BYTES, disableStream: true, disableAutoFetch: true }
  return { given, lost, stop: () => gone.abort() }
}
