import type { SampleProvince } from './sample-provinces.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * Names of subdistricts, villages, roads and landmarks, composed of words typical of each region. A landmark is a
 * temple, a crossing or a hall, never a person's house: real titles name people there.
 */
type NameParts = { readonly heads: readonly string[]; readonly tails: readonly string[] }

const PARTS: Readonly<Record<'northeast' | 'north' | 'central' | 'east' | 'west' | 'south' | 'deep_south', NameParts>> =
  {
    northeast: {
      heads: splitWords('หนอง โนน โคก นา ดอน ห้วย กุด โพน คำ บึง ทุ่ง'),
      tails: splitWords(
        'บัวเงิน แสงทอง สะอาดใจ แก้วใส ทองคำ ไผ่งาม ขามเทศ หว้าน้อย ม่วงหวาน สำราญสุข เจริญดี ยางคำ กระทุ่มทอง แวงน้อย ตูมหวาน หินลาดงาม ปลาหมอทอง จิกงาม กุงเก่า ศรีเงิน สว่างใจ หญ้าแพรก เต็งใหญ่ ข่าใหญ่ สนมทอง ผักหวานป่า ตะแบกใหญ่ นกขมิ้น เสือหมอบ มะค่างาม',
      ),
    },
    north: {
      heads: splitWords('ป่า สัน แม่ ห้วย ทุ่ง ร่อง หนอง ปง เวียง ดอน'),
      tails: splitWords(
        'ตึงงาม แดดอ่อน ซางคำ ไคร้หลวง ทรายมูล แก้วคำ เหียงทอง แพะงาม ม่วงคำ สักทอง ขามเฒ่า เป้าคำ กล้วยคำ ลานช้าง อ้อยช้าง แขมหลวง ยางผา บงเหนือ ตาลชุม หมื่นแสน ปูคา มะกอกคำ ผักกูดน้อย ศรีชุมทอง ต้นเปาคำ ข้าวกล้างาม',
      ),
    },
    central: {
      heads: splitWords('บาง คลอง หนอง วัง ท่า ดอน ไผ่ โพธิ์ ลาด บึง สระ'),
      tails: splitWords(
        'กระเบื้องทอง พลวงทอง ขวางน้อย ตะเคียนคู่ มะม่วงหวาน ประดู่งาม สะแกทอง ไทรย้อย ยางโทน แขมทอง กระทุ่มโพรง พะยอมหอม เสาหิน ชันงาม ตาลเรียง ปลากราย มะขามเฒ่า ระกำหวาน จอกใหญ่ แก้วเงิน มะเดื่อทอง นกยูงทอง หญ้าไซทอง ข้าวหลามหอม กุ่มน้ำใส',
      ),
    },
    east: {
      heads: splitWords('บ่อ หนอง เขา คลอง ท่า ทุ่ง เนิน วัง ชำ'),
      tails: splitWords(
        'ปรือทอง ตะเคียนงาม ไม้แดงงาม ทรายเงิน กวางทอง สำโรงคู่ ยางขาว แสงจันทร์ มะปริงหวาน ระกำใหญ่ ชะอมป่า โสนน้อย ตาพุดทอง กระบกคู่ มะนาวหวาน สะท้อนหอม ฆ้อเหลือง ลำดวนหอม ซากไทร หินโค้ง',
      ),
    },
    west: {
      heads: splitWords('ห้วย หนอง ท่า เขา วัง ดอน ลำ พุ'),
      tails: splitWords(
        'กระบอกทอง กระเจาะ มะขามคู่ ไผ่รวก ราบเรียบ ตะกูทอง กร่างใหญ่ ปรือน้อย สะเดาหวาน ตะโกงาม หว้าเอน แร่เงิน ขนุนทอง มะสังข์ทอง ทรายขาวงาม รางบัวทอง ปลาไหลทอง ตะแบกงาม',
      ),
    },
    south: {
      heads: splitWords('ควน คลอง เขา นา ทุ่ง ท่า บ่อ ปาก เกาะ หนอง ป่า'),
      tails: splitWords(
        'ทังงาม หาดทรายเงิน ชะมวงหวาน ขวางทอง ปาบน้อย ไทรงาม ยางแดงคู่ มะพร้าวเรียง มุดหวาน ทองหลางคู่ ขี้เหล็กงาม ลำเจียกหอม หมากงาม ทรายแก้ว พลูทอง สะตอป่า เคี่ยมงาม โหนดคู่ แซะใหญ่ นุ้ยทอง พะยอมงาม กำหวาน',
      ),
    },
    deep_south: {
      heads: splitWords('ตันหยง บูเกะ ลูโบะ บาโง กูแบ ปาแด กาแล'),
      tails: splitWords('ดาลา บากง สะตา ปันยัง ซีแน ยามู ปูเต๊ะ มาตี กาเซาะ บือแน ตีงี สาเมาะ'),
    },
  }
const DEEP_SOUTH_PROVINCES = new Set([94, 95, 96])
const QUARTERS = splitWords('ใต้ เหนือ ใน นอก กลาง พัฒนา สามัคคี')

function splitWords(text: string): readonly string[] {
  return text.split(' ')
}

/** Returns a place name without "บ้าน" or "ตำบล", such as "หนองบัวเงิน". */
export function generatePlaceName(random: SeededRandom, province: SampleProvince): string {
  const deepSouth = DEEP_SOUTH_PROVINCES.has(province.code) && random.chance(0.7)
  const { heads, tails } = PARTS[deepSouth ? 'deep_south' : province.region]
  return random.pick(heads) + random.pick(tails)
}

/** Returns the name of a river, canal or pond without its class word: "พลวงทอง" in "ลำห้วยพลวงทอง". */
export function generateWaterBodyName(random: SeededRandom, province: SampleProvince): string {
  return random.pick(PARTS[province.region].tails)
}

export function generateVillageName(random: SeededRandom, province: SampleProvince): string {
  return `บ้าน${generatePlaceName(random, province)}${random.chance(0.22) ? random.pick(QUARTERS) : ''}`
}

const TEMPLES = splitWords(
  'โพธิ์ศรีงาม ทุ่งสว่าง สระแก้ว ป่าสามัคคี ศรีบุญเรือง ใหม่พัฒนา กลางทุ่ง เหนือวัง ท่าน้ำ ไทรทอง เขาแก้ว ธาตุทอง โพธาราม อัมพวัน ราษฎร์บำรุง บ้านใหม่',
)
const LANDMARKS = [
  'ศาลากลางหมู่บ้าน',
  'ศาลาประชาคม',
  'สามแยกปากทางเข้าหมู่บ้าน',
  'สี่แยกกลางบ้าน',
  'ลานกีฬาหมู่บ้าน',
  'ฌาปนสถาน',
  'สระน้ำสาธารณะ',
  'คลองส่งน้ำชลประทาน',
  'ตลาดสด',
  'ที่ทำการกำนัน',
  'โรงสีชุมชน',
  'ประปาหมู่บ้าน',
  'ท้ายหมู่บ้าน',
  'ถนนลาดยางสายหลัก',
  'ศูนย์พัฒนาเด็กเล็ก',
] as const

export function generateLandmarkName(random: SeededRandom): string {
  return random.chance(0.4) ? `วัด${random.pick(TEMPLES)}` : random.pick(LANDMARKS)
}

const ROAD_HEADS = splitWords('ประชา ราษฎร์ มิตร ร่วม ศรี ชัย สุข ธรรม เทศ')
const ROAD_TAILS = splitWords('พัฒนา สามัคคี อุทิศ ร่มเย็น บำรุง เจริญ นิมิต สำราญ รังสรรค์ ภิรมย์')

export function generateStreetName(random: SeededRandom): string {
  const roll = random.next()
  if (roll < 0.3) return `ซอยเทศบาล ${random.int(2, 38)}`
  const name = random.pick(ROAD_HEADS) + random.pick(ROAD_TAILS)
  if (roll < 0.65) return `ซอย${name} ${random.int(1, 24)}`
  return `ถนน${name}`
}
