import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { detectEncoding } from './encoding.ts'
import { readUnpackedBytes } from './feed-file.ts'

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]
/** Maximum size of an element; the largest real release is 60 kB. */
const MAX_ELEMENT_BYTES = 16 * 2 ** 20
const MAX_HEAD_BYTES = 4 * 2 ** 20

/**
 * Streams the elements of the top-level list under one of `names`, so that a file of hundreds of megabytes needs only
 * the memory of its largest element and never blocks the event loop for seconds. At the end `check` receives the
 * document with that list empty.
 * @throws FeedFormatError when the document is truncated or invalid, or from `check`; earlier elements have been
 * yielded by then.
 */
export async function* streamJsonElements(
  path: string,
  names: ReadonlySet<string>,
  check: (document: unknown) => void,
): AsyncGenerator<unknown, void, undefined> {
  let decoder: TextDecoder | undefined
  let depth = 0
  let isString = false
  let isEscaped = false
  let isInList = false
  let isListOver = false
  let count = 0
  let element: Buffer[] = []
  let elementBytes = 0
  const head: Buffer[] = []
  let headBytes = 0

  const bufferBytes = (bytes: Buffer) => {
    if (bytes.length === 0) return
    if (isInList) {
      element.push(bytes)
      elementBytes += bytes.length
      if (elementBytes > MAX_ELEMENT_BYTES) throw new FeedFormatError(`รายการที่ ${count + 1} ใหญ่เกิน 16 MB`)
    } else {
      head.push(bytes)
      headBytes += bytes.length
      if (headBytes > MAX_HEAD_BYTES) throw new FeedFormatError(`JSON ไม่มีรายการ ${[...names].join(' หรือ ')}`)
    }
  }
  const parsed = (chunks: readonly Buffer[]): unknown => {
    try {
      return JSON.parse(decoder!.decode(Buffer.concat(chunks)))
    } catch (error) {
      throw new FeedFormatError(`JSON เสียหลังรายการที่ ${count}`, { cause: error })
    }
  }
  const isBlank = () => elementBytes < 64 && Buffer.concat(element).toString('latin1').trim() === ''

  for await (const chunk of readUnpackedBytes(path)) {
    decoder ??= new TextDecoder(detectEncoding(chunk.subarray(0, 64 * 1024), { allowsLatin: true }))
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isString = false
        continue
      }
      if (byte === QUOTE) isString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1
        if (byte !== OPEN_LIST || depth !== 2 || isListOver || isInList) continue
        bufferBytes(chunk.subarray(from, at + 1))
        from = at + 1
        isInList = names.has(lastKey(head))
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte === COMMA) {
        const isEnd: boolean = isInList && byte === CLOSE_LIST && depth === 2
        if (isEnd || (isInList && byte === COMMA && depth === 2)) {
          bufferBytes(chunk.subarray(from, at))
          if (!(isEnd && isBlank())) {
            yield parsed(element)
            count += 1
          }
          element = []
          elementBytes = 0
          // Keep the closing bracket, which belongs to the document around the list, and drop the comma.
          from = isEnd ? at : at + 1
          isInList = !isEnd
          isListOver ||= isEnd
        }
        if (byte !== COMMA) depth -= 1
      }
    }
    bufferBytes(chunk.subarray(from))
  }
  if (decoder === undefined || depth !== 0 || isString) throw new FeedFormatError(`JSON ขาดตอนหลังรายการที่ ${count}`)
  check(parsed(head))
}

function lastKey(head: readonly Buffer[]): string {
  const tail = Buffer.concat(head.slice(-2)).subarray(-200).toString('latin1')
  return /"([^"\\]{1,60})"\s{0,9}:\s{0,9}\[$/.exec(tail)?.[1] ?? ''
}
