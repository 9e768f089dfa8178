import { parseTaxId } from '../catalogue/natural-person.ts'

/** Returns the id if it is a juristic person's; undefined for a natural person or anything else. */
export function toReportCardTaxId(text: string): string | undefined {
  const parsed = parseTaxId(text)
  return parsed.kind === 'juristic' ? parsed.id : undefined
}
