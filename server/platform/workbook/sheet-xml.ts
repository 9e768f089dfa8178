import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { looksLikeSpreadsheetFormula } from '#contract/spreadsheet-formula.ts'

/**
 * `money`, `count`, `rate` (0.1 is 10 %), `date` (ISO) and `code` (digits that are not a number) are typed cells;
 * everything else is `text`.
 */
export type SheetColumnKind = 'text' | 'code' | 'money' | 'count' | 'rate' | 'date'
export type SheetColumn = { readonly title: string; readonly kind: SheetColumnKind; readonly width: number }
/** Creates a column. `width`: in characters, as in Excel. */
export const createSheetColumn = (title: string, kind: SheetColumnKind, width = 16): SheetColumn => ({
  title,
  kind,
  width,
})

export type SheetValue = string | number | null
export type SheetRow = readonly SheetValue[]

/** Excel's maximum text length per cell, in UTF-16 units. */
const MAX_TEXT = 32_767
const DAY_MS = 86_400_000
/** Day 0 of Excel's calendar; with it, dates from March 1900 on are correct. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const FIRST_CORRECT_DAY = '1900-03-01'

/**
 * Characters that XML 1.0 forbids: control characters except tab, line feed, carriage return, DEL and U+0080 to U+009F;
 * unpaired surrogates, U+FFFE and U+FFFF.
 */
const ILLEGAL = /(?![\t\n\r\u007F-\u009F])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu
const MARKUP = /[&<>"]/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Excel reads `_x0041_` in a cell as an escaped character, so escape a literal underscore. */
const EXCEL_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g

/** Matches text that needs escaping. Nearly every cell needs none, and one test costs a third of four replacements. */
const SPECIAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: `\p{Cc}` needs the u flag, which makes this test 4 times as slow
  /[\u0000-\u0008\u000B-\u001F&<>"_\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF\uFFFE\uFFFF]/

export const stripIllegalXml = (text: string) => stripDirectionMarks(text).replace(ILLEGAL, '')

export function escapeXmlText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return stripIllegalXml(text)
    .replace(EXCEL_ESCAPE, '_x005F_')
    .replace(/\r\n?/g, '\n')
    .replace(MARKUP, (mark) => ENTITIES[mark]!)
}

export const CELL_STYLE_IDS = {
  header: 1,
  text: 2,
  quoted: 3,
  code: 4,
  date: 5,
  money: 6,
  label: 7,
  wrapped: 8,
  count: 9,
  rate: 10,
} as const

const font = (bold: boolean, colour: string) =>
  `<font>${bold ? '<b/>' : ''}<sz val="10"/><color rgb="${colour}"/><name val="Tahoma"/><family val="2"/></font>`
const style = (format: number, fontId = 0, attributes = '', children = '') =>
  `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fontId === 1 ? 2 : 0}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"${attributes}${children === '' ? '/>' : `>${children}</xf>`}`
const TOP = '<alignment vertical="top"/>'
const WRAPPED = '<alignment vertical="top" wrapText="1"/>'
/**
 * Excel's own format for dates such as "21 พ.ย. 2569": 01 Arabic digits, 07 Buddhist calendar, 041E Thai. The cell
 * remains a date that sorts and filters.
 */
const BUDDHIST_DATE = '[$-107041E]d mmm yyyy;@'

/**
 * Styles of a workbook. Every version of Office has Tahoma, which includes Thai. `quotePrefix` is Excel's
 * leading apostrophe: the cell stays text when it is edited.
 */
export const WORKBOOK_STYLES_XML = [
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="1"><numFmt numFmtId="164" formatCode="${BUDDHIST_DATE}"/></numFmts>`,
  `<fonts count="3">${font(false, 'FF1F2933')}${font(true, 'FFFFFFFF')}${font(true, 'FF1F2933')}</fonts>`,
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FF1F4E79"/><bgColor indexed="64"/></patternFill></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="11">',
  style(0),
  style(0, 1, ' applyAlignment="1"', '<alignment vertical="center" wrapText="1"/>'),
  style(0, 0, ' applyAlignment="1"', TOP),
  style(0, 0, ' quotePrefix="1" applyAlignment="1"', TOP),
  style(49, 0, ' applyAlignment="1"', TOP),
  style(164, 0, ' applyAlignment="1"', TOP),
  style(4, 0, ' applyAlignment="1"', TOP),
  style(0, 2, ' applyAlignment="1"', TOP),
  style(0, 0, ' quotePrefix="1" applyAlignment="1"', WRAPPED),
  style(3, 0, ' applyAlignment="1"', TOP),
  style(10, 0, ' applyAlignment="1"', TOP),
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
] as const

/** Converts a zero-based column index to letters: `A`, `Z`, `AA`. */
export function toColumnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : toColumnLetters(Math.floor(index / 26) - 1) + last
}

/** Returns a text cell, which Excel never treats as a formula, whatever the text starts with. */
export function renderTextCell(ref: string, text: string, styleId: number): string {
  return `<c r="${ref}" s="${styleId}" t="inlineStr"><is><t xml:space="preserve">${escapeXmlText(text.slice(0, MAX_TEXT))}</t></is></c>`
}

const numberCell = (ref: string, value: number, styled: number) => `<c r="${ref}" s="${styled}"><v>${value}</v></c>`

const numberStyle = (kind: SheetColumnKind) =>
  kind === 'count' || kind === 'rate' ? CELL_STYLE_IDS[kind] : CELL_STYLE_IDS.money

export function renderSheetCell(ref: string, kind: SheetColumnKind, value: SheetValue): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return Number.isFinite(value) ? numberCell(ref, value, numberStyle(kind)) : ''
  const day = kind === 'date' && value >= FIRST_CORRECT_DAY ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(day)) return numberCell(ref, (day - DAY_ZERO) / DAY_MS, CELL_STYLE_IDS.date)
  return renderTextCell(
    ref,
    value,
    looksLikeSpreadsheetFormula(value)
      ? CELL_STYLE_IDS.quoted
      : kind === 'code'
        ? CELL_STYLE_IDS.code
        : CELL_STYLE_IDS.text,
  )
}
