/**
 * Selects the words and phrases that the model must not contain: names of persons, which are private, and names of
 * places and number plates, which say where and not what is bought. They are recognised by the word before them, not by
 * a list.
 */

const BEFORE_PERSONS = new Set(
  'นาย นาง นางสาว นส ดช ดญ เด็กชาย เด็กหญิง ว่าที่ร้อยตรี สต สตต สตท จสอ พระ พระครู พระอธิการ หลวงพ่อ ผู้รับจ้าง ราย คุณ'.split(' '),
)
const BEFORE_PLACES = new Set(
  (
    'ตำบล อำเภอ จังหวัด บ้าน วัด โรงเรียน อบต เทศบาลตำบล เทศบาลเมือง เทศบาลนคร เขต แขวง ต อ จ บ หมู่บ้าน ชุมชน องค์การบริหารส่วน ' +
    'องค์การบริหารส่วนตำบล คลอง ห้วย หนอง หาด เกาะ ซอย สาย ลุ่มน้ำ บึง ท่า'
  ).split(' '),
)
const BEFORE_PLATES = new Set('ทะเบียน หมายเลขทะเบียน เลขทะเบียน ทะเบียนรถ'.split(' '))
/** A word or phrase that begins like this is a place, whatever precedes it. */
const BEGINS_AS_PLACE = /^(?:อบต|เทศบาล|ตำบล|อำเภอ|จังหวัด|โรงเรียนบ้าน|โรงเรียนวัด|ศพด|องค์การบริหารส่วนตำบล)./
const BEGINS_AS_PERSON = /^(?:นาย|นางสาว|เด็กชาย|เด็กหญิง|ด\.?[ชญ]\.?)(?!ก|ทะเบียน|หน้า|ช่าง|จ้าง|แพทย์|ทหาร|ตรวจ|อำเภอ)./
const PERSON_SHARE = 0.15
const PLACE_SHARE = 0.45
const PLATE_SHARE = 0.2
/** In งานบ้านงานครัว (housework), บ้าน does not begin the name of a village. */
const HOUSEWORK = 'งานครัว'

/**
 * Returns for each unit (word or phrase) whether it may be in the model. `tokens` are titles as unit ids, each ended by
 * -1.
 */
export function flagMeaningfulUnits(words: readonly string[], counts: Uint32Array, tokens: Int32Array): boolean[] {
  const persons = new Uint32Array(words.length)
  const places = new Uint32Array(words.length)
  const plates = new Uint32Array(words.length)
  const flags = words.map((word) => ({
    isPerson: BEFORE_PERSONS.has(word),
    isPlace: BEFORE_PLACES.has(word),
    isPlate: BEFORE_PLATES.has(word),
  }))
  for (let at = 1; at < tokens.length; at += 1) {
    const unit = tokens[at]!
    const before = tokens[at - 1]!
    if (unit < 0 || before < 0) continue
    const earlier = at > 1 ? tokens[at - 2]! : -1
    if (flags[before]!.isPerson || (earlier >= 0 && flags[earlier]!.isPerson)) persons[unit]! += 1
    if (flags[before]!.isPlace) places[unit]! += 1
    if (flags[before]!.isPlate) plates[unit]! += 1
  }
  return words.map((word, id) => {
    if (word === HOUSEWORK || BEFORE_PERSONS.has(word) || BEFORE_PLACES.has(word)) return true
    if (BEGINS_AS_PLACE.test(word) || BEGINS_AS_PERSON.test(word)) return false
    const share = (flagged: Uint32Array) => flagged[id]! / Math.max(1, counts[id]!)
    return share(persons) < PERSON_SHARE && share(places) < PLACE_SHARE && share(plates) < PLATE_SHARE
  })
}
