import { TextDecoder } from 'node:util'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { detectEncoding } from './encoding.ts'
import { readWholeFile } from './feed-file.ts'

/** Maximum size of a document, which is parsed in memory as a whole; V8 strings end at 512 MB. */
const MAX_BYTES = 256 * 2 ** 20

export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = await readWholeFile(path, MAX_BYTES)
  const text = new TextDecoder(detectEncoding(bytes.subarray(0, 64 * 1024), { allowsLatin: true })).decode(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FeedFormatError(`JSON เสียที่${describeErrorPosition(error, text)}`, { cause: error })
  }
}

/** V8 reports "position N", except for an error at the end of the text. */
function describeErrorPosition(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
  const textBefore = text.slice(0, position)
  const line = textBefore.split('\n').length
  return `บรรทัดที่ ${line} ไบต์ที่ ${Buffer.byteLength(textBefore)} (${message})`
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
