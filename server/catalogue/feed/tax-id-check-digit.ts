import { hasValidThaiIdCheckDigit, parseTaxId } from '#contract/catalogue/natural-person.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { type FeedCell, type LenientFieldReader, parseTextCell } from './feed-field.ts'

const THIRTEEN_DIGITS = /^\d{13}$/

/**
 * Verifies the check digit of a 13-digit Thai tax id. It is valid for 694,787 of 694,790 real ids, so a failure is worth
 * a warning, never a rejection. Masked ids of natural persons (`330960000xxxx`) and consortium ids (`D888888888001`)
 * have no check digit and pass.
 */
export const hasValidTaxIdCheckDigit = (taxId: string): boolean =>
  !THIRTEEN_DIGITS.test(taxId) || hasValidThaiIdCheckDigit(taxId)

const TIN_FIELD = 'เลขนิติบุคคล'

/**
 * Reads a tax id. One that a spreadsheet damaged or a clerk wrote among other signs ("0105546135262-00000") is repaired
 * with a doubt if its check digit holds; ids of people stay as written, for `redact-personal-data.ts`.
 */
export function readTaxIdCell(cell: FeedCell, fields: LenientFieldReader): string | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return undefined
  const reading = parseTaxId(text)
  if (reading.kind === 'none') return undefined
  if (reading.kind === 'person') return text
  if (reading.kind === 'unreadable') {
    const [embedded, ...others] = new Set(toArabicDigits(text).match(/(?<!\d)0\d{12}(?!\d)/g) ?? [])
    if (embedded !== undefined && others.length === 0 && hasValidThaiIdCheckDigit(embedded)) {
      fields.add('tax_id_repaired', TIN_FIELD, `${text} → ${embedded}`)
      return embedded
    }
    fields.add('tax_id_unreadable', TIN_FIELD, text)
    return undefined
  }
  if (!hasValidTaxIdCheckDigit(reading.id)) fields.add('tax_id_check_digit', TIN_FIELD, text)
  else if (reading.id !== text && (reading.isRepaired || /[^\d\s-]/.test(text)))
    fields.add('tax_id_repaired', TIN_FIELD, `${text} → ${reading.id}`)
  return reading.id
}
