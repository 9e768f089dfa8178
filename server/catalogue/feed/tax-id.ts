const THIRTEEN_DIGITS = /^\d{13}$/

/**
 * Verifies the check digit of a 13-digit Thai tax id: (11 - sum(d[i] * (13 - i)) mod 11) mod 10. It is valid for
 * 694,787 of 694,790 real ids, so a failure is worth a warning, never a rejection. Masked ids of natural persons
 * (`330960000xxxx`) and consortium ids (`D888888888001`) have no check digit and pass.
 */
export function hasValidCheckDigit(taxId: string): boolean {
  if (!THIRTEEN_DIGITS.test(taxId)) return true
  let sum = 0
  for (let index = 0; index < 12; index += 1) sum += Number(taxId[index]) * (13 - index)
  return (11 - (sum % 11)) % 10 === Number(taxId[12])
}
