import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import { writeCsv } from 'hucre/csv'
import { readOds } from 'hucre/ods'
import { readXls, readXlsx } from 'hucre/xlsx'
import { type Entry, fromBufferPromise } from 'yauzl'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { type IsTableHeaderFn, MAX_LINES_ABOVE_CSV_HEADER } from './csv-rows.ts'

/** Maximum size of a workbook, which is unpacked in memory. One with 300,000 contracts is 40 MB. */
const MAX_WORKBOOK_BYTES = 64 * 2 ** 20
/** Real workbooks unpack to 10 times their size; a higher ratio means a zip bomb. */
const MAX_SHEET_RATIO = 100
const MAX_SHEET_BYTES = 1024 * 2 ** 20

const OPEN_DOCUMENT_SHEET = 'application/vnd.oasis.opendocument.spreadsheet'
/** Name of the stream of an Excel file with a password, in UTF-16. */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le')
const SAVE_AS_CSV = 'เปิดด้วยโปรแกรมตาราง บันทึกเป็น CSV UTF-8 แล้วนำเข้าไฟล์นั้น'
const TOO_LARGE = `ไฟล์ Excel ใหญ่เกิน 64 MB ${SAVE_AS_CSV}`

/**
 * Yields the bytes of the only data file in a zip archive, or the rows of a workbook as UTF-8 CSV. The data file may be
 * packed itself.
 * @throws FeedFormatError when the archive has no or several data files (named in the message), or is encrypted,
 * damaged or too large.
 */
export async function* readZipContent(
  bytes: Buffer,
  isHeader?: IsTableHeaderFn,
): AsyncGenerator<Buffer, void, undefined> {
  const { entries, open } = await readEntries(bytes)
  if (entries.some((entry) => entry.fileName === '[Content_Types].xml')) {
    requireUnpackableSize(bytes, entries)
    if (!entries.some(({ fileName }) => fileName.startsWith('xl/')))
      throw new FeedFormatError(`เป็นเอกสาร Office ที่ไม่ใช่ตาราง Excel ${SAVE_AS_CSV}`)
    yield* workbookToCsv(() => readXlsx(bytes), isHeader)
    return
  }
  if (entries.some(({ fileName }) => fileName === 'content.xml') && bytes.includes(OPEN_DOCUMENT_SHEET)) {
    requireUnpackableSize(bytes, entries)
    yield* workbookToCsv(() => readOds(bytes), isHeader)
    return
  }
  const files = entries.filter(({ fileName }) => isDataFile(fileName))
  const [only] = files
  const names = files.map(({ fileName }) => fileName).slice(0, 5)
  if (only === undefined) throw new FeedFormatError('ไฟล์ zip ไม่มีไฟล์ข้อมูลอยู่ข้างใน')
  if (files.length > 1) throw new FeedFormatError(`ไฟล์ zip มีหลายไฟล์ (${names.join(', ')}) คลายไฟล์ก่อนแล้วนำเข้าทีละไฟล์`)
  if (only.isEncrypted()) throw new FeedFormatError('ไฟล์ zip ใส่รหัสผ่านไว้ คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน')
  if (!only.canDecodeFileData()) throw new FeedFormatError('ไฟล์ zip บีบอัดแบบที่อ่านไม่ได้ คลายไฟล์ก่อนแล้วนำเข้าไฟล์ข้างใน')
  for await (const chunk of await open(only)) yield chunk as Buffer
}

/**
 * Matches files that accompany the data in an archive: those of the operating system, and documents that explain the
 * data.
 */
const COMPANION =
  /(?:^|\/)(?:\.|__MACOSX\/|thumbs\.db$|desktop\.ini$|(?:read.?me|licen[cs]e|อ่านก่อน)[^/]*$)|\.(?:pdf|docx?|md|html?|png|jpe?g|url|lnk)$/i
const isDataFile = (name: string) => !name.endsWith('/') && !COMPANION.test(name)

async function readEntries(bytes: Buffer): Promise<{ entries: Entry[]; open: (entry: Entry) => Promise<Readable> }> {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true })
    const entries: Entry[] = []
    for await (const entry of archive.eachEntry()) {
      entries.push(entry)
      if (entries.length > 1_000) break
    }
    return { entries, open: async (entry) => await archive.openReadStreamPromise(entry) }
  } catch (error) {
    throw new FeedFormatError(`ไฟล์ zip เสียหายหรือดาวน์โหลดไม่ครบ (${messageOf(error)}) ดาวน์โหลดใหม่`, { cause: error })
  }
}

function requireUnpackableSize(bytes: Buffer, entries: readonly Entry[]): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (bytes.length > MAX_WORKBOOK_BYTES || unpacked > MAX_SHEET_BYTES) throw new FeedFormatError(TOO_LARGE)
  if (unpacked > 64 * 2 ** 20 && unpacked > bytes.length * MAX_SHEET_RATIO)
    throw new FeedFormatError(`ไฟล์ Excel คลายแล้วใหญ่กว่าเดิมเกิน ${MAX_SHEET_RATIO} เท่า จึงไม่อ่านต่อ`)
}

export async function* readXlsContent(
  bytes: Buffer,
  isHeader?: IsTableHeaderFn,
): AsyncGenerator<Buffer, void, undefined> {
  if (bytes.length > MAX_WORKBOOK_BYTES) throw new FeedFormatError(TOO_LARGE)
  if (bytes.includes(ENCRYPTED_STREAM))
    throw new FeedFormatError('ไฟล์ Excel ใส่รหัสผ่านไว้ เปิดแล้วบันทึกใหม่โดยไม่ใส่รหัสผ่าน หรือบันทึกเป็น CSV UTF-8')
  yield* workbookToCsv(async () => await readXls(bytes), isHeader)
}

type Cell = string | number | boolean | Date | null | undefined
type Sheet = {
  readonly rows: readonly (readonly Cell[])[]
  readonly hidden?: boolean | undefined
  readonly veryHidden?: boolean | undefined
}
type Table = { readonly rows: Sheet['rows']; readonly header: readonly string[]; readonly firstRow: number }

const ROWS_PER_CHUNK = 500
const byRowCountDescending = (a: Pick<Sheet, 'rows'>, b: Pick<Sheet, 'rows'>) => b.rows.length - a.rows.length

function tablesOf(sheets: readonly Sheet[], isHeader: IsTableHeaderFn): Table[] {
  return sheets.flatMap(({ rows }) => {
    const headers = rows.slice(0, MAX_LINES_ABOVE_CSV_HEADER).map((row) => row.map((cell) => cellText(cell).trim()))
    const at = headers.findIndex((header) => header.length > 1 && isHeader(header))
    return at < 0 ? [] : [{ rows, header: headers[at]!, firstRow: at + 1 }]
  })
}

/**
 * Returns the rows of a table with their cells in the column order of `main`; no rows if the table lacks one of its
 * columns.
 */
function rowsInOrderOf(main: Table, { rows, header, firstRow }: Table): Sheet['rows'] {
  if (!main.header.every((name) => name === '' || header.includes(name))) return []
  const indexes = main.header.map((name) => (name === '' ? -1 : header.indexOf(name)))
  return rows.slice(firstRow).map((row) => indexes.map((index) => row[index]))
}

/**
 * Returns the rows of the largest sheet with the header, followed by those of other sheets with the same columns, such
 * as one per month. Hidden sheets count only if no visible one has the header; many hold lists for the cells to choose
 * from, or an older copy.
 */
function rowsToRead(sheets: readonly Sheet[], isHeader: IsTableHeaderFn): Sheet['rows'] {
  const visible = sheets.filter(({ hidden, veryHidden }) => !hidden && !veryHidden)
  const visibleTables = tablesOf(visible, isHeader)
  const tables = (visibleTables.length > 0 ? visibleTables : tablesOf(sheets, isHeader)).toSorted(byRowCountDescending)
  const [main, ...others] = tables
  if (main === undefined) return (visible.length > 0 ? visible : sheets).toSorted(byRowCountDescending)[0]?.rows ?? []
  return [...main.rows, ...others.flatMap((table) => rowsInOrderOf(main, table))]
}

async function* workbookToCsv(
  readSheets: () => Promise<{ readonly sheets: readonly Sheet[] }>,
  isHeader: IsTableHeaderFn = () => false,
): AsyncGenerator<Buffer, void, undefined> {
  let sheets: readonly Sheet[]
  try {
    ;({ sheets } = await readSheets())
  } catch (error) {
    throw new FeedFormatError(`อ่านไฟล์ Excel ไม่ได้ (${messageOf(error)}) ${SAVE_AS_CSV}`, { cause: error })
  }
  const rows = rowsToRead(sheets, isHeader)
  if (rows.length === 0) throw new FeedFormatError('ไฟล์ Excel ไม่มีข้อมูลสักแถว')
  const width = Math.max(...[0], ...rows.slice(0, 50).map((row) => row.length))
  for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
    const texts = rows.slice(from, from + ROWS_PER_CHUNK).map((row) => toCellTexts(row, width))
    yield Buffer.from(`${writeCsv(texts, { lineSeparator: '\n' })}\n`)
  }
}

/** Workbooks omit trailing empty cells, so rows are padded to `width`. An empty row becomes a blank line. */
function toCellTexts(row: readonly Cell[], width: number): string[] {
  const texts = Array.from({ length: Math.max(width, row.length) }, (_, at) => cellText(row[at]))
  return texts.every((text) => text.trim() === '') ? [''] : texts
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return ''
    const iso = cell.toISOString()
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19)
  }
  // Replace line breaks, which would end the CSV row.
  return String(cell).replace(/[\r\n]+/g, ' ')
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
