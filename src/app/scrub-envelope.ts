import { scrubDeep } from '#src/lib/scrub.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NEWLINE = 10

type ItemHeader = { type?: string; length?: number }

/** Scrubs every JSON document of a payload; a replay is two of them, one a line. Throws on anything that is no JSON, which is then not sent. */
function scrubPayload(payload: string): string {
  return payload
    .split('\n')
    .map((document) => (document === '' ? '' : JSON.stringify(scrubDeep(JSON.parse(document)))))
    .join('\n')
}

/**
 * The last door before anything leaves for the error tracker: an envelope (header line, then item header and payload in
 * turn) with every text in it scrubbed and the lengths of the items corrected (R60).
 */
export function scrubEnvelope(envelope: string | Uint8Array): string {
  const bytes = typeof envelope === 'string' ? encoder.encode(envelope) : envelope
  let at = 0
  const take = (length?: number): string => {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = length === undefined ? (newline === -1 ? bytes.length : newline) : at + length
    const text = decoder.decode(bytes.subarray(at, end))
    at = end + 1
    return text
  }
  const lines = [scrubPayload(take())]
  while (at < bytes.length) {
    const header = JSON.parse(take()) as ItemHeader
    const payload = scrubPayload(take(header.length))
    const length = header.length === undefined ? {} : { length: encoder.encode(payload).length }
    lines.push(JSON.stringify({ ...header, ...length }), payload)
  }
  return lines.join('\n')
}
