import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import { toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRow, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { type CsvRow, readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readUnpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'
import {
  type CgdLayout,
  type CgdRowAlignment,
  detectCgdRowAlignment,
  getPossibleCgdLayouts,
  isCgdHeader,
  toCgdCellsByField,
} from './cgd-columns.ts'
import { parseCgdProject } from './parse-cgd-project.ts'

/** Rows read ahead to detect the layout of the whole file, for rows whose own cells are inconclusive. */
const LAYOUT_SAMPLE_ROWS = 200

/**
 * Replacement character for undecodable bytes. It appears in three of 1.39 million published contract numbers: a
 * warning there, but a damaged title or department rejects the row.
 */
const REPLACEMENT_CHARACTER = '\ufffd'

type DataRow = CsvRow & { readonly columns: CgdLayout; readonly layout: CgdRowAlignment }

/**
 * Reads CGD contract tables: the data.go.th file (Thai header, shifted columns, swapped methods) or one with the API's
 * English names; plain, `.gz` or `.xz`; UTF-8 or windows-874. One row per contract.
 */
export function createCgdCsvSource(path: string): FeedSource {
  let share = 0
  const bytes = () =>
    readUnpackedBytes(path, {
      isHeader: isCgdHeader,
      onShare: (fraction) => {
        share = fraction
      },
    })
  return {
    name: 'cgd-csv',
    records: (resumeAfterLine) => readCgdTable(bytes(), resumeAfterLine),
    shareRead: () => share,
  }
}

/**
 * Like `createCgdCsvSource`, from unpacked bytes.
 * @throws FeedFormatError naming the line or byte when the data is not such a table.
 */
export async function* readCgdTable(
  bytes: AsyncIterable<Buffer>,
  resumeAfterLine: number,
): AsyncGenerator<FeedRow, void, undefined> {
  let layouts: ReadonlyMap<number, CgdLayout> | undefined
  let waiting: DataRow[] | undefined = []
  let usual: CgdRowAlignment = 'unclear'

  const widthsOf = (header: readonly string[]) =>
    new Set(isCgdHeader(header) ? getPossibleCgdLayouts(header).keys() : [])
  let notes: DataIssue[] = []
  const readNoted = (row: DataRow, layout: CgdRowAlignment): FeedRow => {
    const item = readRow(row, layout)
    if (notes.length === 0 || 'rejected' in item) return item
    const noted = { ...item, notes }
    notes = []
    return noted
  }
  const onSkipped = (lines: number) => {
    notes = [{ kind: 'file_layout', field: 'หัวตาราง', value: `ข้าม ${lines} บรรทัดเหนือหัวตาราง` }]
  }
  let rows = 0
  for await (const row of readCsvRows(readTextLines(bytes), { widthsOf, isHeader: isCgdHeader, onSkipped })) {
    if (layouts === undefined) {
      if (!('cells' in row)) throw new FeedFormatError(`บรรทัดที่ ${row.line}: อ่านหัวตารางไม่ได้ (${row.broken})`)
      layouts = getPossibleCgdLayouts(row.cells)
      continue
    }
    rows += 1
    const columns = ('cells' in row ? layouts.get(row.cells.length) : undefined) ?? [...layouts.values()][0]!
    const dataRow = {
      ...row,
      columns,
      layout: 'cells' in row ? detectCgdRowAlignment(row.cells, columns) : 'unclear',
    } as const
    if (waiting === undefined) {
      if (row.line > resumeAfterLine) yield readNoted(dataRow, usual)
      continue
    }
    waiting.push(dataRow)
    if (waiting.length < LAYOUT_SAMPLE_ROWS && columns.shifted !== undefined) continue
    usual = majorityLayout(waiting)
    for (const bufferedRow of waiting) if (bufferedRow.line > resumeAfterLine) yield readNoted(bufferedRow, usual)
    waiting = undefined
  }
  if (layouts === undefined) throw new FeedFormatError('บรรทัดที่ 1: ไฟล์ไม่มีหัวตาราง')
  // Reject a file without rows, because an empty load would look like success.
  if (rows === 0) throw new FeedFormatError('มีแต่หัวตาราง ไม่มีข้อมูลสักแถว ตรวจไฟล์แล้วดาวน์โหลดใหม่')
  usual = majorityLayout(waiting ?? [])
  for (const bufferedRow of waiting ?? []) if (bufferedRow.line > resumeAfterLine) yield readNoted(bufferedRow, usual)
}

function majorityLayout(rows: readonly DataRow[]): CgdRowAlignment {
  const shifted = rows.filter((row) => row.layout === 'shifted').length
  const straight = rows.filter((row) => row.layout === 'straight').length
  return shifted > straight ? 'shifted' : straight > shifted ? 'straight' : 'unclear'
}

function readRow(row: DataRow, usual: CgdRowAlignment): FeedRow {
  const { line, columns: layout } = row
  const reject = (reason: string): FeedRow => ({ line, rejected: { reason, raw: toQuarantinedText(row.raw) } })
  if (!('cells' in row)) return reject(row.broken)
  // Decoded text has no lone surrogates, so only NUL needs a check.
  if (row.raw.includes('\0')) return reject('มีอักขระ NUL ในแถว')
  const effectiveLayout = row.layout === 'unclear' ? usual : row.layout
  const columns =
    effectiveLayout === 'straight' ? layout.straight : effectiveLayout === 'shifted' ? layout.shifted : undefined
  if (columns === undefined) return reject('บอกไม่ได้ว่าคอลัมน์หลังจังหวัดเลื่อนไปสามช่องหรือไม่')
  try {
    const cells = toCgdCellsByField(row.cells, columns)
    const record = parseCgdProject(cells, [cells])
    const { name, deptName, deptSubName = '' } = record
    const names = `${name} ${deptName} ${deptSubName}`
    if (!row.raw.includes(REPLACEMENT_CHARACTER)) return { line, record }
    if (names.includes(REPLACEMENT_CHARACTER)) return reject('มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในชื่อโครงการหรือหน่วยงาน')
    const damaged: DataIssue = { kind: 'text_damaged', field: 'แถวข้อมูล', value: '' }
    return { line, record: { ...record, doubts: [...(record.doubts ?? []), damaged] } }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}
