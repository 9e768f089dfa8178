import { hasValidThaiIdCheckDigit, parseTaxId } from '#contract/catalogue/natural-person.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { type FeedCell, isPlaceholderName, type LenientFieldReader, parseTextCell } from './feed-field.ts'

const THIRTEEN_DIGITS = /^\d{13}$/

/**
 * Verifies the check digit of a 13-digit Thai tax id. It is valid for 694,787 of 694,790 real ids, so a failure is worth
 * a warning, never a rejection. Masked ids of natural persons (`330960000xxxx`) and consortium ids (`D888888888001`)
 * have no check digit and pass.
 */
export const hasValidTaxIdCheckDigit = (taxId: string): boolean =>
  !THIRTEEN_DIGITS.test(taxId) || hasValidThaiIdCheckDigit(taxId)

/** Matches an id with the letters O, l or I for the digits 0 and 1; its check digit decides. */
const MISTYPED_ID = /(?<![a-z\d])[o0][oli\d]{12}(?![a-z\d])/gi
/** Matches a column of ids that states instead that the winner is a person. */
const PERSONAL_ID_LABEL = /^(?:บุคคลธรรมดา|(?:เลข)?(?:ที่)?บัตร(?:ประจำตัว)?ประชาชน)$/
const UNKNOWN_PERSON = 'x'.repeat(13)
const TIN_FIELD = 'เลขนิติบุคคล'

/**
 * Reads a tax id. One that a spreadsheet damaged or a clerk wrote among other signs ("0105546135262-00000") is repaired
 * with a doubt if its check digit holds; ids of people stay as written, for `redact-personal-data.ts`.
 */
export function readTaxIdCell(cell: FeedCell, fields: LenientFieldReader): string | undefined {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return undefined
  if (PERSONAL_ID_LABEL.test(text)) return UNKNOWN_PERSON
  const reading = parseTaxId(text)
  if (reading.kind === 'none' || (/\p{L}/u.test(text) && isPlaceholderName(text))) return undefined
  if (reading.kind === 'person') return text
  if (reading.kind === 'unreadable') {
    const digits = toArabicDigits(text).replace(MISTYPED_ID, (id) => id.replace(/o/gi, '0').replace(/[li]/gi, '1'))
    const [embedded, ...others] = new Set(digits.match(/(?<!\d)0\d{12}(?!\d)/g) ?? [])
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
