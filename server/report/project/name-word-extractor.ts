import { normaliseThai } from '#contract/thai/thai-text.ts'
import { type ConceptDictionary, loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { loadDefaultTermModel, type TermModel } from '#server/matching/meaning/term-model.ts'
import { toLoanWordSpellingKey } from '#server/matching/meaning/to-loan-word-spelling-key.ts'
import { mapInTimeSlices } from '#server/platform/engine/process-in-batches.ts'
import { stripTitleBoilerplate, type VocabularyUnitOccurrence } from '#server/platform/text/vocabulary-segmenter.ts'

/**
 * Version of the traits. Increment it whenever the extraction from names or the stored traits change; traits of older
 * versions are then rewritten.
 */
export const PROJECT_TRAITS_VERSION = 4

/**
 * Maximum words per name. The first words identify the purchase; later ones narrow it down, then give place and
 * recipient.
 */
const MAX_WORDS = 8
/** Number of characters read per name, enough for 8 words. Reading more takes time and adds nothing. */
const MAX_NAME_LENGTH = 160
/**
 * Words that introduce place, owner, size or year. The name is cut at the first one, unless no content word precedes
 * it.
 */
const DETAIL_WORDS = new Set(
  [
    'หมู่ หมู่ที่ หมู่บ้าน บ้าน ตำบล ต อำเภอ อ จังหวัด จ เขต แขวง สาย ซอย บริเวณ ณ ภายใน ภายในเขต ของ สำหรับ ประจำ ประจำปี ประจำปีงบประมาณ',
    'ปีงบประมาณ ปี ตาม รหัส รหัสสายทาง ทางหลวงหมายเลข โรงเรียน โรงพยาบาล เทศบาล องค์การบริหาร องค์การบริหารส่วน สำนักงาน กรม มหาวิทยาลัย',
    'จาก ถึง ช่วง ขนาด กว้าง ยาว จำนวน หรือ ใน เพื่อ ด้วย โดย ระยะทาง ระยะเวลา ตั้งแต่ ระหว่าง แห่ง ไป ที่ตั้ง ศูนย์ วิทยาลัย สถานี ชุมชน วัด',
    'หมายเลข ทะเบียน หมายเลขทะเบียน เลขทะเบียน ยี่ห้อ รุ่น คลอง ห้วย หนอง ลำห้วย แม่น้ำ ชั้น ให้แก่ ให้กับ แก่ เขตเทศบาล เขตพื้นที่ พื้นที่ โครงการชลประทาน ปริมาตรกระบอกสูบ กำลังเครื่องยนต์ เงิน',
  ]
    .join(' ')
    .split(' '),
)
const STOP_WORDS = new Set(
  [
    'ประกวดราคา ประกวด ราคา สอบราคา จ้าง จ้างเหมา เหมา เหมาบริการ ซื้อ จัดซื้อ จัด จัดจ้าง จัดหา จัดทำ ทำ โครงการ งาน การ ดำเนิน ดำเนินการ',
    'ดำเนินงาน รายการ และ ที่ พร้อม ได้ ไม่ เป็น มี กับ แบบ ชนิด ประเภท ต่างๆ ชุด เครื่อง คัน แห่ง หลัง ตัว อัน เมตร ตาราง บริการ กิจกรรม ค่า ด้าน',
    'ว่า น่า ปรึกษา ศึกษา วิเคราะห์ แนว แนวทาง ระบบ เพิ่ม เพิ่มเติม ใหม่ เก่า ใช้ ผู้ ทาง ส่วน กลุ่ม รายละเอียด พัฒนา วัน เดือน เช่า ครุภัณฑ์ อุปกรณ์ พศ ตลอดจน รวม',
  ]
    .join(' ')
    .split(' '),
)
/** Two-letter words that count as content. Other two-letter pieces are mostly fragments of unknown names. */
const SHORT_WORDS = new Set(['ยา', 'นม', 'รถ', 'ไฟ', 'ปู', 'it', 'tv', 'pc'])
/** Shorter concept names are ignored, because they occur within longer words by chance. */
const MIN_CONCEPT_LENGTH = 4

const CHANGE_CONCEPTS = ['improve', 'repair', 'maintain', 'dredge', 'demolish', 'design', 'supervise']
/** Concepts that are actions. The object follows them, even after words that otherwise introduce the place. */
const ACTION_CONCEPTS = [
  ...CHANGE_CONCEPTS,
  'construct',
  'install',
  'rent',
  'consult',
  'wash',
  'inspect',
  'move',
  'dispose',
]
/** Generic concepts: actions, and the material of half of all works. They sort last and their weight is halved. */
const GENERIC_CONCEPTS = [...ACTION_CONCEPTS, 'concrete']

/** Names of budget classes, which precede or replace the object of the purchase. */
const BUDGET_CLASSES =
  'วัสดุ ยานพาหนะและขนส่ง ยานพาหนะ ขนส่ง การเกษตร การศึกษา การแพทย์ โฆษณาและเผยแพร่ งานบ้านงานครัว เพิ่มประสิทธิภาพ'

/**
 * Matches compounds such as "ครุภัณฑ์ยานพาหนะ" and "ครุภัณฑ์การแพทย์", which are budget classes too, whatever follows.
 */
const CLASS_PREFIX = /^ครุภัณฑ์./

/** `hash` is the same on every machine. `weight` grows with the word's rarity. `text` is the spelling in the name. */
type Word = { readonly hash: number; readonly weight: number; readonly text: string }

export type NameWordExtractor = {
  /** Returns hashes of the content words in order, objects before actions. Hashes are always negative. */
  wordsOf(name: string): number[]
  textsOf(name: string): ReadonlyMap<number, string>
  /** True if the words include an object rather than only an action: two surveys of different objects are not alike. */
  namesObject(words: readonly number[]): boolean
  weightOf(hash: number): number
  /** Weighs every unit of the vocabulary, so that weights do not depend on the names that this process has read. */
  learnVocabulary(): Promise<void>
}

const MAX_WEIGHT = 9
const weigh = (count: number) => Math.min(MAX_WEIGHT, Math.log(1_000_000 / (count + 1)) + 1)

let shared: NameWordExtractor | undefined

export function createNameWordExtractor(): NameWordExtractor {
  shared ??= createNameWords(loadDefaultTermModel(), loadConceptDictionary())
  return shared
}

let sharedWithWeights: Promise<NameWordExtractor> | undefined

/**
 * Returns the shared extractor once it knows the weight of every word. Use it to weigh words of stored traits, whose
 * names this process may not have read.
 */
export function loadNameWordExtractor(): Promise<NameWordExtractor> {
  sharedWithWeights ??= (async () => {
    const words = createNameWordExtractor()
    await words.learnVocabulary()
    return words
  })()
  return sharedWithWeights
}

function createNameWords(model: TermModel, concepts: ConceptDictionary): NameWordExtractor {
  const weights = new Map<number, number>()
  const wordsByUnit = new Map<string, readonly Word[]>()
  const parts = conceptParts(concepts)

  const word = (text: string, count: number, spelled: string): Word => {
    const hash = hashOf(text)
    const weight = weigh(count)
    // A word with several spellings gets the weight of the most common one.
    weights.set(hash, Math.min(weight, weights.get(hash) ?? MAX_WEIGHT))
    return { hash, weight: weights.get(hash)!, text: spelled }
  }
  const building = hashOf('=construct')
  const doing = new Set(ACTION_CONCEPTS.map((name) => hashOf(`=${name}`)))
  const changing = new Set(CHANGE_CONCEPTS.map((name) => hashOf(`=${name}`)))
  const light = new Set([
    ...GENERIC_CONCEPTS.map((name) => hashOf(`=${name}`)),
    ...BUDGET_CLASSES.split(' ').map((text) => hashOf(toLoanWordSpellingKey(text))),
  ])
  const countOf = (text: string) => model.counts[model.ids.get(text) ?? -1] ?? 0

  function wordsOfUnit(text: string): readonly Word[] {
    const cached = wordsByUnit.get(text)
    if (cached) return cached
    const words = splitUnit(text)
    wordsByUnit.set(text, words)
    return words
  }

  function splitUnit(text: string): Word[] {
    if (CLASS_PREFIX.test(text)) {
      const classWord = word(toLoanWordSpellingKey(text), countOf(text), text)
      light.add(classWord.hash)
      return [classWord]
    }
    const [concept] = concepts.conceptsOf(text)
    if (concept) return [word(`=${concept.name}`, Math.max(...concept.equal.map(countOf)), text)]
    for (const { term, name, count } of parts) {
      const at = text.indexOf(term)
      if (at < 0 || text.length === term.length) continue
      return [
        ...splitRemainder(text.slice(0, at)),
        word(`=${name}`, count, term),
        ...splitRemainder(text.slice(at + term.length)),
      ]
    }
    const pieces = model.segmenter.segment(text, model.ids.get(text))
    // Only phrases of whole words are split, because "ปรับอากาศ" in "เครื่องปรับอากาศ" has no meaning of its own.
    const isPhrase = pieces.length > 1 && pieces.every((piece) => piece.id >= 0 && piece.text.length >= 3)
    if (isPhrase && pieces.some((piece) => STOP_WORDS.has(piece.text) || concepts.conceptsOf(piece.text).length > 0))
      return pieces.flatMap((piece) => (STOP_WORDS.has(piece.text) ? [] : wordsOfUnit(piece.text)))
    return [word(toLoanWordSpellingKey(text), countOf(text), text)]
  }

  function splitRemainder(text: string): Word[] {
    if (text.length < 3 || STOP_WORDS.has(text)) return []
    return model.segmenter.segment(text).flatMap((piece) => (isContent(piece) ? wordsOfUnit(piece.text) : []))
  }

  function extractWords(name: string): Word[] {
    const words: Word[] = []
    for (const unit of model.segmenter.unitsOf(stripTitleBoilerplate(normaliseThai(name)).slice(0, MAX_NAME_LENGTH))) {
      if (DETAIL_WORDS.has(unit.text)) {
        if (words.some(({ hash }) => !doing.has(hash))) break
        continue
      }
      if (!isContent(unit)) continue
      for (const word of wordsOfUnit(unit.text)) if (!words.some(({ hash }) => hash === word.hash)) words.push(word)
      if (words.length >= MAX_WORDS) break
    }
    return words
  }

  return {
    wordsOf(name) {
      const hashes = extractWords(name).map(({ hash }) => hash)
      // All construction names start with "จ้างก่อสร้าง", which is meaningful only if no other action follows.
      const isChanged = hashes.some((hash) => changing.has(hash))
      const contentHashes = hashes.filter((hash) => !isChanged || hash !== building).slice(0, MAX_WORDS)
      return [...contentHashes.filter((hash) => !light.has(hash)), ...contentHashes.filter((hash) => light.has(hash))]
    },
    namesObject: (words) => words.some((hash) => !doing.has(hash)),
    textsOf: (name) => new Map(extractWords(name).map(({ hash, text }) => [hash, text])),
    weightOf: (hash) => (weights.get(hash) ?? MAX_WEIGHT) * (light.has(hash) ? 0.5 : 1),
    async learnVocabulary() {
      // Rarer words have the maximum weight, like unknown ones.
      const units = [...model.ids].filter(
        ([text, id]) => isContent({ text, id }) && (weigh(countOf(text)) < MAX_WEIGHT || CLASS_PREFIX.test(text)),
      )
      await mapInTimeSlices(units, ([text]) => wordsOfUnit(text))
    },
  }
}

/**
 * Matches a Latin word, mostly a brand or drug name: not in the vocabulary, but more specific than the words around it.
 */
const LATIN_NAME = /^[a-z]{4,30}$/

function isContent({ text, id }: Pick<VocabularyUnitOccurrence, 'text' | 'id'>): boolean {
  return (id >= 0 || LATIN_NAME.test(text)) && (text.length > 2 || SHORT_WORDS.has(text)) && !STOP_WORDS.has(text)
}

function conceptParts({ concepts }: ConceptDictionary): { term: string; name: string; count: number }[] {
  const model = loadDefaultTermModel()
  return concepts
    .flatMap(({ name, equal }) => {
      const count = Math.max(...equal.map((term) => model.counts[model.ids.get(term) ?? -1] ?? 0))
      return equal.map((term) => ({ term, name, count }))
    })
    .filter(({ term }) => term.length >= MIN_CONCEPT_LENGTH)
    .sort((a, b) => b.term.length - a.term.length)
}

const hashOf = (text: string) => -1 - (hashFnv1a(text) & 0x7fff_ffff)

/** Returns the FNV-1a hash over UTF-16 units, 32 bits. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
