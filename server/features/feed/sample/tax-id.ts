/**
 * Thirteen-digit numbers whose checksum holds, for companies that do not exist.
 * Layout of a real juristic number: 0, registration province (2), type (1), Buddhist year (3), serial (5), check digit.
 * Province 98 is given to no registry, so no real company can bear one of these.
 */
const NO_SUCH_REGISTRY = '98'

/** Check digit of the first twelve digits: (11 − Σ d[i]·(13 − i) mod 11) mod 10. */
export function taxIdCheckDigit(twelveDigits: string): number {
  let sum = 0
  for (let index = 0; index < 12; index++) sum += Number(twelveDigits[index]) * (13 - index)
  return (11 - (sum % 11)) % 10
}

/** Number of an invented company. `type`: 3 limited partnership, 5 company limited; `year`: Buddhist, four digits. */
export function inventedTaxId(type: 3 | 5, year: number, serial: number): string {
  const head = `0${NO_SUCH_REGISTRY}${type}${String(year).slice(1)}${String(serial).padStart(5, '0')}`
  return `${head}${taxIdCheckDigit(head)}`
}
