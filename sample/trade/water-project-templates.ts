import { parseBuyerWeights } from '#sample/buyer-kinds.ts'
import {
  generateLandmarkName,
  generatePlaceName,
  generateVillageName,
  generateWaterBodyName,
} from '#sample/place-names.ts'
import {
  clamp,
  formatSampleTitleNumber,
  formatSiteAddress,
  roundToSignificantDigits,
  type SampleTitleContext,
} from '#sample/title-words.ts'
import type { GeneratedProjectDraft, ProjectTemplate } from './templates.ts'

/** The budget of a project follows from the dimensions in its title. */
export const WATER_PROJECT_TEMPLATES: readonly ProjectTemplate[] = [
  {
    trade: 'water',
    buyers: parseBuyerWeights('tambon:6 municipality:3 pao:3 water:5 province_hall:5'),
    compose: villageSupply,
  },
  {
    trade: 'water',
    buyers: parseBuyerWeights('tambon:5 municipality:2 pao:2 irrigation:7 water:6 province_hall:5'),
    compose: dredging,
  },
  {
    trade: 'water',
    buyers: parseBuyerWeights('public_works:34 irrigation:4 municipality:1 town:3 bangkok:4 pao:1'),
    compose: riverWall,
  },
  { trade: 'water', buyers: parseBuyerWeights('irrigation:26 water:8'), compose: irrigation },
  {
    trade: 'water',
    buyers: parseBuyerWeights('water:18 irrigation:4 agriculture:3 tambon:1.4 province_hall:4'),
    compose: solarPumping,
  },
  { trade: 'water', buyers: parseBuyerWeights('public_works:16 bangkok:7 town:3 irrigation:3'), compose: floodWork },
  { trade: 'water', buyers: parseBuyerWeights('utility:34 water:2 town:1 bangkok:1'), compose: pipeLaying },
]

function idea(body: string, budget: number, days: number): GeneratedProjectDraft {
  return {
    body,
    budget: roundToSignificantDigits(budget, 4),
    type: 'construct',
    trade: 'water',
    days,
    isCatalogued: false,
  }
}

function head(context: SampleTitleContext, work: string): string {
  return context.random.chance(0.5) ? `โครงการ${work}` : work
}

function villagePlace(context: SampleTitleContext): string {
  const { random, province } = context
  if (province.code === 10) return formatSiteAddress(context)
  const village = `${generateVillageName(random, province)} หมู่ที่ ${random.int(1, 16)}`
  return random.chance(0.45) ? `${village} ${formatSiteAddress(context)}` : village
}

function villageSupply(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const [work, low, high] = random.pick([
    ['ก่อสร้างระบบประปาหมู่บ้านแบบผิวดินขนาดใหญ่', 2_800_000, 6_500_000],
    ['ก่อสร้างระบบประปาหมู่บ้านแบบบาดาลขนาดกลาง', 900_000, 2_600_000],
    ['ก่อสร้างหอถังสูงรูปทรงแชมเปญ ขนาดความจุ 20 ลูกบาศก์เมตร', 360_000, 780_000],
    ['ขยายเขตท่อเมนประปาภายในหมู่บ้าน', 300_000, 2_400_000],
    ['ขุดเจาะบ่อบาดาลพร้อมติดตั้งเครื่องสูบน้ำไฟฟ้า', 260_000, 900_000],
    ['ปรับปรุงระบบกรองน้ำประปาหมู่บ้าน', 320_000, 1_900_000],
  ] as const)
  const budget = clamp(context.target, low * (1 + random.next() * 0.2), high * (0.75 + random.next() * 0.25))
  return idea(`${head(context, work)} ${villagePlace(context)}`, budget, 120)
}

function dredging(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const water = `${random.pick(['คลอง', 'ลำห้วย', 'หนอง', 'บึง'])}${generateWaterBodyName(random, province)}`
  const price = 32 + random.int(0, 14)
  const volume = clamp(Math.round(context.target / price / 100) * 100, 5_000, 900_000)
  const quantity = random.chance(0.5) ? ` ปริมาตรดินขุดไม่น้อยกว่า ${formatSampleTitleNumber(volume)} ลูกบาศก์เมตร` : ''
  const work = head(context, `${random.pick(['ขุดลอก', 'ขุดลอกและฟื้นฟู', 'พัฒนาแหล่งน้ำและขุดลอก'])}${water}`)
  return idea(`${work} ${villagePlace(context)}${quantity}`, volume * price, 90)
}

function riverWall(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const river = random.pick(['ริมแม่น้ำ', 'ริมคลอง', 'ริมลำน้ำ', 'ริมห้วย']) + generateWaterBodyName(random, province)
  const price = 88_000 + random.int(0, 62_000)
  const length = clamp(Math.round(context.target / price / 5) * 5, 40, 1_800)
  const work = head(context, `ก่อสร้างเขื่อนป้องกันตลิ่ง${river}`)
  const locationSuffix = random.chance(0.4) ? ` บริเวณ${generateLandmarkName(random)}` : ''
  const size = random.chance(0.6) ? ` ความยาวไม่น้อยกว่า ${formatSampleTitleNumber(length)} เมตร` : ''
  return idea(`${work}${locationSuffix} ${villagePlace(context)}${size}`, length * price, clamp(length, 180, 720))
}

const IRRIGATION_WORKS = [
  'ก่อสร้างระบบส่งน้ำพร้อมอาคารประกอบ',
  'ปรับปรุงคลองส่งน้ำสายใหญ่พร้อมอาคารบังคับน้ำ',
  'ก่อสร้างอ่างเก็บน้ำพร้อมอาคารประกอบ',
  'ก่อสร้างฝายทดน้ำพร้อมระบบส่งน้ำ',
  'ก่อสร้างประตูระบายน้ำและทำนบดิน',
  'ซ่อมแซมคันคลองและอาคารชลประทาน',
] as const

function irrigation(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const name = generateWaterBodyName(random, province)
  if (random.chance(0.16)) {
    const pieces = random.int(3, 46)
    const body = `ท่อเหล็กกล้าเชื่อมด้วยไฟฟ้าและอุปกรณ์ประกอบ จำนวน ${pieces} รายการ สำหรับงานระบบส่งน้ำห้วย${name} ${formatSiteAddress(context)}`
    return { ...idea(body, context.target * 1.2, 150), type: 'buy' }
  }
  const budget = clamp(context.target * (0.7 + random.next()), 600_000, 850_000_000)
  const days = clamp(Math.round(Math.sqrt(budget) / 15 / 30) * 30, 90, 1_080)
  return idea(
    `${head(context, random.pick(IRRIGATION_WORKS))} ${random.pick(['คลอง', 'ห้วย', 'ลำ'])}${name} ${formatSiteAddress(context)}`,
    budget,
    days,
  )
}

function solarPumping(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const work = random.pick([
    'ก่อสร้างระบบกระจายน้ำด้วยพลังงานแสงอาทิตย์',
    'อนุรักษ์ฟื้นฟูแหล่งน้ำพร้อมระบบกระจายน้ำด้วยพลังงานแสงอาทิตย์',
    'พัฒนาแหล่งน้ำบาดาลเพื่อการเกษตรด้วยพลังงานแสงอาทิตย์',
  ])
  const budget = clamp(context.target, 650_000 * (1 + random.next() * 0.5), 48_000_000)
  const fields = random.chance(0.4)
    ? ` พื้นที่รับประโยชน์ ${formatSampleTitleNumber(Math.round(budget / 180_000) * 10)} ไร่`
    : ''
  return idea(`${head(context, work)} ${villagePlace(context)}${fields}`, budget, 180)
}

function floodWork(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const work = random.pick([
    'ก่อสร้างระบบระบายน้ำหลักเพื่อบรรเทาปัญหาน้ำท่วม',
    'ก่อสร้างสถานีสูบน้ำและบ่อสูบน้ำ',
    'ก่อสร้างแนวป้องกันน้ำท่วมถาวร',
    'ปรับปรุงอาคารรับน้ำและประตูระบายน้ำ',
  ])
  const stage = random.chance(0.3) ? ` ระยะที่ ${random.int(1, 3)}` : ''
  const budget = clamp(context.target * 1.4, 3_200_000 * (1 + random.next()), 650_000_000)
  const town = province.code === 10 ? '' : ` ชุมชน${generatePlaceName(random, province)}`
  return idea(
    `${head(context, work)}${town} ${formatSiteAddress(context)}${stage}`,
    budget,
    clamp(Math.round(Math.sqrt(budget) / 450) * 30, 150, 1_080),
  )
}

function pipeLaying(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  if (context.department.name.startsWith('การประปา') || !context.department.name.startsWith('การ')) {
    const work = random.pick(['วางท่อขยายเขตจำหน่ายน้ำ', 'ปรับปรุงเส้นท่อและลดน้ำสูญเสีย', 'เปลี่ยนท่อเมนจ่ายน้ำที่เสื่อมสภาพ'])
    const length = clamp(Math.round(context.target / 2_600 / 50) * 50, 300, 40_000)
    const size = random.chance(0.6) ? ` ความยาวไม่น้อยกว่า ${formatSampleTitleNumber(length)} เมตร` : ''
    const near = province.code === 10 ? '' : ` บริเวณบ้าน${generatePlaceName(random, province)}`
    return idea(`${work}${near} ${formatSiteAddress(context)}${size}`, length * (2_200 + random.int(0, 900)), 180)
  }
  const work = random.pick([
    'ก่อสร้างระบบจำหน่ายไฟฟ้าแรงสูงและแรงต่ำ',
    'ปรับปรุงระบบจำหน่ายและสับเปลี่ยนหม้อแปลง',
    'ก่อสร้างอาคารสถานีไฟฟ้าย่อย',
  ])
  return idea(`${work} ${formatSiteAddress(context)}`, clamp(context.target * 1.3, 700_000, 180_000_000), 240)
}
