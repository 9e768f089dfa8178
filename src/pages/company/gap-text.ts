import { percentText } from '#src/lib/money-text.ts'

/** How far their price lay from ours, as a part of the reference price: `สูงกว่า 2.3%`. */
export function gapText(gap: number): string {
  if (Math.abs(gap) < 0.0005) return 'เท่ากัน'
  return `${gap > 0 ? 'สูงกว่า' : 'ต่ำกว่า'} ${percentText(Math.abs(gap))}`
}
