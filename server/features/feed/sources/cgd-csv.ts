import { rawForQuarantine } from '../clean-text.ts'
import { FieldError } from '../feed-field.ts'
import { FeedFormatError, type FeedItem, type FeedSource } from '../feed-source.ts'
import { type CsvRow, csvRows } from '../file/csv-rows.ts'
import { unpackedBytes } from '../file/feed-file.ts'
import { textLines } from '../file/text-lines.ts'
import {
  type CgdLayout,
  type CgdRowLayout,
  cellsByField,
  cgdLayouts,
  looksLikeCgdHeader,
  rowLayout,
} from './cgd-columns.ts'
import { readCgdProject } from './cgd-row.ts'

/** Rows read ahead to learn how the file as a whole is laid out, for rows that do not show it themselves. */
const SAMPLE_ROWS = 200

/**
 * Stands for bytes that are no character. Three of 1.39 million real contract numbers were published with it: that is worth
 * a warning, a damaged title or department the row.
 */
const UNREADABLE = '\ufffd'

type DataRow = CsvRow & { readonly columns: CgdLayout; readonly layout: CgdRowLayout }

/**
 * CGD contract data as a table: the file of data.go.th (Thai header, columns shifted and methods swapped) or one with the
 * English names of the API; plain, `.gz` or `.xz`; UTF-8 or windows-874. One row is one contract.
 */
export function cgdCsvSource(path: string): FeedSource {
  let share = 0
  const bytes = () =>
    unpackedBytes(path, (now) => {
      share = now
    })
  return {
    name: 'cgd-csv',
    records: (resumeAfterLine) => readTable(bytes(), resumeAfterLine),
    shareRead: () => share,
  }
}

/** The same from bytes that are unpacked already. @throws FeedFormatError naming line or byte when it is no such table. */
export async function* readTable(
  bytes: AsyncIterable<Buffer>,
  resumeAfterLine: number,
): AsyncGenerator<FeedItem, void, undefined> {
  let layouts: ReadonlyMap<number, CgdLayout> | undefined
  // Rows wait here until one of them, or the sample as a whole, shows the layout of the file.
  let waiting: DataRow[] | undefined = []
  let usual: CgdRowLayout = 'unclear'

  const widthsOf = (header: readonly string[]) => new Set(looksLikeCgdHeader(header) ? cgdLayouts(header).keys() : [])
  for await (const row of csvRows(textLines(bytes), widthsOf)) {
    if (layouts === undefined) {
      if (!('cells' in row)) throw new FeedFormatError(`บรรทัดที่ ${row.line}: อ่านหัวตารางไม่ได้ (${row.broken})`)
      layouts = cgdLayouts(row.cells)
      continue
    }
    const columns = ('cells' in row ? layouts.get(row.cells.length) : undefined) ?? [...layouts.values()][0]!
    const dataRow = { ...row, columns, layout: 'cells' in row ? rowLayout(row.cells, columns) : 'unclear' } as const
    if (waiting === undefined) {
      if (row.line > resumeAfterLine) yield readRow(dataRow, usual)
      continue
    }
    waiting.push(dataRow)
    if (waiting.length < SAMPLE_ROWS && columns.shifted !== undefined) continue
    usual = majority(waiting)
    for (const early of waiting) if (early.line > resumeAfterLine) yield readRow(early, usual)
    waiting = undefined
  }
  if (layouts === undefined) throw new FeedFormatError('บรรทัดที่ 1: ไฟล์ไม่มีหัวตาราง')
  usual = majority(waiting ?? [])
  for (const early of waiting ?? []) if (early.line > resumeAfterLine) yield readRow(early, usual)
}

function majority(rows: readonly DataRow[]): CgdRowLayout {
  const shifted = rows.filter((row) => row.layout === 'shifted').length
  const straight = rows.filter((row) => row.layout === 'straight').length
  return shifted > straight ? 'shifted' : straight > shifted ? 'straight' : 'unclear'
}

function readRow(row: DataRow, usual: CgdRowLayout): FeedItem {
  const { line, columns: layout } = row
  const reject = (reason: string): FeedItem => ({ line, rejected: { reason, raw: rawForQuarantine(row.raw) } })
  if (!('cells' in row)) return reject(row.broken)
  // Decoded text holds no halves of surrogate pairs, so NUL is all that cannot be stored.
  if (row.raw.includes('\0')) return reject('มีอักขระ NUL ในแถว')
  const found = row.layout === 'unclear' ? usual : row.layout
  const columns = found === 'straight' ? layout.straight : found === 'shifted' ? layout.shifted : undefined
  if (columns === undefined) return reject('บอกไม่ได้ว่าคอลัมน์หลังจังหวัดเลื่อนไปสามช่องหรือไม่')
  try {
    const cells = cellsByField(row.cells, columns)
    const read = readCgdProject(cells, [cells])
    if (!row.raw.includes(UNREADABLE)) return { line, ...read }
    const { name, deptName, deptSubName = '' } = read.record
    if (`${name}${deptName}${deptSubName}`.includes(UNREADABLE))
      return reject('มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในชื่อโครงการหรือหน่วยงาน')
    return { line, record: read.record, warnings: [...read.warnings, 'มีตัวอักษรเสียในแถว'] }
  } catch (error) {
    if (error instanceof FieldError) return reject(error.message)
    throw error
  }
}
