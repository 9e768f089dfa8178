/**
 * A draft TOR and its final version with twelve differences: nine clauses with other figures or words, one moved, one
 * deleted, one added. `layOut` breaks both into different lines and pages, as another printer does.
 */
const CHAPTERS: readonly (readonly [string, readonly string[]])[] = [
  ['ความเป็นมา', ['หน่วยงานมีความประสงค์จะจัดซื้อระบบกล้องโทรทัศน์วงจรปิดพร้อมติดตั้ง เพื่อเพิ่มความปลอดภัยของอาคารสำนักงานและพื้นที่โดยรอบ']],
  [
    'คุณสมบัติของผู้ยื่นข้อเสนอ',
    [
      'มีความสามารถตามกฎหมาย',
      'ไม่เป็นบุคคลล้มละลาย',
      'ไม่อยู่ระหว่างเลิกกิจการ',
      'เป็นนิติบุคคลผู้มีอาชีพขายพัสดุที่ประกวดราคาอิเล็กทรอนิกส์ดังกล่าว',
      'ผู้ยื่นข้อเสนอต้องมีผลงานติดตั้งกล้องวงจรปิดในวงเงินไม่น้อยกว่า ๕,๐๐๐,๐๐๐ บาท (ห้าล้านบาทถ้วน) ต่อหนึ่งสัญญา ภายใน ๓ ปี นับถึงวันยื่นข้อเสนอ',
      'ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001 และแนบสำเนาหนังสือรับรองที่ยังไม่หมดอายุ',
      'ผู้ยื่นข้อเสนอต้องลงทะเบียนในระบบจัดซื้อจัดจ้างภาครัฐด้วยอิเล็กทรอนิกส์ (e-GP) ของกรมบัญชีกลาง',
    ],
  ],
  [
    'คุณลักษณะเฉพาะ',
    [
      'กล้องต้องมีความละเอียดภาพไม่น้อยกว่า 1920 x 1080 จุด ที่ 25 ภาพต่อวินาที',
      'กล้องต้องทนฝุ่นและน้ำตามมาตรฐาน IP66 ระยะ 3.5 เมตร และทำงานที่อุณหภูมิ 50 องศาเซลเซียส',
      'เครื่องบันทึกภาพต้องเก็บภาพย้อนหลังได้ไม่น้อยกว่า 30 วัน',
      'สายสัญญาณต้องเป็นชนิด CAT6 ตลอดแนวเดินสาย พร้อมทดสอบสัญญาณทุกจุด',
      'ต้องมีระบบสำรองไฟฟ้าไม่น้อยกว่า 60 นาที สำหรับเครื่องบันทึกภาพทุกเครื่อง',
    ],
  ],
  [
    'การส่งมอบและการชำระเงิน',
    [
      'ผู้ขายต้องส่งมอบพัสดุพร้อมติดตั้งให้แล้วเสร็จภายใน 90 วัน นับถัดจากวันลงนามในสัญญา',
      'งวดที่หนึ่ง ชำระร้อยละ 40 เมื่อติดตั้งกล้องแล้วเสร็จครบถ้วนทุกจุด',
      'งวดที่สอง ชำระร้อยละ 60 เมื่อคณะกรรมการตรวจรับพัสดุได้ตรวจรับเรียบร้อยแล้ว',
      'ค่าปรับคิดเป็นรายวันในอัตราร้อยละ 0.10 ของราคาพัสดุที่ยังไม่ได้รับมอบ',
      'ผู้ขายต้องรับประกันความชำรุดบกพร่องเป็นเวลา 1 ปี และเข้าแก้ไขภายใน 48 ชั่วโมง',
      'ผู้ขายต้องจัดอบรมการใช้งานให้เจ้าหน้าที่ไม่น้อยกว่า 5 คน',
    ],
  ],
]

const THAI = '๐๑๒๓๔๕๖๗๘๙'
const thai = (text: string) => text.replace(/\d/g, (digit) => THAI[Number(digit)]!)

function clausesOf(
  chapters: readonly (readonly [string, readonly string[]])[],
  digits: (text: string) => string,
): string[] {
  return chapters.flatMap(([title, clauses], at) => [
    digits(`${at + 1}. `) + title,
    ...clauses.map((clause, index) => `${digits(`${at + 1}.${index + 1}`)} ${clause}`),
  ])
}

const EDITS: readonly (readonly [string, string])[] = [
  ['๕,๐๐๐,๐๐๐ บาท (ห้าล้านบาทถ้วน)', '๖,๒๐๐,๐๐๐ บาท (หกล้านสองแสนบาทถ้วน)'],
  ['ISO 9001 และแนบ', 'ISO 9001 และ ISO 27001 และแนบ'],
  ['1920 x 1080', '2560 x 1440'],
  ['ย้อนหลังได้ไม่น้อยกว่า 30 วัน', 'ย้อนหลังได้ไม่น้อยกว่า 60 วัน'],
  ['สำรองไฟฟ้าไม่น้อยกว่า 60 นาที', 'สำรองไฟฟ้าไม่น้อยกว่า 30 นาที'],
  ['ภายใน 90 วัน', 'ภายใน 120 วัน'],
  ['ร้อยละ 0.10', 'ร้อยละ 0.20'],
  ['เป็นเวลา 1 ปี', 'เป็นเวลา 2 ปี'],
  ['ไม่น้อยกว่า 5 คน', 'ไม่น้อยกว่า 10 คน'],
]

function finalChapters() {
  const edited = CHAPTERS.map(
    ([title, clauses]) =>
      [title, clauses.map((clause) => EDITS.reduce((text, [from, to]) => text.replace(from, to), clause))] as const,
  )
  const [about, bidders, goods, terms] = edited as [
    (typeof edited)[0],
    (typeof edited)[0],
    (typeof edited)[0],
    (typeof edited)[0],
  ]
  const cable = goods[1][3]!
  return [
    about,
    [bidders[0], bidders[1].filter((_, at) => at !== 2)],
    [goods[0], goods[1].filter((clause) => clause !== cable)],
    [terms[0], [...terms[1], cable, 'ผู้ขายต้องมีสำนักงานบริการซ่อมบำรุงในจังหวัดที่ติดตั้งอย่างน้อยหนึ่งแห่ง']],
  ] as const
}

const isMark = (letter: string | undefined) => letter !== undefined && /[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/.test(letter)

function layOut(clauses: readonly string[], width: number, height: number, number: (page: number) => string): string[] {
  const lines = clauses.flatMap((clause) => {
    const broken: string[] = []
    let remainder = clause
    while (remainder.length > width) {
      const blank = remainder.lastIndexOf(' ', width)
      let cut = blank > width / 2 ? blank : width
      while (isMark(remainder[cut])) cut += 1
      broken.push(remainder.slice(0, cut))
      remainder = remainder.slice(cut).trimStart()
    }
    return [...broken, remainder]
  })
  return Array.from({ length: Math.ceil(lines.length / height) }, (_, at) =>
    ['เอกสารแนบท้ายประกาศ', ...lines.slice(at * height, (at + 1) * height), number(at + 1)].join('\n'),
  )
}

export const DRAFT_TERMS_OF_REFERENCE_PAGES = layOut(
  clausesOf(CHAPTERS, thai),
  80,
  9,
  (page) => `- ${thai(String(page))} -`,
)
export const FINAL_TERMS_OF_REFERENCE_PAGES = layOut(
  clausesOf(finalChapters(), String),
  52,
  13,
  (page) => `หน้า ${page}`,
)
export const UNCHANGED_TERMS_OF_REFERENCE_PAGES = layOut(clausesOf(CHAPTERS, String), 47, 17, (page) => `${page}/9`)
