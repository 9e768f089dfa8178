import { normaliseThai } from '#contract/thai/thai-text.ts'

/** Prefixes of a place, owner or road section. The word after the prefix distinguishes purchases of the same kind. */
const PLACE_PREFIXES = [
  'โรงพยาบาลส่งเสริมสุขภาพตำบล',
  'โรงพยาบาล',
  'โรงเรียน',
  'มหาวิทยาลัย',
  'วิทยาลัย',
  'คณะ',
  'สถานีตำรวจภูธร',
  'ตำรวจภูธรจังหวัด',
  'เรือนจำ',
  'อุทยานแห่งชาติ',
  'ท่าอากาศยาน',
  'แขวงทางหลวงชนบท',
  'แขวงทางหลวง',
  'โครงการชลประทาน',
  'เทศบาลเมือง',
  'เทศบาลนคร',
  'เทศบาลตำบล',
  'องค์การบริหารส่วนจังหวัด',
  'จังหวัด',
  'อำเภอ',
  'ตำบล',
  'หมู่ที่',
  'ทางหลวงหมายเลข',
  'บ้าน',
  'คลอง',
  'ห้วย',
  'แม่น้ำ',
  'ซอย',
  'กม\\.',
]
const PLACE_PATTERN = new RegExp(`(${PLACE_PREFIXES.join('|')})\\s*([^\\s,()]+)`, 'g')
/**
 * Matches the owner: one of these words at the start of a text or after a blank or ของ, with the characters attached to
 * it.
 */
const OWNER_PATTERN =
  /(?:^|\s|ของ)((?:โรงพยาบาล|โรงเรียน|มหาวิทยาลัย|วิทยาลัย|คณะ|สถานี|ตำรวจภูธร|เรือนจำ|ทัณฑสถาน|อุทยานแห่งชาติ|ท่าอากาศยาน|แขวงทางหลวง|โครงการชลประทาน|เทศบาล|องค์การบริหาร|สำนัก|ศูนย์|กอง|ที่ทำการ)[^\s,()]+)/g
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/(^|\s|ของ)รพ\.สต\.\s*/g, '$1โรงพยาบาลส่งเสริมสุขภาพตำบล'],
  [/(^|\s|ของ)รพ\.\s*/g, '$1โรงพยาบาล'],
  [/(^|\s|ของ)รร\.\s*/g, '$1โรงเรียน'],
  [/(^|\s)จ\.\s*/g, '$1จังหวัด'],
  [/(^|\s)อ\.\s*/g, '$1อำเภอ'],
  [/(^|\s)ต\.\s*/g, '$1ตำบล'],
  [/(?<!\S)ม\.(?=\s*\d)\s*/g, 'หมู่ที่'],
]

export type PlaceNamesByKind = ReadonlyMap<string, ReadonlySet<string>>

const expandAbbreviations = (text: string) =>
  ABBREVIATIONS.reduce((expanded, [short, long]) => expanded.replace(short, long), normaliseThai(text))

export function extractOwnerNames(text: string): string[] {
  return [...expandAbbreviations(text).matchAll(OWNER_PATTERN)].map(([, owner]) => owner!)
}

/** Returns true if owners are named but `text` (a purchase's name followed by its unit's) contains none of them. */
export function isForOtherOwners(owners: readonly string[], text: string): boolean {
  const expanded = expandAbbreviations(text)
  return owners.length > 0 && !owners.some((owner) => expanded.includes(owner))
}

export function extractPlaceNames(text: string): PlaceNamesByKind {
  const expanded = expandAbbreviations(text)
  const places = new Map<string, Set<string>>()
  for (const [, kind, name] of expanded.matchAll(PLACE_PATTERN)) {
    const names = places.get(kind!)
    if (names) names.add(name!)
    else places.set(kind!, new Set([name!]))
  }
  return places
}

export function areDifferentPlaces(a: PlaceNamesByKind, b: PlaceNamesByKind): boolean {
  for (const [kind, names] of a) {
    const otherNames = b.get(kind)
    if (otherNames && ![...names].some((name) => otherNames.has(name))) return true
  }
  return false
}
