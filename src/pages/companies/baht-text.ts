import { formatBahtCompact } from '#contract/thai/thai-number.ts'

/** Baht in a line of words: `743.49 ล้านบาท`, `850,000 บาท`. */
export function bahtInWords(baht: number): string {
  const text = formatBahtCompact(baht)
  return text.endsWith('ล้าน') ? `${text}บาท` : `${text} บาท`
}
