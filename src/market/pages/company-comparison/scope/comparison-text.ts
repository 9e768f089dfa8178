import { formatPercent } from '#src/lib/figure-text.ts'

/** Formats with sign and a real minus: `+2.1%`, `−2.1%`, `0.0%`. */
export function formatSignedPercent(share: number): string {
  const text = formatPercent(Math.abs(share))
  if (text === formatPercent(0)) return text
  return share < 0 ? `−${text}` : `+${text}`
}

export function formatPlainPercent(share: number): string {
  const text = formatPercent(Math.abs(share))
  return share < 0 && text !== formatPercent(0) ? `−${text}` : text
}
