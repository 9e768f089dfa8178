import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { countText, percentText } from '#src/lib/figure-text.ts'

/** Formats with sign and a real minus: `+2.1%`, `−2.1%`, `0.0%`. */
export function signedPercentText(share: number): string {
  const text = percentText(Math.abs(share))
  if (text === percentText(0)) return text
  return share < 0 ? `−${text}` : `+${text}`
}

/** Formats a share without a plus but with a real minus: `9.8%`, `−1.2%`. */
export function plainPercentText(share: number): string {
  const text = percentText(Math.abs(share))
  return share < 0 && text !== percentText(0) ? `−${text}` : text
}

export function winsWithValueText(wins: number, value: number | null): string {
  return value === null ? `${countText(wins)} งาน` : `${countText(wins)} งาน · ${formatBahtCompact(value)}`
}
