import type { ConceptDictionary } from './concept-dictionary.ts'
import type { TermModel } from './term-model.ts'

/**
 * Words before a thing that leave the trade unchanged: a company that installs transformers finds the same tenders
 * under the bare name. `ซ่อม`, `เช่า` and `ล้าง` are absent, because they name another trade.
 */
const NEUTRAL_WORDS = ['ติดตั้ง', 'เปลี่ยน', 'จัดหา', 'จัดซื้อ', 'จัดจ้าง', 'ซื้อ', 'วาง', 'งาน', 'ชุด', 'ระบบ'] as const
/**
 * Works on something built are one trade: a contractor who repairs pumping stations also builds and improves them. The
 * repair of a device is another trade than its sale.
 */
const BUILDING_VERBS = ['ก่อสร้าง', 'ปรับปรุงซ่อมแซม', 'ซ่อมแซมปรับปรุง', 'ปรับปรุง', 'ซ่อมแซม', 'ซ่อมสร้าง', 'บูรณะ'] as const
const BUILT_THINGS = [
  ...['อาคาร', 'โรง', 'ห้อง', 'ศาลา', 'บ้านพัก', 'หอ', 'ศูนย์', 'สถานี', 'ตลาด', 'เมรุ', 'โดม', 'หลังคา', 'รั้ว', 'ซุ้ม', 'ลาน'],
  ...['สนาม', 'สะพาน', 'ทางเท้า', 'ทางเดิน', 'ท่าเทียบเรือ', 'ฝาย', 'เขื่อน', 'ประตูระบายน้ำ', 'อ่างเก็บน้ำ', 'สระ', 'คลอง'],
  ...['ราง', 'ท่อ', 'กำแพง', 'พนัง', 'ผนังกันดิน', 'บ่อ', 'ประปา'],
] as const
/** Words that begin a description. Titles put it elsewhere, word it otherwise or leave it out. */
const DESCRIPTION_MARKS: ReadonlySet<string> = new Set([
  ...['แบบ', 'ชนิด', 'ประเภท', 'ขนาด', 'รุ่น', 'ยี่ห้อ', 'พร้อม', 'สำหรับ'],
])
const MIN_SUBJECT_LENGTH = 4
/** A thing in more than this many of a million titles is a category, which matches too much without its other words. */
const MAX_SUBJECT_TITLES = 12_000
const MAX_DESCRIBED_TITLES = 30_000
/** A thing in fewer than this many of a million titles is specific enough without its description. */
const FREQUENT_TITLES = 3_000
/** A thing in more than this many times the titles of the keyword is too broad. */
const MAX_SUBJECT_RATIO = 12

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/**
 * Returns the thing that a keyword names, without neutral words before it and the description after it: `หม้อแปลงไฟฟ้า`
 * of `ติดตั้งหม้อแปลงไฟฟ้า`, `กล้องจุลทรรศน์` of `กล้องจุลทรรศน์แบบใช้แสง`. Returns the keyword itself if that is the
 * thing, if the dictionary lists it or if the thing alone is too wide.
 */
export function findKeywordSubject(model: TermModel, concepts: ConceptDictionary, keyword: string): string {
  if (concepts.conceptsOf(keyword).length > 0) return keyword
  const words = [...segmenter.segment(keyword)]
  const mark = words.find(({ index, segment }) => index >= MIN_SUBJECT_LENGTH && DESCRIPTION_MARKS.has(segment))
  const text = dropNeutralWords(mark ? keyword.slice(0, mark.index) : keyword, new Set(words.map(({ index }) => index)))
  if (text === keyword || isTooWide(model, keyword, text, mark ? MAX_DESCRIBED_TITLES : MAX_SUBJECT_TITLES))
    return keyword
  const description = mark ? keyword.slice(mark.index + mark.segment.length) : ''
  return isChangedBy(model, concepts, text, description) ? keyword : text
}

/**
 * True if the description turns a frequent thing into a rarer one: `เปิดข้างเทท้าย` of `รถยนต์บรรทุก`. Never for a thing
 * that the dictionary lists.
 */
function isChangedBy(model: TermModel, concepts: ConceptDictionary, thing: string, description: string): boolean {
  if (concepts.conceptsOf(thing).length > 0) return false
  const id = model.ids.get(description)
  const titles = model.counts[model.ids.get(thing)!]!
  return id !== undefined && titles > FREQUENT_TITLES && model.counts[id]! < titles
}

function dropNeutralWords(text: string, borders: ReadonlySet<number>): string {
  let start = 0
  for (;;) {
    const isBefore = (candidate: string) =>
      text.startsWith(candidate, start) &&
      text.length - start - candidate.length >= MIN_SUBJECT_LENGTH &&
      borders.has(start + candidate.length)
    const isBeforeBuiltThing = (verb: string) =>
      isBefore(verb) && BUILT_THINGS.some((thing) => text.startsWith(thing, start + verb.length))
    const word = NEUTRAL_WORDS.find(isBefore) ?? BUILDING_VERBS.find(isBeforeBuiltThing)
    if (word === undefined) return text.slice(start)
    start += word.length
  }
}

function isTooWide(model: TermModel, keyword: string, text: string, maxTitles: number): boolean {
  const [id, keywordId] = [model.ids.get(text), model.ids.get(keyword)]
  if (id === undefined) return true
  const ratioLimit = keywordId === undefined ? Infinity : model.counts[keywordId]! * MAX_SUBJECT_RATIO
  return model.counts[id]! > Math.min(maxTitles, ratioLimit)
}
