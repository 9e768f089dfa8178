import { findProvinceByName } from '../thai/province.ts'

/**
 * Display names of agencies. Projects contain agency names but no codes, and names of local bodies repeat:
 * องค์การบริหารส่วนตำบลหนองบัว is 20 bodies in 20 provinces, and 614 of the 7,869 names in a real year refer to 2 to 20
 * bodies. In that year no province has two bodies of the same name, so name plus province identifies a local body.
 * Where a name is ambiguous the province is appended; figures and URLs use the resulting name.
 */

/**
 * Matches names of local government units, each confined to one province, unlike state departments, which have units
 * everywhere. Used as a JavaScript and a PostgreSQL regular expression.
 */
export const LOCAL_GOVERNMENT_PATTERN = '^(องค์การบริหารส่วน|เทศบาล|อบต|อบจ|ศูนย์พัฒนาเด็ก|โรงเรียน)'
const LOCAL_BODY_PATTERN = new RegExp(LOCAL_GOVERNMENT_PATTERN)

export const isLocalGovernmentName = (name: string): boolean => LOCAL_BODY_PATTERN.test(name)

export const AGENCY_PROVINCE_SEPARATOR = ' จ.'
export const UNKNOWN_AGENCY_PROVINCE_SUFFIX = ' (ไม่ทราบจังหวัด)'

export const formatAgencyName = (name: string, province: string | null): string =>
  province === null ? `${name}${UNKNOWN_AGENCY_PROVINCE_SUFFIX}` : `${name}${AGENCY_PROVINCE_SEPARATOR}${province}`

/**
 * Returns the display name of a purchasing unit's agency. Names of local governments include the province when it is
 * known, so callers need not check whether the name is ambiguous.
 */
export const formatPurchasingUnitAgencyName = (name: string, province: string | null): string =>
  province !== null && isLocalGovernmentName(name) ? formatAgencyName(name, province) : name

/**
 * Returns the name that identifies a purchasing unit's agency: local governments always include the province, even an
 * unknown one, so that no two agencies share it.
 */
export const formatDistinctAgencyName = (name: string, province: string | null): string =>
  isLocalGovernmentName(name) ? formatAgencyName(name, province) : name

/** Separates agency and purchasing unit. None of the 12,845 departments of a real year contains it. */
export const AGENCY_UNIT_SEPARATOR = ' › '

export const formatAgencyUnit = (agency: string, unit: string): string => `${agency}${AGENCY_UNIT_SEPARATOR}${unit}`

/** Splits a text from `formatAgencyUnit`. `unit` is undefined if the text names a whole agency. */
export function parseAgencyUnit(text: string): { readonly agency: string; readonly unit: string | undefined } {
  const at = text.indexOf(AGENCY_UNIT_SEPARATOR)
  if (at === -1) return { agency: text, unit: undefined }
  return { agency: text.slice(0, at), unit: text.slice(at + AGENCY_UNIT_SEPARATOR.length) }
}

/**
 * Splits an agency name from `formatAgencyName` into name and province. `province` is the DOPA code, null if unknown.
 * Returns undefined for a name without a province.
 */
export function parseAgencyName(text: string): { readonly name: string; readonly province: number | null } | undefined {
  if (text.endsWith(UNKNOWN_AGENCY_PROVINCE_SUFFIX))
    return { name: text.slice(0, -UNKNOWN_AGENCY_PROVINCE_SUFFIX.length), province: null }
  const at = text.lastIndexOf(AGENCY_PROVINCE_SEPARATOR)
  const province = at < 0 ? undefined : findProvinceByName(text.slice(at + AGENCY_PROVINCE_SEPARATOR.length))
  return province && { name: text.slice(0, at), province: province.code }
}
