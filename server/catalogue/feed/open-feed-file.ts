import { TextDecoder } from 'node:util'
import { parse } from 'csv-parse/sync'
import { cleanFeedText, toQuarantinedText } from './clean-text.ts'
import { FeedFormatError, type FeedSource } from './feed-source.ts'
import { findCsvHeader } from './file/csv-rows.ts'
import { detectEncoding } from './file/encoding.ts'
import { fingerprintFile, readUnpackedHead } from './file/feed-file.ts'
import { isCgdHeader } from './sources/cgd-columns.ts'
import { createCgdCsvSource } from './sources/cgd-csv.ts'
import { createCgdJsonSource } from './sources/cgd-json.ts'
import { createEgpRssSource } from './sources/egp-rss.ts'
import { createOcdsSource } from './sources/ocds.ts'

export const FEED_FILE_SOURCES = ['cgd-csv', 'cgd-json', 'egp-rss', 'ocds'] as const
export type FeedFileSource = (typeof FEED_FILE_SOURCES)[number]

export type OpenFeedFileOptions = {
  readonly source?: string | undefined
  /** Agency of an RSS file, which does not name one. */
  readonly deptName?: string | undefined
}
export type OpenedFeedFile = { readonly source: FeedSource; readonly fingerprint: string }

const HEAD_BYTES = 64 * 1024

/**
 * Opens a file of projects and detects its source from the content. Equal content read in the same way has an equal
 * fingerprint.
 * @throws FeedFormatError when the file is unreadable or in an unknown format; the message quotes its beginning.
 */
export async function openFeedFile(path: string, options: OpenFeedFileOptions = {}): Promise<OpenedFeedFile> {
  const name = options.source ?? (await detectSource(path))
  const source = createSource(name, path, options)
  const fingerprint = [name, options.deptName ?? '', await fingerprintFile(path)].join(':')
  return { source, fingerprint }
}

function createSource(name: string, path: string, { deptName }: OpenFeedFileOptions): FeedSource {
  if (name === 'cgd-csv') return createCgdCsvSource(path)
  if (name === 'cgd-json') return createCgdJsonSource(path)
  if (name === 'egp-rss') return createEgpRssSource(path, { deptName })
  if (name === 'ocds') return createOcdsSource(path)
  throw new FeedFormatError(`ไม่รู้จักแหล่งข้อมูล "${name}" ใช้ได้: ${FEED_FILE_SOURCES.join(', ')}`)
}

async function detectSource(path: string): Promise<FeedFileSource> {
  const bytes = await readUnpackedHead(path, HEAD_BYTES, { isHeader: isCgdHeader })
  const isJson = /^[\s\ufeff]*[[{]/.test(bytes.subarray(0, 64).toString('utf8'))
  const text = new TextDecoder(detectEncoding(bytes, { allowsLatin: isJson }))
    .decode(bytes, { stream: true })
    .trimStart()
  if (/<table[\s>]/i.test(text) || text.includes('urn:schemas-microsoft-com:office:spreadsheet'))
    throw new FeedFormatError(
      'บรรทัดที่ 1: เป็นตาราง HTML หรือ XML ที่ตั้งชื่อเป็น Excel เปิดด้วยโปรแกรมตาราง บันทึกเป็น .xlsx หรือ CSV UTF-8 แล้วนำเข้าไฟล์นั้น',
    )
  if (/^<(!doctype\s+html|html)/i.test(text))
    throw new FeedFormatError(`บรรทัดที่ 1: เป็นหน้าเว็บ HTML ไม่ใช่ข้อมูล (${titleOf(text)}) ลองดาวน์โหลดใหม่`)
  if (text.startsWith('<')) {
    if (/<rss[\s>]/.test(text)) return 'egp-rss'
    throw new FeedFormatError(`บรรทัดที่ 1: เป็น XML ที่ไม่ใช่ RSS ของ e-GP เห็น "${beginning(text)}"`)
  }
  if (text.startsWith('{') || text.startsWith('[')) return detectJsonSource(text)
  if (findCsvHeader(text, isCgdHeader) !== undefined || isCgdHeader(readFirstRow(text))) return 'cgd-csv'
  throw new FeedFormatError(
    `บรรทัดที่ 1: ไม่รู้ว่าเป็นไฟล์แบบใด ไม่พบคอลัมน์ รหัสโครงการ (project_id) เห็น "${beginning(text)}" ` +
      `ถ้ารู้ให้ระบุ --source ${FEED_FILE_SOURCES.join('|')}`,
  )
}

/** Detects the source by distinctive key names, because the document may be much longer than its head. */
function detectJsonSource(text: string): FeedFileSource {
  if (/"(releases|ocid)"\s*:/.test(text)) return 'ocds'
  // CKAN, on which data.go.th runs, names the rows of a table `records`.
  if (/"(result|param_obj|project_id|รหัสโครงการ|เลขที่โครงการ)"\s*:|"id"\s*:\s*"(project_id|รหัสโครงการ)"/.test(text))
    return 'cgd-json'
  if (/"records"\s*:/.test(text)) return 'ocds'
  // An error response of the API: `extractCgdProjects` reports its message.
  if (/"(code|status|msg)"\s*:/.test(text)) return 'cgd-json'
  throw new FeedFormatError(`บรรทัดที่ 1: JSON ที่ไม่ใช่ทั้ง OCDS และ CGD API เห็น "${beginning(text)}"`)
}

function readFirstRow(text: string): readonly string[] {
  const line = text.split('\n', 1)[0]!.trimEnd()
  try {
    return parse(line, { relax_quotes: true })[0] ?? []
  } catch {
    return line.split(',')
  }
}

const beginning = (text: string) => toQuarantinedText(cleanFeedText(text.slice(0, 80)))
const titleOf = (html: string) => cleanFeedText(/<title[^<>]*>([^<]*)/i.exec(html)?.[1] ?? 'ไม่มีชื่อหน้า')
