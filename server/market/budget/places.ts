import { normaliseThai } from '#contract/thai/thai-text.ts'

/** Prefixes of a place, owner or road section. The word after one distinguishes purchases of the same kind. */
const KINDS = [
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
const NAMED = new RegExp(`(${KINDS.join('|')})\\s*([^\\s,()]+)`, 'g')
/** The owner: the first of these words at the start of a part of a text, and what follows it. */
const OWNER =
  /(?:^|\s|ของ)((?:โรงพยาบาล|โรงเรียน|มหาวิทยาลัย|วิทยาลัย|คณะ|สถานี|ตำรวจภูธร|เรือนจำ|ทัณฑสถาน|อุทยานแห่งชาติ|ท่าอากาศยาน|แขวงทางหลวง|โครงการชลประทาน|เทศบาล|องค์การบริหาร|สำนัก|ศูนย์|กอง|ที่ทำการ)[^\s,()]+)/g
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/(^|\s|ของ)รพ\.สต\.\s*/g, '$1โรงพยาบาลส่งเสริมสุขภาพตำบล'],
  [/(^|\s|ของ)รพ\.\s*/g, '$1โรงพยาบาล'],
  [/(^|\s|ของ)รร\.\s*/g, '$1โรงเรียน'],
  [/(^|\s)จ\.\s*/g, '$1จังหวัด'],
  [/(^|\s)อ\.\s*/g, '$1อำเภอ'],
  [/(^|\s)ต\.\s*/g, '$1ตำบล'],
  [/(?<!\S)ม\.(?=\s*\d)\s*/g, 'หมู่ที่'],
]

export type Places = ReadonlyMap<string, ReadonlySet<string>>

const written = (text: string) => SHORT.reduce((rest, [short, long]) => rest.replace(short, long), normaliseThai(text))

export function ownersIn(text: string): string[] {
  return [...written(text).matchAll(OWNER)].map(([, owner]) => owner!)
}

/** Whether owners are named, but none of them in `text` (the name of a purchase with its unit's). */
export function isForOthers(owners: readonly string[], text: string): boolean {
  const plain = written(text)
  return owners.length > 0 && !owners.some((owner) => plain.includes(owner))
}

export function placesIn(text: string): Places {
  const plain = written(text)
  const places = new Map<string, Set<string>>()
  for (const [, kind, name] of plain.matchAll(NAMED)) {
    const known = places.get(kind!)
    if (known) known.add(name!)
    else places.set(kind!, new Set([name!]))
  }
  return places
}

/** Whether two texts name different places: both name some of a kind, with none in common. */
export function areApart(a: Places, b: Places): boolean {
  for (const [kind, names] of a) {
    const others = b.get(kind)
    if (others && ![...names].some((name) => others.has(name))) return true
  }
  return false
}
