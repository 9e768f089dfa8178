import { REGIONS } from '#contract/thai/province.ts'
import { SAMPLE_PROVINCES, type SampleProvince } from './sample-provinces.ts'
import { createSeededRandom, createWeightedPicker, type SeededRandom } from './seeded-random.ts'
import type { SampleWorkKind } from './trade/templates.ts'

/**
 * Thirteen-digit numbers with a valid checksum, for companies that do not exist. Layout of a real juristic number: 0,
 * registration province (2), type (1), Buddhist year (3), serial (5), check digit. No registry has province 98, so no
 * real company can have one of these.
 */
const UNUSED_PROVINCE_CODE = '98'

/** Returns the check digit of the first twelve digits: (11 − Σ d[i]·(13 − i) mod 11) mod 10. */
export function computeTaxIdCheckDigit(twelveDigits: string): number {
  let sum = 0
  for (let index = 0; index < 12; index++) sum += Number(twelveDigits[index]) * (13 - index)
  return (11 - (sum % 11)) % 10
}

/**
 * Returns a valid tax id of a company that does not exist. `type`: 3 limited partnership, 5 company limited; `year`:
 * Buddhist, four digits.
 */
export function createFakeTaxId(type: 3 | 5, year: number, serial: number): string {
  const head = `0${UNUSED_PROVINCE_CODE}${type}${String(year).slice(1)}${String(serial).padStart(5, '0')}`
  return `${head}${computeTaxIdCheckDigit(head)}`
}

export type SampleCompany = {
  readonly name: string
  /** Null for shops and persons, which are published without a tax id. */
  readonly taxId: string | null
  readonly isSme: boolean
  readonly trade: SampleWorkKind
  readonly province: SampleProvince
}

/** Neutral words that sound like company names; no pair of them names a winner in the real data. */
const FIRST_WORDS =
  'ธารา พนา ศิลา นที ภูผา เมฆา อรุณ ทิวา ปฐพี วารี คีรี สินธุ พฤกษ์ วายุ ตะวัน ดารา ไพลิน มรกต โกเมน เพทาย บุษรา จามจุรี ราชพฤกษ์ ทองกวาว ลีลาวดี แก้วเกล้า หยาดฟ้า ม่านเมฆ ลานทราย ทุ่งทอง ดอยหมอก ผาแดง สายธาร ปลายฟ้า เนินทราย ริมน้ำ ไทรงาม หินคราม ดินทอง ปลายนา ฟ้าคราม เมฆขาว ลมเหนือ รุ่งสาง หมอกงาม คลื่นคราม ทรายแก้ว ร่มไม้ เงาไผ่ กอบัว รวงทอง น้ำค้าง สายรุ้ง ตะแบก ประดู่ พะยอม สารภี การะเกด กาสะลอง ปาริชาต'.split(
    ' ',
  )
const SECOND_WORDS =
  'วิวัฒน์กิจ นิรันดร์กิจ ธนาคม พิพัฒนา กังวาล บวรทวี ไพศาลกิจ มงคลกิจ รุ่งโรจน์กิจ เกื้อกูล อนันต์กิจ สถาพรกิจ วรกิจ ไตรภูมิ ปัญจทวี จตุรทิศ นวมิตร ทวีเกื้อ ร่มเกล้า ชลธาร เบญจกิจ ศุภมิตร ก้าวหน้ากิจ มั่นคงดี พรรณราย เจริญนคร ภิญโญกิจ ธำรงกิจ อุดมทวี สหทวี เอกทวี รวมมิตร เพิ่มกิจ สืบกิจ นำทวี ยิ่งกิจ คู่ฟ้า สี่ทิศ'.split(
    ' ',
  )

const TRADE_WORDS: Readonly<Record<SampleWorkKind, readonly string[]>> = {
  roads: ['การโยธา', 'การทาง', 'คอนสตรัคชั่น', 'ก่อสร้าง', 'วิศวกรรมโยธา'],
  buildings: ['ก่อสร้าง', 'บิลดิ้ง', 'คอนสตรัคชั่น', 'วิศวการ', 'เรียลบิลด์'],
  water: ['การชลประทาน', 'ก่อสร้าง', 'วอเตอร์เวิร์ค', 'การโยธา', 'เอ็นจิเนียริ่ง'],
  technology: ['เทคโนโลยี', 'ซิสเต็มส์', 'ดิจิทัล', 'เน็ตเวิร์ค', 'อินฟอร์เมชั่น', 'โซลูชั่น'],
  medical: ['เมดิคอล', 'การแพทย์', 'เฮลท์แคร์', 'เมดเทค', 'ไซเอนทิฟิค'],
  vehicles: ['ยานยนต์', 'มอเตอร์', 'จักรกล', 'ออโต้ทรัค'],
  supplies: ['ซัพพลาย', 'เทรดดิ้ง', 'พาณิชย์', 'มาร์เก็ตติ้ง', 'ครุภัณฑ์'],
  systems: ['เอ็นจิเนียริ่ง', 'การไฟฟ้าและเครื่องกล', 'อีเล็คทริค', 'เอ็นเนอร์ยี'],
  services: ['เซอร์วิส', 'บริการ', 'บริหารงาน', 'แมเนจเม้นท์'],
  consulting: ['คอนซัลแตนท์', 'ที่ปรึกษา', 'วิจัยและพัฒนา', 'แพลนนิ่ง'],
}

const COMPANIES_PER_TRADE: Readonly<Record<SampleWorkKind, number>> = {
  roads: 420,
  buildings: 320,
  water: 180,
  technology: 220,
  medical: 180,
  vehicles: 120,
  supplies: 220,
  systems: 140,
  services: 160,
  consulting: 70,
}

export type SampleCompanies = {
  readonly all: readonly SampleCompany[]
  /** Picks a company of the trade, preferring those from the same or a neighbouring province. */
  pick(random: SeededRandom, trade: SampleWorkKind, province: SampleProvince): SampleCompany
}

export function createSampleCompanies(seed: number): SampleCompanies {
  const random = createSeededRandom(seed, 'companies')
  const all: SampleCompany[] = []
  const usedNames = new Set<string>()
  for (const [trade, count] of Object.entries(COMPANIES_PER_TRADE) as [SampleWorkKind, number][]) {
    for (let created = 0; created < count; ) {
      const base = `${random.pick(FIRST_WORDS)}${random.pick(SECOND_WORDS)}`
      if (usedNames.has(base)) continue
      usedNames.add(base)
      all.push(makeCompany(random, trade, base, all.length))
      created += 1
    }
  }
  return { all, pick: createPicker(all) }
}

function makeCompany(random: SeededRandom, trade: SampleWorkKind, base: string, serial: number): SampleCompany {
  const province = random.chance(0.34) ? SAMPLE_PROVINCES[0]! : random.pick(SAMPLE_PROVINCES)
  const word = random.pick(TRADE_WORDS[trade])
  const isSmallTrade = trade === 'roads' || trade === 'buildings' || trade === 'water' || trade === 'supplies'
  const roll = random.next()
  if (trade === 'supplies' && roll < 0.12) {
    return { name: `ร้าน${base}${word}`, taxId: null, isSme: true, trade, province }
  }
  const isPartnership = roll < (isSmallTrade ? 0.62 : 0.18)
  const year = 2_535 + random.int(0, 29)
  const name = isPartnership ? `ห้างหุ้นส่วนจำกัด ${base}${word}` : `บริษัท ${base} ${word} จำกัด`
  const taxId = createFakeTaxId(isPartnership ? 3 : 5, year, (serial * 37) % 100_000)
  return { name, taxId, isSme: random.chance(isPartnership ? 0.94 : 0.76), trade, province }
}

function createPicker(all: readonly SampleCompany[]): SampleCompanies['pick'] {
  const pickers = new Map<string, (random: SeededRandom) => SampleCompany>()
  for (const trade of Object.keys(COMPANIES_PER_TRADE)) {
    const inTrade = all.filter((company) => company.trade === trade)
    pickers.set(`${trade}|`, busyFirstPicker(inTrade))
    for (const { code } of REGIONS) {
      const near = inTrade.filter((company) => company.province.region === code)
      pickers.set(`${trade}|${code}`, busyFirstPicker(near.length > 0 ? near : inTrade))
    }
  }
  return (random, trade, province) => pickers.get(`${trade}|${random.chance(0.62) ? province.region : ''}`)!(random)
}

function busyFirstPicker(members: readonly SampleCompany[]): (random: SeededRandom) => SampleCompany {
  const positions = new Map(members.map((member, index) => [member, index]))
  return createWeightedPicker(members, (member) => 1 / (1 + positions.get(member)! / 9))
}
