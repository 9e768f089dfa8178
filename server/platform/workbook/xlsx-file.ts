import { setImmediate as nextTick } from 'node:timers/promises'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import {
  CELL_STYLE_IDS,
  escapeXmlText,
  renderSheetCell,
  renderTextCell,
  type SheetColumn,
  type SheetRow,
  toColumnLetters,
  WORKBOOK_STYLES_XML,
} from './sheet-xml.ts'
import { streamZipFile, type ZipEntry } from './stream-zip-file.ts'

export type TableSheet = {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly pages: AsyncIterable<readonly SheetRow[]>
  /** A function is called after the last row, for a note that is known only then. */
  readonly note: string | undefined | (() => Promise<string | undefined>)
}

type AboutSheet = {
  readonly aboutName: string
  readonly about: readonly (readonly [name: string, value: string])[]
}

export type Workbook = TableSheet & AboutSheet

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_ML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export async function* yieldSinglePage(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  yield rows
}

/** Rows converted before yielding to the event loop: about 10 ms of work. */
const ROWS_PER_TURN = 250

export async function* toSheetRowPages<T>(
  records: readonly T[],
  rowOf: (record: T) => SheetRow,
): AsyncGenerator<readonly SheetRow[]> {
  for (const page of splitIntoSlices(records, ROWS_PER_TURN)) {
    await nextTick()
    yield page.map(rowOf)
  }
}

export async function* mapRowPages<T>(
  pages: AsyncIterable<readonly T[]>,
  rowOf: (record: T) => SheetRow,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const page of pages) yield page.map(rowOf)
}

/**
 * Streams a workbook with a table and an about sheet; only the current page is in memory. Written here because the
 * available libraries stream a single sheet and lack `quotePrefix` and filter rows. Strings are inline, because a
 * shared string table would have to be in memory.
 */
export function writeSingleTableWorkbook({ aboutName, about, ...table }: Workbook): AsyncGenerator<Buffer> {
  return writeWorkbook({ tables: [table], aboutName, about })
}

export function writeWorkbook(
  workbook: AboutSheet & { readonly tables: readonly TableSheet[] },
): AsyncGenerator<Buffer> {
  return streamZipFile(workbookEntries(workbook))
}

async function* workbookEntries({
  tables,
  aboutName,
  about,
}: AboutSheet & { readonly tables: readonly TableSheet[] }): AsyncGenerator<ZipEntry> {
  const sheets = [...tables.map(({ sheetName }) => sheetName), aboutName]
  const numbers = sheets.map((_, i) => i + 1)
  yield {
    path: '[Content_Types].xml',
    text: [
      XML,
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_ML}.sheet.main+xml"/>`,
      ...numbers.map(
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SHEET_ML}.worksheet+xml"/>`,
      ),
      `<Override PartName="/xl/styles.xml" ContentType="${SHEET_ML}.styles+xml"/></Types>`,
    ],
  }
  yield {
    path: '_rels/.rels',
    text: [
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
  }
  yield {
    path: 'xl/_rels/workbook.xml.rels',
    text: [
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">`,
      ...numbers.map(
        (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ),
      `<Relationship Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
  }
  yield { path: 'xl/styles.xml', text: WORKBOOK_STYLES_XML }
  const rows: number[] = []
  for (const [i, table] of tables.entries()) {
    yield {
      path: `xl/worksheets/sheet${i + 1}.xml`,
      text: tableSheet(table, i === 0, (rowCount) => {
        rows[i] = rowCount
      }),
    }
  }
  yield { path: `xl/worksheets/sheet${sheets.length}.xml`, text: aboutSheet(about) }
  const names = tables.flatMap(({ sheetName, columns }, i) => {
    const range = `'${sheetName}'!$A$1:$${toColumnLetters(columns.length - 1)}$${rows[i]! + 1}`
    return [
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${escapeXmlText(range)}</definedName>`,
      `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">'${escapeXmlText(sheetName)}'!$1:$1</definedName>`,
    ]
  })
  yield {
    path: 'xl/workbook.xml',
    text: [
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>`,
      ...sheets.map((name, i) => `<sheet name="${escapeXmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`),
      '</sheets><definedNames>',
      ...names,
      '</definedNames></workbook>',
    ],
  }
}

const columnWidths = (widths: readonly number[]) =>
  `<cols>${widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>`

async function* tableSheet(
  { columns, pages, note }: TableSheet,
  isFirst: boolean,
  onEnd: (rows: number) => void,
): AsyncGenerator<string> {
  const letters = columns.map((_, i) => toColumnLetters(i))
  yield [
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>',
    '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>',
    columnWidths(columns.map(({ width }) => width)),
    '<sheetData><row r="1" ht="30" customHeight="1">',
    ...columns.map(({ title }, i) => renderTextCell(`${letters[i]}1`, title, CELL_STYLE_IDS.header)),
    '</row>',
  ].join('')
  let rowCount = 0
  for await (const page of pages) {
    let xml = ''
    for (const row of page) {
      rowCount += 1
      const number = rowCount + 1
      xml += `<row r="${number}">`
      for (const [i, { kind }] of columns.entries())
        xml += renderSheetCell(`${letters[i]}${number}`, kind, row[i] ?? null)
      xml += '</row>'
    }
    yield xml
  }
  onEnd(rowCount)
  const noteText = typeof note === 'function' ? await note() : note
  const noteRow =
    noteText === undefined
      ? ''
      : `<row r="${rowCount + 2}">${renderTextCell(`A${rowCount + 2}`, noteText, CELL_STYLE_IDS.label)}</row>`
  yield `${noteRow}</sheetData><autoFilter ref="A1:${letters.at(-1)}${rowCount + 1}"/><pageSetup paperSize="9" orientation="landscape"/></worksheet>`
}

function* aboutXml(about: Workbook['about']): Generator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetFormatPr defaultRowHeight="15"/>${columnWidths([24, 90])}<sheetData>`
  for (const [i, [name, value]] of about.entries()) {
    const number = i + 1
    yield `<row r="${number}">${renderTextCell(`A${number}`, name, CELL_STYLE_IDS.label)}${renderTextCell(`B${number}`, value, CELL_STYLE_IDS.wrapped)}</row>`
  }
  yield '</sheetData></worksheet>'
}

const aboutSheet = (about: Workbook['about']) => [...aboutXml(about)]
