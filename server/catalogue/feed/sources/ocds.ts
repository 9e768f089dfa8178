import { stat } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import { toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRow, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { detectEncoding, isMojibake, MOJIBAKE_MESSAGE } from '#server/catalogue/feed/file/encoding.ts'
import { readUnpackedBytes, readUnpackedHead } from '#server/catalogue/feed/file/feed-file.ts'
import { streamJsonElements } from '#server/catalogue/feed/file/json-elements.ts'
import { isJsonObject, readJsonFile } from '#server/catalogue/feed/file/json-file.ts'
import { readTextLines, type TextLine } from '#server/catalogue/feed/file/text-lines.ts'
import { compileOcdsRelease, listOcdsReleases, OCDS_LINKS_ONLY_MESSAGE } from './ocds-package.ts'
import { parseOcdsRelease } from './ocds-release.ts'

/**
 * Larger documents are streamed release by release: Bangkok's yearly file is 215 MB and took a gigabyte of memory in
 * one piece.
 */
const MAX_UNSTREAMED_BYTES = 16 * 2 ** 20
const LIST_KEYS = new Set(['releases', 'records'])

/**
 * Reads OCDS 1.1: a package of releases or records, a list of them, or JSON Lines. One release or record is one row; a
 * record is reduced to its compiled or merged release.
 */
export function createOcdsSource(path: string, wholeBytes = MAX_UNSTREAMED_BYTES): FeedSource {
  return {
    name: 'ocds',
    async *records(resumeAfterLine) {
      let line = 0
      let notes: DataIssue[] = []
      for await (const row of readRows(path, wholeBytes)) {
        if ('latin' in row) {
          notes = [{ kind: 'file_layout', field: 'รหัสอักษร', value: 'ISO-8859-1' }]
          continue
        }
        line += 1
        if (line <= resumeAfterLine) continue
        const item = 'broken' in row ? { line, rejected: row.broken } : readItem(row.release, line)
        if (notes.length === 0 || 'rejected' in item) yield item
        else {
          yield { ...item, notes }
          notes = []
        }
      }
      if (line === 0) throw new FeedFormatError('ชุดข้อมูล OCDS ไม่มี release สักรายการ ตรวจไฟล์แล้วดาวน์โหลดใหม่')
    },
  }
}

type ReleaseRow =
  | { readonly release: unknown }
  | { readonly broken: { readonly reason: string; readonly raw: string } }
  | { readonly latin: true }

async function* readRows(path: string, wholeBytes: number): AsyncGenerator<ReleaseRow, void, undefined> {
  // Ignore a missing file here; the code that opens it reports it.
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  const head = await readUnpackedHead(path, HEAD_BYTES)
  if (detectEncoding(head, { allowsLatin: true }) === 'windows-1252') yield { latin: true }
  if (isJsonLines(head)) {
    for await (const line of readTextLines(readUnpackedBytes(path), {
      allowsLatin: true,
      maxLine: MAX_JSON_LINE_LENGTH,
    }))
      yield* parseReleaseLine(line)
    return
  }
  // A top-level list has no key to find its elements by, so it cannot be streamed.
  const isPackage = !/^[\s\ufeff]*\[/.test(head.subarray(0, 64).toString('utf8'))
  const releases =
    size > wholeBytes && isPackage
      ? streamJsonElements(path, LIST_KEYS, listOcdsReleases)
      : listOcdsReleases(await readJsonFile(path))
  for await (const release of releases) yield { release }
}

const MAX_JSON_LINE_LENGTH = 16 * 2 ** 20
const HEAD_BYTES = 1024 * 1024

function isJsonLines(head: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(head)
  const [first = '', second = ''] = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (!first.trim().startsWith('{') || !second.trim().startsWith('{')) return false
  try {
    return isJsonObject(JSON.parse(withoutComma(first.replace(/^\ufeff/, '').trimEnd())))
  } catch {
    return /\}\s*$/.test(first) && first.trim() !== '{'
  }
}

/** Some programs write list elements line by line, each with a trailing comma. */
const withoutComma = (text: string) => (text.endsWith(',') ? text.slice(0, -1) : text)

function* parseReleaseLine({ number, text }: TextLine): Generator<ReleaseRow, void, undefined> {
  if (text.trim() === '') return
  const broken = (reason: string): ReleaseRow => ({
    broken: { reason: `บรรทัดที่ ${number}: ${reason}`, raw: toQuarantinedText(text) },
  })
  let document: unknown
  try {
    document = JSON.parse(withoutComma(text.replace(/^\ufeff/, '').trimEnd()))
  } catch {
    yield broken('JSON เสีย')
    return
  }
  try {
    for (const release of listOcdsReleases(document)) yield { release }
  } catch (error) {
    if (!(error instanceof FeedFormatError)) throw error
    yield broken(error.message)
  }
}

function readItem(release: unknown, line: number): FeedRow {
  const reject = (reason: string): FeedRow => ({
    line,
    rejected: { reason, raw: toQuarantinedText(JSON.stringify(release) ?? '') },
  })
  if (!isJsonObject(release)) return reject('release ไม่ใช่ออบเจ็กต์')
  try {
    const compiledRelease = compileOcdsRelease(release)
    if (compiledRelease === undefined) return reject(OCDS_LINKS_ONLY_MESSAGE)
    const record = parseOcdsRelease(compiledRelease)
    if (isMojibake(`${record.name ?? ''} ${record.deptName ?? ''}`)) return reject(MOJIBAKE_MESSAGE)
    return { line, record }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}
