/** Digits of a phone number or a code as people type and paste them: Thai digits become Arabic, nothing invisible, no outer blanks. */
export function typedDigits(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))
}
