import { parse } from 'csv-parse/sync'
import type { TextLine } from './text-lines.ts'

/** One row of a table: the line it starts on, its text as read, and its cells, or why it has none. */
export type CsvRow =
  | { readonly line: number; readonly raw: string; readonly cells: readonly string[] }
  | { readonly line: number; readonly raw: string; readonly broken: string }

/** A quoted field of a real row runs over at most a few lines. A quote that stays open longer is a stray one. */
const MAX_LINES = 50

/**
 * Rows of comma-separated lines. A quoted field may run over several lines. A stray quote costs only its own line: when the
 * row that it opens does not close within 50 lines, or closes with another number of cells than the first row has, the first line alone
 * is broken and reading goes on with the next one.
 *
 * csv-parse reads the rows whose quotes are not as they should be; it is not given the stream, because after one unclosed quote it has no way back.
 *
 * `widthsOf`: how many cells a row may have by the first one; default: as many as that.
 */
export async function* csvRows(
  lines: AsyncIterable<TextLine>,
  widthsOf?: (header: readonly string[]) => ReadonlySet<number>,
): AsyncGenerator<CsvRow, void, undefined> {
  let expected: number | undefined
  let widths: ReadonlySet<number> | undefined
  const accept = (line: number, raw: string, cells: readonly string[]): CsvRow => {
    if (expected === undefined) widths = widthsOf?.(cells)
    expected ??= cells.length
    if (cells.length === expected || widths?.has(cells.length)) return { line, raw, cells }
    return { line, raw, broken: `มี ${cells.length} คอลัมน์ แต่หัวตารางมี ${expected} คอลัมน์` }
  }
  // Lines of a row whose quote is still open; they are read again one by one when it turns out to be stray.
  let open: TextLine[] = []

  function* closed(isEnd: boolean): Generator<CsvRow, void, undefined> {
    while (open.length > 0) {
      const end = closingLine(open)
      if (end === undefined && open.length < MAX_LINES && !isEnd) return
      const first = open[0]!
      if (end === 0 && first.text.trim() === '') {
        open = open.slice(1)
        continue
      }
      const row = end === undefined ? undefined : readRow(open.slice(0, end + 1), accept)
      if (row !== undefined && end !== undefined && (end === 0 || 'cells' in row)) {
        yield row
        open = open.slice(end + 1)
      } else {
        const broken = end === undefined ? 'เครื่องหมายคำพูดเปิดแล้วไม่ปิด' : 'เครื่องหมายคำพูดไม่ครบคู่ ทำให้จำนวนคอลัมน์ไม่ตรง'
        yield { line: first.number, raw: first.text, broken }
        open = open.slice(1)
      }
    }
  }

  for await (const line of lines) {
    if (open.length === 0 && !line.text.includes('"')) {
      // Nine rows in ten; an empty line is no row.
      if (line.text.trim() !== '') yield accept(line.number, line.text, line.text.split(','))
      continue
    }
    open.push(line)
    yield* closed(false)
  }
  yield* closed(true)
}

/** Index of the line at whose end no quote is open; undefined while one is. */
function closingLine(lines: readonly TextLine[]): number | undefined {
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    isOpen = quoteOpenAfter(line.text, isOpen)
    if (!isOpen) return index
  }
  return undefined
}

/** A quote opens a field only at the field's beginning; inside an unquoted field it is a character like any other. */
function quoteOpenAfter(text: string, wasOpen: boolean): boolean {
  let isOpen = wasOpen
  let atStart = !wasOpen
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isOpen) {
      if (character !== '"') continue
      if (text[index + 1] === '"') index += 1
      else isOpen = false
    } else if (character === '"' && atStart) isOpen = true
    atStart = !isOpen && character === ','
  }
  return isOpen
}

function readRow(
  lines: readonly TextLine[],
  accept: (line: number, raw: string, cells: readonly string[]) => CsvRow,
): CsvRow {
  const first = lines[0]!.number
  const raw = lines.map((line) => line.text).join('\n')
  const cells = wellFormedCells(raw)
  if (cells !== undefined) return accept(first, raw, cells)
  // Over several lines nothing is forgiven: a stray quote would make one row of many.
  if (lines.length > 1) return { line: first, raw, broken: 'เครื่องหมายคำพูดไม่ครบคู่' }
  try {
    const rows = parse(raw, { relax_quotes: true, relax_column_count: true, record_delimiter: '\n' })
    const loose = rows.length === 1 ? rows[0] : undefined
    if (loose === undefined) return { line: first, raw, broken: 'เครื่องหมายคำพูดไม่ครบคู่' }
    return accept(first, raw, loose)
  } catch (error) {
    return { line: first, raw, broken: `อ่านแถวไม่ได้ (${error instanceof Error ? error.message : String(error)})` }
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy

/** Cells of a row that keeps to RFC 4180; undefined when it does not. csv-parse takes 100 µs to set itself up for a row. */
function wellFormedCells(raw: string): string[] | undefined {
  const cells: string[] = []
  CELL.lastIndex = 0
  for (let cell = CELL.exec(raw); cell !== null; cell = CELL.exec(raw)) {
    cells.push(cell[1] === undefined ? cell[2]! : cell[1].replaceAll('""', '"'))
    if (cell[3] === '') return CELL.lastIndex === raw.length ? cells : undefined
  }
  return undefined
}
