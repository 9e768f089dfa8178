import { provinceByName } from '../thai/province.ts'

/**
 * Display names of agencies. Projects contain agency names but no codes, and names of local bodies repeat:
 * องค์การบริหารส่วนตำบลหนองบัว is 20 bodies in 20 provinces, and 614 of the 7,869 names in a real year refer to 2 to 20
 * bodies. In that year no province has two bodies of the same name, so name plus province identifies a local body. The
 * province is appended where the name is ambiguous; figures and addresses use the result.
 */

/**
 * Names of bodies confined to one province, unlike state departments, which have units everywhere. Used as a JavaScript
 * and a PostgreSQL regular expression.
 */
export const LOCAL_BODY = '^(องค์การบริหารส่วน|เทศบาล|อบต|อบจ|ศูนย์พัฒนาเด็ก|โรงเรียน)'
const LOCAL_BODY_PATTERN = new RegExp(LOCAL_BODY)

export const isLocalBody = (name: string): boolean => LOCAL_BODY_PATTERN.test(name)

export const PROVINCE_MARK = ' จ.'
export const UNKNOWN_PROVINCE = ' (ไม่ทราบจังหวัด)'

export const agencyText = (name: string, province: string | null): string =>
  province === null ? `${name}${UNKNOWN_PROVINCE}` : `${name}${PROVINCE_MARK}${province}`

/**
 * Returns the display name of a purchasing unit's agency: local bodies get their province when it is known, so callers
 * need not check whether the name is ambiguous.
 */
export const unitAgencyText = (name: string, province: string | null): string =>
  province !== null && isLocalBody(name) ? agencyText(name, province) : name

/** Inverse of `agencyText`; `province` is the DOPA code, null if unknown. Undefined for a name without a province. */
export function readAgencyText(text: string): { readonly name: string; readonly province: number | null } | undefined {
  if (text.endsWith(UNKNOWN_PROVINCE)) return { name: text.slice(0, -UNKNOWN_PROVINCE.length), province: null }
  const at = text.lastIndexOf(PROVINCE_MARK)
  const province = at < 0 ? undefined : provinceByName(text.slice(at + PROVINCE_MARK.length))
  return province && { name: text.slice(0, at), province: province.code }
}
