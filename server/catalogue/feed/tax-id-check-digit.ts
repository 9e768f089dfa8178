import { isPersonId, parseTaxId } from '#contract/catalogue/natural-person.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { type FeedCell, type LenientFieldReader, parseTextCell } from './feed-field.ts'

const THIRTEEN_DIGITS = /^\d{13}$/

/**
 * Verifies the check digit of a 13-digit Thai tax id: (11 - sum(d[i] * (13 - i)) mod 11) mod 10. It is valid for
 * 694,787 of 694,790 real ids, so a failure is worth a warning, never a rejection. Masked ids of natural persons
 * (`330960000xxxx`) and consortium ids (`D888888888001`) have no check digit and pass.
 */
export function hasValidTaxIdCheckDigit(taxId: string): boolean {
  if (!THIRTEEN_DIGITS.test(taxId)) return true
  let sum = 0
  for (let index = 0; index < 12; index += 1) sum += Number(taxId[index]) * (13 - index)
  return (11 - (sum % 11)) % 10 === Number(taxId[12])
}

const TIN_FIELD = 'เลขนิติบุคคล'

/**
 * Reads a tax id. One that a spreadsheet damaged or a clerk wrote among other signs ("0105546135262-00000") is repaired
 * with a doubt if its check digit holds; ids of people stay as written, for `hide-people.ts`.
 */
export function readTaxIdCell(cell: FeedCell, fields: LenientFieldReader): string | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return undefined
  const reading = parseTaxId(text)
  if (reading.kind === 'none') return undefined
  if (isPersonId(text)) return text
  const [embedded, ...others] = new Set(toArabicDigits(text).match(/(?<!\d)0\d{12}(?!\d)/g) ?? [])
  if (
    reading.kind !== 'juristic' &&
    embedded !== undefined &&
    others.length === 0 &&
    hasValidTaxIdCheckDigit(embedded)
  ) {
    fields.add('tax_id_repaired', TIN_FIELD, `${text} → ${embedded}`)
    return embedded
  }
  if (reading.kind !== 'juristic') {
    fields.add('tax_id_unreadable', TIN_FIELD, text)
    return undefined
  }
  if (!hasValidTaxIdCheckDigit(reading.id)) fields.add('tax_id_check_digit', TIN_FIELD, text)
  else if (reading.id !== text && (reading.isRepaired || /[^\d\s-]/.test(text)))
    fields.add('tax_id_repaired', TIN_FIELD, `${text} → ${reading.id}`)
  return reading.id
}
