import { parseBuyerWeights } from '#sample/buyer-kinds.ts'
import {
  generateLandmarkName,
  generatePlaceName,
  generateStreetName,
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

/** The budget of a project follows from the dimensions in its title, at unit prices of recent years. */
export const ROAD_PROJECT_TEMPLATES: readonly ProjectTemplate[] = [
  {
    trade: 'roads',
    buyers: parseBuyerWeights('tambon:15 municipality:10 town:4 pao:5 province_hall:3'),
    compose: concreteRoad,
  },
  {
    trade: 'roads',
    buyers: parseBuyerWeights('tambon:9 municipality:8 town:5 pao:11 bangkok:3 province_hall:1'),
    compose: asphaltRoad,
  },
  { trade: 'roads', buyers: parseBuyerWeights('tambon:5 municipality:1 pao:1 province_hall:1'), compose: gravelRoad },
  {
    trade: 'roads',
    buyers: parseBuyerWeights('tambon:5 municipality:8 town:6 pao:1 bangkok:7 province_hall:1'),
    compose: drain,
  },
  {
    trade: 'roads',
    buyers: parseBuyerWeights('tambon:1.6 municipality:1.2 pao:2 town:0.6 bangkok:1 province_hall:1'),
    compose: bridge,
  },
  { trade: 'roads', buyers: parseBuyerWeights('highway:58'), compose: highway },
  { trade: 'roads', buyers: parseBuyerWeights('rural_road:56'), compose: ruralRoad },
]

const THICK_ASPHALT = ['แอสฟัลต์คอนกรีต', 'แอสฟัลท์ติกคอนกรีต', 'แอสฟัลติกคอนกรีต'] as const

const ROUTE_ENDS = ['ทางเข้าชุมชน', 'สุดเส้นทางเดิม', 'ถนนสายหลัก', 'คลองระบายน้ำ', 'สุดเขตทาง'] as const

function route(context: SampleTitleContext): string {
  const { random, province, department } = context
  const isTown = department.kind === 'town' || department.kind === 'municipality'
  if (province.code === 10 || (isTown && random.chance(0.5))) {
    const street = generateStreetName(random)
    return random.chance(0.4) ? `${street} ช่วงจาก${generateLandmarkName(random)}ถึง${random.pick(ROUTE_ENDS)}` : street
  }
  const village = `${generateVillageName(random, province)} หมู่ที่ ${random.int(1, 16)}`
  const roll = random.next()
  if (roll < 0.3)
    return `สายบ้าน${generatePlaceName(random, province)} - บ้าน${generatePlaceName(random, province)} หมู่ที่ ${random.int(1, 16)}`
  if (roll < 0.55) {
    const [from, to] = [generateLandmarkName(random), generateLandmarkName(random)]
    return from === to ? `ช่วงจาก${from} ${village}` : `สาย${from} - ${to} ${village}`
  }
  if (roll < 0.72) return `${village} เชื่อมต่อตำบล${generatePlaceName(random, province)}`
  if (roll < 0.84)
    return `รหัสทางหลวงท้องถิ่น ${province.abbreviation}.ถ.${random.int(10, 99)}-${String(random.int(1, 130)).padStart(3, '0')} ${village}`
  return `ภายในหมู่บ้าน ${village}`
}

function measures(context: SampleTitleContext, width: number, length: number, thick: number): string {
  const area = formatSampleTitleNumber(width * length)
  const spec = `กว้าง ${formatSampleTitleNumber(width, 2)} เมตร ยาว ${formatSampleTitleNumber(length)} เมตร หนา ${formatSampleTitleNumber(thick, 2)} เมตร`
  const roll = context.random.next()
  if (roll < 0.64) return ''
  if (roll < 0.82) return ` ${spec}`
  return ` ${spec} หรือมีพื้นที่ไม่น้อยกว่า ${area} ตารางเมตร`
}

function site(context: SampleTitleContext): string {
  const roll = context.random.next()
  if (roll < 0.2) return ` ${formatSiteAddress(context)}`
  if (roll < 0.5 && context.province.code !== 10) return ` ตำบล${context.subdistrict}`
  return ''
}

function idea(body: string, budget: number, days = 0): GeneratedProjectDraft {
  const duration = days > 0 ? days : clamp(Math.round(Math.sqrt(budget) / 14 / 15) * 15, 45, 720)
  return {
    body,
    budget: roundToSignificantDigits(budget, 4),
    type: 'construct',
    trade: 'roads',
    days: duration,
    isCatalogued: false,
  }
}

function prefix(context: SampleTitleContext, work: string): string {
  return context.random.chance(0.5) ? `โครงการ${work}` : work
}

function roadLength(context: SampleTitleContext, pricePerMetre: number, low: number, high: number): number {
  return clamp(Math.round(context.target / pricePerMetre / 5) * 5, low, high)
}

function concreteRoad(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const width = random.pick([3, 4, 4, 4, 5, 5, 6])
  const price = 640 + random.int(0, 190)
  const length = roadLength(context, width * price, 60, 3_600)
  const name = random.pick(['ถนนคอนกรีตเสริมเหล็ก', 'ถนนคอนกรีตเสริมเหล็ก', 'ถนน คสล.'])
  const drain = random.chance(0.12) ? ' พร้อมวางท่อระบายน้ำ' : ''
  const work = prefix(context, `ก่อสร้าง${name}${drain}`)
  const body = `${work} ${route(context)}${measures(context, width, length, 0.15)}${site(context)}`
  return idea(body, width * length * price * (drain ? 1.7 : 1))
}

function asphaltRoad(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const asphalt = random.pick(THICK_ASPHALT)
  const recycling = random.chance(0.22)
  const width = recycling ? random.pick([6, 7, 8]) : random.pick([4, 5, 6])
  const price = recycling ? 720 + random.int(0, 180) : 390 + random.int(0, 120)
  const length = roadLength(context, width * price, 150, 9_000)
  const work = recycling
    ? prefix(context, `ปรับปรุงถนนลาดยางผิวทาง${asphalt} โดยวิธี Pavement In-Place Recycling`)
    : prefix(
        context,
        random.pick([`เสริมผิวถนน${asphalt}`, `ปรับปรุงถนนผิวจราจร${asphalt}`, `ซ่อมสร้างผิวทาง${asphalt} (Overlay)`]),
      )
  const body = `${work} ${route(context)}${measures(context, width, length, recycling ? 0.05 : random.pick([0.04, 0.05]))}${site(context)}`
  return idea(body, width * length * price)
}

function gravelRoad(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const surface = random.pick(['ลูกรัง', 'หินคลุก', 'ลูกรังบดอัดแน่น'])
  const width = random.pick([3, 4, 5])
  const price = 62 + random.int(0, 55)
  const length = clamp(roadLength(context, width * price * 2.2, 300, 6_000), 300, 6_000)
  const work = prefix(context, `${random.pick(['ปรับปรุงถนน', 'ซ่อมแซมถนน', 'ก่อสร้างถนน'])}${surface}เพื่อการเกษตร`)
  const body = `${work} ${route(context)}${measures(context, width, length, 0.15)}${site(context)}`
  return idea(body, width * length * price, 45)
}

function drain(context: SampleTitleContext): GeneratedProjectDraft {
  const { random } = context
  const isPipe = random.chance(0.5)
  const price = isPipe ? 3_200 + random.int(0, 2_600) : 2_500 + random.int(0, 1_700)
  const length = roadLength(context, price, 60, 4_000)
  const work = isPipe
    ? prefix(
        context,
        `วางท่อระบายน้ำคอนกรีตเสริมเหล็ก ขนาดเส้นผ่านศูนย์กลาง ${random.pick(['0.40', '0.60', '0.80'])} เมตร พร้อมบ่อพัก`,
      )
    : prefix(context, `ก่อสร้างรางระบายน้ำคอนกรีตเสริมเหล็ก${random.pick(['รูปตัวยู', 'พร้อมฝาปิด', 'สองข้างทาง'])}`)
  const long = random.chance(0.5) ? ` ความยาวรวมไม่น้อยกว่า ${formatSampleTitleNumber(length)} เมตร` : ''
  return idea(`${work} ${route(context)}${long}${site(context)}`, length * price)
}

function bridge(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const width = random.pick([6, 7, 8, 9])
  const isBox = context.target < 1_500_000 || random.chance(0.3)
  const village = `${generateVillageName(random, province)} หมู่ที่ ${random.int(1, 16)}`
  const stream = `${random.pick(['ลำห้วย', 'คลอง', 'ลำน้ำ'])}${generateWaterBodyName(random, province)}`
  const place = province.code === 10 ? generateStreetName(random) : village
  if (isBox) {
    const cells = random.int(2, 4)
    const work = prefix(context, `ก่อสร้างท่อลอดเหลี่ยมคอนกรีตเสริมเหล็ก ชนิด ${cells} ช่องทาง ขนาด 2.40 x 2.40 เมตร`)
    return idea(`${work} ข้าม${stream} ${place}${site(context)}`, cells * width * (36_000 + random.int(0, 14_000)))
  }
  const price = width * (9_500 + random.int(0, 3_500))
  const length = clamp(Math.round(context.target / price), 10, 80)
  const work = prefix(context, `ก่อสร้างสะพานคอนกรีตเสริมเหล็กข้าม${stream}`)
  const size = ` กว้าง ${formatSampleTitleNumber(width, 2)} เมตร ยาว ${formatSampleTitleNumber(length)} เมตร`
  return idea(`${work} ${place}${size}${site(context)}`, length * price, clamp(length * 6, 120, 450))
}

/** Returns a highway number. Its first digit is the region: 1 north, 2 northeast, 3 centre, east and west, 4 south. */
function highwayNumber(context: SampleTitleContext): string {
  const { random, province } = context
  const regionDigit =
    province.region === 'north' ? 1 : province.region === 'northeast' ? 2 : province.region === 'south' ? 4 : 3
  return random.chance(0.5)
    ? `${regionDigit}${random.int(10, 480)}`
    : `${regionDigit}${String(random.int(1, 420)).padStart(3, '0')}`
}

const HIGHWAY_WORKS = [
  ['งานบูรณะทางผิวแอสฟัลต์', 8_000_000],
  ['งานฟื้นฟูทางหลวง', 12_000_000],
  ['งานเสริมผิวแอสฟัลต์คอนกรีต', 6_000_000],
  ['งานก่อสร้างเพิ่มช่องจราจร', 22_000_000],
  ['งานปรับปรุงทางหลวงผ่านย่านชุมชน', 18_000_000],
  ['งานติดตั้งไฟฟ้าแสงสว่าง', 3_500_000],
  ['งานติดตั้งราวกันอันตราย', 2_200_000],
  ['งานตีเส้นจราจรและเครื่องหมายบนพื้นทาง', 1_900_000],
  ['งานบำรุงรักษาสะพานและโครงสร้าง', 4_000_000],
  ['งานปรับปรุงจุดเสี่ยงและบริเวณอันตราย', 7_500_000],
  ['งานระบบระบายน้ำและป้องกันการกัดเซาะ', 5_500_000],
] as const

function highway(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const [work, typical] = random.pick(HIGHWAY_WORKS)
  const budget = clamp(random.logNormal(typical, 0.7) * (context.target / 16_000_000) ** 0.5, 650_000, 980_000_000)
  const from = random.int(0, 160) + random.int(0, 39) * 0.025
  const to = from + clamp(budget / 9_000_000, 0.2, 14)
  const kilometre = (value: number) =>
    `กม.${Math.floor(value)}+${String((Math.round((value % 1) * 40) * 25) % 1000).padStart(3, '0')}`
  const section = `ตอน ${generatePlaceName(random, province)} - ${generatePlaceName(random, province)}`
  const head = random.chance(0.34) ? 'กิจกรรมบำรุงรักษาทางหลวงแผ่นดิน ' : ''
  const ending = random.chance(0.5) ? ' ปริมาณงาน 1 แห่ง' : ` จังหวัด${province.th}`
  const body = `${head}${work} ทางหลวงหมายเลข ${highwayNumber(context)} ${section} ระหว่าง ${kilometre(from)} - ${kilometre(to)}${ending}`
  return idea(body, budget)
}

const RURAL_WORKS = [
  ['ซ่อมสร้างถนนลาดยางแอสฟัลต์คอนกรีต', 3_600_000],
  ['เสริมผิวลาดยางแอสฟัลต์คอนกรีต', 2_400_000],
  ['ก่อสร้างถนนลาดยางแอสฟัลต์คอนกรีต', 6_500_000],
  ['ขยายช่องจราจรและปรับปรุงไหล่ทาง', 7_000_000],
  ['ก่อสร้างถนนคอนกรีตเสริมเหล็ก', 5_200_000],
] as const

function ruralRoad(context: SampleTitleContext): GeneratedProjectDraft {
  const { random, province } = context
  const code = `${province.abbreviation}.${random.int(1, 6)}${String(random.int(1, 120)).padStart(3, '0')}`
  const line = `สาย ${code} แยกทางหลวงหมายเลข ${highwayNumber(context)} - บ้าน${generatePlaceName(random, province)}`
  const location = ` อำเภอ${context.district} จังหวัด${province.th}`
  if (random.chance(0.14)) {
    const length = random.int(3, 24) * 5
    const body = `ก่อสร้างสะพานข้ามคลอง${generateWaterBodyName(random, province)} บนถนน${line}${location} ความยาว ${length} เมตร`
    return idea(body, length * (310_000 + random.int(0, 130_000)), 360)
  }
  const [work, perKilometre] = random.pick(RURAL_WORKS)
  const kilometres = clamp(Math.round((context.target / perKilometre) * 40) / 40, 0.5, 18)
  const body = `${work} ถนน${line}${location} ระยะทาง ${formatSampleTitleNumber(kilometres, 3)} กิโลเมตร`
  return idea(body, kilometres * perKilometre * (0.85 + random.next() * 0.3))
}
