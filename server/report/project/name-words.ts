import { normaliseThai } from '#contract/thai/thai-text.ts'
import { type Dictionary, dictionary } from '#server/matching/meaning/dictionary.ts'
import { looseSpelling } from '#server/matching/meaning/spelling.ts'
import { type TermModel, termModel } from '#server/matching/meaning/term-model.ts'
import { contentOf, type Unit } from '#server/platform/text/segment.ts'

/** Grows with every change of what is read from a name or stored of a project: traits of an older version are written anew. */
export const TRAITS_VERSION = 3

/** A name's first words say what is bought; later ones say it more closely, and from some word on where and for whom. */
const MOST_WORDS = 8
/** So many letters of a name are read: 8 words stand in them, and what follows takes as long to cut as it says nothing. */
const READ = 160
/** From here on the name tells the place, the owner, the size or the year, unless nothing was said before. */
const WHERE = new Set(
  [
    'หมู่ หมู่ที่ หมู่บ้าน บ้าน ตำบล ต อำเภอ อ จังหวัด จ เขต แขวง สาย ซอย บริเวณ ณ ภายใน ภายในเขต ของ สำหรับ ประจำ ประจำปี ประจำปีงบประมาณ',
    'ปีงบประมาณ ปี ตาม รหัส รหัสสายทาง ทางหลวงหมายเลข โรงเรียน โรงพยาบาล เทศบาล องค์การบริหาร องค์การบริหารส่วน สำนักงาน กรม มหาวิทยาลัย',
    'จาก ถึง ช่วง ขนาด กว้าง ยาว จำนวน หรือ ใน เพื่อ ด้วย โดย ระยะทาง ระยะเวลา ตั้งแต่ ระหว่าง แห่ง ไป ที่ตั้ง ศูนย์ วิทยาลัย สถานี ชุมชน วัด',
    'หมายเลข ทะเบียน หมายเลขทะเบียน เลขทะเบียน ยี่ห้อ รุ่น คลอง ห้วย หนอง ลำห้วย แม่น้ำ ชั้น ให้แก่ ให้กับ แก่ เขตเทศบาล เขตพื้นที่ พื้นที่ โครงการชลประทาน ปริมาตรกระบอกสูบ กำลังเครื่องยนต์ เงิน',
  ]
    .join(' ')
    .split(' '),
)
/** Words for buying, counting and joining. They are left out, because nearly every name has them. */
const EMPTY = new Set(
  [
    'ประกวดราคา ประกวด ราคา สอบราคา จ้าง จ้างเหมา เหมา เหมาบริการ ซื้อ จัดซื้อ จัด จัดจ้าง จัดหา จัดทำ ทำ โครงการ งาน การ ดำเนิน ดำเนินการ',
    'ดำเนินงาน รายการ และ ที่ พร้อม ได้ ไม่ เป็น มี กับ แบบ ชนิด ประเภท ต่างๆ ชุด เครื่อง คัน แห่ง หลัง ตัว อัน เมตร ตาราง บริการ กิจกรรม ค่า ด้าน',
    'ว่า น่า ปรึกษา ศึกษา วิเคราะห์ แนว แนวทาง ระบบ เพิ่ม เพิ่มเติม ใหม่ เก่า ใช้ ผู้ ทาง ส่วน กลุ่ม รายละเอียด พัฒนา วัน เดือน เช่า ครุภัณฑ์ อุปกรณ์ พศ ตลอดจน รวม',
  ]
    .join(' ')
    .split(' '),
)
/** Two letters are mostly the pieces of a name that the vocabulary does not have; these are words. */
const SHORT = new Set(['ยา', 'นม', 'รถ', 'ไฟ', 'ปู', 'it', 'tv', 'pc'])
/** Shorter names of concepts stand in longer words by chance. */
const SAFE_PART = 4

/** Concepts of the dictionary that tell what is done to something that stands already. */
const CHANGING = ['improve', 'repair', 'maintain', 'dredge', 'demolish', 'design', 'supervise']
/** Concepts of what is done, to whatever it may be: that follows, also behind words by which other names begin to tell the place. */
const DOING = [...CHANGING, 'construct', 'install', 'rent', 'consult', 'wash', 'inspect', 'move', 'dispose']
/** Concepts that go with everything: what is done, and what half of all works are made of. They stand last and say half as much. */
const LIGHT = [...DOING, 'concrete']

/** Classes of the budget, which stand before the thing itself or instead of it. */
const CLASSES = 'วัสดุ ยานพาหนะและขนส่ง ยานพาหนะ ขนส่ง การเกษตร การศึกษา การแพทย์ โฆษณาและเผยแพร่ งานบ้านงานครัว เพิ่มประสิทธิภาพ'

/** "ครุภัณฑ์ยานพาหนะ", "ครุภัณฑ์การแพทย์": a class too, whatever follows. */
const CLASS_HEAD = /^ครุภัณฑ์./

/** A word of a name: `hash` is the same on every machine; `weight` is how much it says, by how few names hold it; `text` as the name spells it. */
type Word = { readonly hash: number; readonly weight: number; readonly text: string }

export type NameWords = {
  /** Hashes of the words that say what is bought, in their order, things before what is done with them; negative. */
  wordsOf(name: string): number[]
  /** The same words as this name spells them, by hash. */
  textsOf(name: string): ReadonlyMap<number, string>
  /** Whether words say what is bought, and not only what is done with it: two surveys of whatever are not alike. */
  tellsThing(words: readonly number[]): boolean
  /** How much a word says. */
  weightOf(hash: number): number
}

const RAREST = 9

let shared: NameWords | undefined

/** Words of names by the model that ships with the server, read at the first call. */
export function nameWords(): NameWords {
  shared ??= createNameWords(termModel(), dictionary())
  return shared
}

function createNameWords(model: TermModel, concepts: Dictionary): NameWords {
  const weights = new Map<number, number>()
  const known = new Map<string, readonly Word[]>()
  const parts = conceptParts(concepts)

  const word = (text: string, count: number, spelled: string): Word => {
    const hash = hashOf(text)
    const weight = Math.min(RAREST, Math.log(1_000_000 / (count + 1)) + 1)
    // The commonest spelling says how much the word says.
    weights.set(hash, Math.min(weight, weights.get(hash) ?? RAREST))
    return { hash, weight: weights.get(hash)!, text: spelled }
  }
  const building = hashOf('=construct')
  const doing = new Set(DOING.map((name) => hashOf(`=${name}`)))
  const changing = new Set(CHANGING.map((name) => hashOf(`=${name}`)))
  const light = new Set([
    ...LIGHT.map((name) => hashOf(`=${name}`)),
    ...CLASSES.split(' ').map((text) => hashOf(looseSpelling(text))),
  ])
  const countOf = (text: string) => model.counts[model.ids.get(text) ?? -1] ?? 0

  /** A unit as words: the concepts that it names, and what is left of it. */
  function wordsOfUnit(text: string): readonly Word[] {
    const cached = known.get(text)
    if (cached) return cached
    const words = splitUnit(text)
    known.set(text, words)
    return words
  }

  function splitUnit(text: string): Word[] {
    if (CLASS_HEAD.test(text)) {
      const named = word(looseSpelling(text), countOf(text), text)
      light.add(named.hash)
      return [named]
    }
    const [concept] = concepts.conceptsOf(text)
    if (concept) return [word(`=${concept.name}`, Math.max(...concept.equal.map(countOf)), text)]
    for (const { term, name, count } of parts) {
      const at = text.indexOf(term)
      if (at < 0 || text.length === term.length) continue
      return [
        ...splitRest(text.slice(0, at)),
        word(`=${name}`, count, term),
        ...splitRest(text.slice(at + term.length)),
      ]
    }
    const pieces = model.segmenter.segment(text, model.ids.get(text))
    // Only a phrase of whole words is taken apart: "ปรับอากาศ" of "เครื่องปรับอากาศ" is no thing of its own.
    const isPhrase = pieces.length > 1 && pieces.every((piece) => piece.id >= 0 && piece.text.length >= 3)
    if (isPhrase && pieces.some((piece) => EMPTY.has(piece.text) || concepts.conceptsOf(piece.text).length > 0))
      return pieces.flatMap((piece) => (EMPTY.has(piece.text) ? [] : wordsOfUnit(piece.text)))
    return [word(looseSpelling(text), countOf(text), text)]
  }

  function splitRest(text: string): Word[] {
    if (text.length < 3 || EMPTY.has(text)) return []
    return model.segmenter.segment(text).flatMap((piece) => (isContent(piece) ? wordsOfUnit(piece.text) : []))
  }

  function read(name: string): Word[] {
    const found: Word[] = []
    for (const unit of model.segmenter.unitsOf(contentOf(normaliseThai(name)).slice(0, READ))) {
      if (WHERE.has(unit.text)) {
        if (found.some(({ hash }) => !doing.has(hash))) break
        continue
      }
      if (!isContent(unit)) continue
      for (const one of wordsOfUnit(unit.text)) if (!found.some(({ hash }) => hash === one.hash)) found.push(one)
      if (found.length >= MOST_WORDS) break
    }
    return found
  }

  return {
    wordsOf(name) {
      const found = read(name).map(({ hash }) => hash)
      // e-GP begins every such name with "จ้างก่อสร้าง": it says something only where nothing else is done.
      const isChanged = found.some((hash) => changing.has(hash))
      const said = found.filter((hash) => !isChanged || hash !== building).slice(0, MOST_WORDS)
      return [...said.filter((hash) => !light.has(hash)), ...said.filter((hash) => light.has(hash))]
    },
    tellsThing: (words) => words.some((hash) => !doing.has(hash)),
    textsOf: (name) => new Map(read(name).map(({ hash, text }) => [hash, text])),
    weightOf: (hash) => (weights.get(hash) ?? RAREST) * (light.has(hash) ? 0.5 : 1),
  }
}

/** Unknown as they are, names of medicines and makes say more than all that is known beside them. */
const LATIN_NAME = /^[a-z]{4,30}$/

function isContent({ text, id }: Unit): boolean {
  return (id >= 0 || LATIN_NAME.test(text)) && (text.length > 2 || SHORT.has(text)) && !EMPTY.has(text)
}

/** Every name of a concept, the longest first. */
function conceptParts({ concepts }: Dictionary): { term: string; name: string; count: number }[] {
  const model = termModel()
  return concepts
    .flatMap(({ name, equal }) => {
      const count = Math.max(...equal.map((term) => model.counts[model.ids.get(term) ?? -1] ?? 0))
      return equal.map((term) => ({ term, name, count }))
    })
    .filter(({ term }) => term.length >= SAFE_PART)
    .sort((a, b) => b.term.length - a.term.length)
}

const hashOf = (text: string) => -1 - (fnv(text) & 0x7fff_ffff)

/** FNV-1a over UTF-16 units, 32 bits. */
export function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
