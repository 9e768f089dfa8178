import type { Buffer } from 'node:buffer'
import { MAX_REPORT_CARD_NAME_LENGTH, parseReportCardPoints } from '#contract/account/report-card.ts'
import { hasValidThaiIdCheckDigit, parseTaxId } from '#contract/catalogue/natural-person.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'
import type { StoredReportCardEntry } from './queries.ts'

export type ReportCardFile = {
  readonly cards: readonly StoredReportCardEntry[]
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
  readonly hasHeader: boolean
}

type Column = 'taxId' | 'name' | 'points' | 'until'
const COLUMN_WORDS: Readonly<Record<Column, readonly string[]>> = {
  taxId: ['เลขประจำตัวผู้เสียภาษี', 'เลขผู้เสียภาษี', 'เลขนิติบุคคล', 'taxid', 'tax_id', 'tin'],
  name: ['ชื่อ', 'name', 'บริษัท'],
  points: ['แต้ม', 'คะแนน', 'points'],
  until: ['พักสิทธิถึง', 'ถึงวันที่', 'สิ้นสุด', 'suspended_until', 'until'],
}
export const REPORT_CARD_HEADER = 'เลขผู้เสียภาษี,ชื่อ,แต้ม,พักสิทธิถึง'

function columnsOf(header: readonly string[]): Partial<Record<Column, number>> {
  const names = header.map((cell) => normaliseThai(cell).replace(/\s/g, '').toLowerCase())
  const indexOf = (column: Column) =>
    names.findIndex((name) => COLUMN_WORDS[column].some((word) => name.includes(word)))
  const indexes = (Object.keys(COLUMN_WORDS) as Column[]).map((column) => [column, indexOf(column)] as const)
  return Object.fromEntries(indexes.filter(([, index]) => index !== -1))
}

const isHeader = (cells: readonly string[]) => {
  const { taxId, points, until } = columnsOf(cells)
  return taxId !== undefined && (points !== undefined || until !== undefined)
}

/** Returns the values of a row, or why it cannot be used. A reason never repeats an id, which may be a person's. */
function readRow(
  cells: readonly string[],
  columns: Partial<Record<Column, number>>,
  today: string,
): StoredReportCardEntry | string {
  const cellOf = (column: Column) => (columns[column] === undefined ? '' : (cells[columns[column]] ?? '').trim())
  const parsed = parseTaxId(cellOf('taxId'))
  if (parsed.kind === 'person') return 'เป็นเลขของบุคคลธรรมดา ระบบไม่เก็บเลขบุคคล'
  if (parsed.kind === 'none') return 'ไม่มีเลขผู้เสียภาษี'
  if (parsed.kind === 'unreadable') return 'อ่านเลขผู้เสียภาษีไม่ได้ ต้องมี 13 หลัก'
  if (/^0/.test(parsed.id) && !hasValidThaiIdCheckDigit(parsed.id)) return 'เลขผู้เสียภาษีพิมพ์ผิด หลักสุดท้ายไม่ตรง'
  const points = parseReportCardPoints(
    normaliseThai(cellOf('points'))
      .replaceAll(',', '')
      .replace(/(?:\.0+)?(?:แต้ม|คะแนน)?$/, ''),
  )
  if (points === undefined) return 'แต้มต้องเป็นเลขจำนวนเต็มที่ไม่ติดลบ'
  const untilText = cellOf('until')
  const until = untilText === '' || untilText === '-' ? null : parseThaiDate(untilText, today)
  if (until && !until.ok) return `วันพักสิทธิ: ${until.message}`
  if (until && until.bound !== until.iso) return 'วันพักสิทธิต้องเป็นวันที่ เช่น 12/1/2570'
  if (points === null && until === null) return 'ไม่มีทั้งแต้มและวันพักสิทธิ'
  const name = cellOf('name').slice(0, MAX_REPORT_CARD_NAME_LENGTH) || parsed.id
  return { tax_id: parsed.id, name, points, suspended_until: until ? until.iso : null }
}

/**
 * Reads a CSV file of contractors. Each line below the header is a card or a problem with its line number, so that
 * nothing is dropped silently; a company that occurs again is a problem, because only the user knows which line is right.
 * @throws FeedFormatError for an unreadable encoding or a line without end.
 */
export async function readReportCardFile(file: Buffer, today: string): Promise<ReportCardFile> {
  const cards: StoredReportCardEntry[] = []
  const problems: { line: number; reason: string }[] = []
  const lineOf = new Map<string, number>()
  let columns: Partial<Record<Column, number>> | undefined
  async function* bytes() {
    yield file
  }
  for await (const row of readCsvRows(readTextLines(bytes(), { allowsLatin: true }), { isHeader })) {
    if ('broken' in row) {
      problems.push({ line: row.line, reason: row.broken })
      continue
    }
    if (columns === undefined) {
      if (!isHeader(row.cells)) return { cards: [], problems: [], hasHeader: false }
      columns = columnsOf(row.cells)
      continue
    }
    if (row.cells.every((cell) => cell.trim() === '')) continue
    const read = readRow(row.cells, columns, today)
    if (typeof read === 'string') {
      problems.push({ line: row.line, reason: read })
      continue
    }
    const earlier = lineOf.get(read.tax_id)
    if (earlier !== undefined) {
      problems.push({ line: row.line, reason: `บริษัทเดียวกับบรรทัดที่ ${earlier} ใช้บรรทัดนั้น` })
      continue
    }
    lineOf.set(read.tax_id, row.line)
    cards.push(read)
  }
  return { cards, problems, hasHeader: columns !== undefined }
}
