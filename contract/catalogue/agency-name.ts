import { provinceNamed } from '../thai/province.ts'

/**
 * What an agency is called. Projects bear names and no codes, and the names of local bodies repeat: องค์การบริหารส่วนตำบลหนองบัว is 20 bodies in 20
 * provinces, and 614 of the 7,869 names of a real year stand for 2 to 20. Two of one name never share a province in that year, so a local body is its name and
 * its province. The province is written behind the name where the name alone is ambiguous; this text is what figures and addresses call the agency.
 */

/** Names of bodies that lie in one province each; departments of the state, whose units are everywhere, are none. Read by JavaScript and by PostgreSQL. */
export const LOCAL_BODY = '^(องค์การบริหารส่วน|เทศบาล|อบต|อบจ|ศูนย์พัฒนาเด็ก|โรงเรียน)'
const LOCAL = new RegExp(LOCAL_BODY)

export const isLocalBody = (name: string): boolean => LOCAL.test(name)

export const PROVINCE_MARK = ' จ.'
/** Behind a name that is ambiguous where the province is unknown. */
export const UNKNOWN_PROVINCE = ' (ไม่ทราบจังหวัด)'

/** The text of a body whose name is ambiguous. `province`: its Thai name, null where unknown. */
export const agencyText = (name: string, province: string | null): string =>
  province === null ? `${name}${UNKNOWN_PROVINCE}` : `${name}${PROVINCE_MARK}${province}`

/** The text of the agency that a purchasing unit belongs to, for addresses: it needs no knowledge of whether the name is ambiguous. */
export const agencyTextOf = (name: string, province: string | null): string =>
  province !== null && isLocalBody(name) ? agencyText(name, province) : name

/** Name and province (DOPA code, null: unknown) of a text with a province; undefined for a plain name. */
export function readAgencyText(text: string): { readonly name: string; readonly province: number | null } | undefined {
  if (text.endsWith(UNKNOWN_PROVINCE)) return { name: text.slice(0, -UNKNOWN_PROVINCE.length), province: null }
  const at = text.lastIndexOf(PROVINCE_MARK)
  const province = at < 0 ? undefined : provinceNamed(text.slice(at + PROVINCE_MARK.length))
  return province && { name: text.slice(0, at), province: province.code }
}
