/**
 * The 77 provinces in the six-region scheme of the National Geographical Committee (9 + 22 + 20 + 5 + 7 + 14).
 * `code` is the DOPA code, which the database stores; the Thai name is what crosses the wire and stands in addresses.
 */
export const REGIONS = [
  { code: 'central', th: 'ภาคกลาง' },
  { code: 'north', th: 'ภาคเหนือ' },
  { code: 'northeast', th: 'ภาคตะวันออกเฉียงเหนือ' },
  { code: 'east', th: 'ภาคตะวันออก' },
  { code: 'west', th: 'ภาคตะวันตก' },
  { code: 'south', th: 'ภาคใต้' },
] as const
export type Region = (typeof REGIONS)[number]['code']

export type Province = { readonly code: number; readonly th: string; readonly en: string; readonly region: Region }

export const PROVINCES: readonly Province[] = [
  { code: 10, th: 'กรุงเทพมหานคร', en: 'Bangkok', region: 'central' },
  { code: 11, th: 'สมุทรปราการ', en: 'Samut Prakan', region: 'central' },
  { code: 12, th: 'นนทบุรี', en: 'Nonthaburi', region: 'central' },
  { code: 13, th: 'ปทุมธานี', en: 'Pathum Thani', region: 'central' },
  { code: 14, th: 'พระนครศรีอยุธยา', en: 'Phra Nakhon Si Ayutthaya', region: 'central' },
  { code: 15, th: 'อ่างทอง', en: 'Ang Thong', region: 'central' },
  { code: 16, th: 'ลพบุรี', en: 'Lopburi', region: 'central' },
  { code: 17, th: 'สิงห์บุรี', en: 'Sing Buri', region: 'central' },
  { code: 18, th: 'ชัยนาท', en: 'Chai Nat', region: 'central' },
  { code: 19, th: 'สระบุรี', en: 'Saraburi', region: 'central' },
  { code: 20, th: 'ชลบุรี', en: 'Chon Buri', region: 'east' },
  { code: 21, th: 'ระยอง', en: 'Rayong', region: 'east' },
  { code: 22, th: 'จันทบุรี', en: 'Chanthaburi', region: 'east' },
  { code: 23, th: 'ตราด', en: 'Trat', region: 'east' },
  { code: 24, th: 'ฉะเชิงเทรา', en: 'Chachoengsao', region: 'east' },
  { code: 25, th: 'ปราจีนบุรี', en: 'Prachin Buri', region: 'east' },
  { code: 26, th: 'นครนายก', en: 'Nakhon Nayok', region: 'central' },
  { code: 27, th: 'สระแก้ว', en: 'Sa Kaeo', region: 'east' },
  { code: 30, th: 'นครราชสีมา', en: 'Nakhon Ratchasima', region: 'northeast' },
  { code: 31, th: 'บุรีรัมย์', en: 'Buri Ram', region: 'northeast' },
  { code: 32, th: 'สุรินทร์', en: 'Surin', region: 'northeast' },
  { code: 33, th: 'ศรีสะเกษ', en: 'Si Sa Ket', region: 'northeast' },
  { code: 34, th: 'อุบลราชธานี', en: 'Ubon Ratchathani', region: 'northeast' },
  { code: 35, th: 'ยโสธร', en: 'Yasothon', region: 'northeast' },
  { code: 36, th: 'ชัยภูมิ', en: 'Chaiyaphum', region: 'northeast' },
  { code: 37, th: 'อำนาจเจริญ', en: 'Amnat Charoen', region: 'northeast' },
  { code: 39, th: 'หนองบัวลำภู', en: 'Nong Bua Lam Phu', region: 'northeast' },
  { code: 40, th: 'ขอนแก่น', en: 'Khon Kaen', region: 'northeast' },
  { code: 41, th: 'อุดรธานี', en: 'Udon Thani', region: 'northeast' },
  { code: 42, th: 'เลย', en: 'Loei', region: 'northeast' },
  { code: 43, th: 'หนองคาย', en: 'Nong Khai', region: 'northeast' },
  { code: 44, th: 'มหาสารคาม', en: 'Maha Sarakham', region: 'northeast' },
  { code: 45, th: 'ร้อยเอ็ด', en: 'Roi Et', region: 'northeast' },
  { code: 46, th: 'กาฬสินธุ์', en: 'Kalasin', region: 'northeast' },
  { code: 47, th: 'สกลนคร', en: 'Sakon Nakhon', region: 'northeast' },
  { code: 48, th: 'นครพนม', en: 'Nakhon Phanom', region: 'northeast' },
  { code: 49, th: 'มุกดาหาร', en: 'Mukdahan', region: 'northeast' },
  { code: 50, th: 'เชียงใหม่', en: 'Chiang Mai', region: 'north' },
  { code: 51, th: 'ลำพูน', en: 'Lamphun', region: 'north' },
  { code: 52, th: 'ลำปาง', en: 'Lampang', region: 'north' },
  { code: 53, th: 'อุตรดิตถ์', en: 'Uttaradit', region: 'north' },
  { code: 54, th: 'แพร่', en: 'Phrae', region: 'north' },
  { code: 55, th: 'น่าน', en: 'Nan', region: 'north' },
  { code: 56, th: 'พะเยา', en: 'Phayao', region: 'north' },
  { code: 57, th: 'เชียงราย', en: 'Chiang Rai', region: 'north' },
  { code: 58, th: 'แม่ฮ่องสอน', en: 'Mae Hong Son', region: 'north' },
  { code: 60, th: 'นครสวรรค์', en: 'Nakhon Sawan', region: 'central' },
  { code: 61, th: 'อุทัยธานี', en: 'Uthai Thani', region: 'central' },
  { code: 62, th: 'กำแพงเพชร', en: 'Kamphaeng Phet', region: 'central' },
  { code: 63, th: 'ตาก', en: 'Tak', region: 'west' },
  { code: 64, th: 'สุโขทัย', en: 'Sukhothai', region: 'central' },
  { code: 65, th: 'พิษณุโลก', en: 'Phitsanulok', region: 'central' },
  { code: 66, th: 'พิจิตร', en: 'Phichit', region: 'central' },
  { code: 67, th: 'เพชรบูรณ์', en: 'Phetchabun', region: 'central' },
  { code: 70, th: 'ราชบุรี', en: 'Ratchaburi', region: 'west' },
  { code: 71, th: 'กาญจนบุรี', en: 'Kanchanaburi', region: 'west' },
  { code: 72, th: 'สุพรรณบุรี', en: 'Suphan Buri', region: 'central' },
  { code: 73, th: 'นครปฐม', en: 'Nakhon Pathom', region: 'central' },
  { code: 74, th: 'สมุทรสาคร', en: 'Samut Sakhon', region: 'central' },
  { code: 75, th: 'สมุทรสงคราม', en: 'Samut Songkhram', region: 'central' },
  { code: 76, th: 'เพชรบุรี', en: 'Phetchaburi', region: 'west' },
  { code: 77, th: 'ประจวบคีรีขันธ์', en: 'Prachuap Khiri Khan', region: 'west' },
  { code: 80, th: 'นครศรีธรรมราช', en: 'Nakhon Si Thammarat', region: 'south' },
  { code: 81, th: 'กระบี่', en: 'Krabi', region: 'south' },
  { code: 82, th: 'พังงา', en: 'Phangnga', region: 'south' },
  { code: 83, th: 'ภูเก็ต', en: 'Phuket', region: 'south' },
  { code: 84, th: 'สุราษฎร์ธานี', en: 'Surat Thani', region: 'south' },
  { code: 85, th: 'ระนอง', en: 'Ranong', region: 'south' },
  { code: 86, th: 'ชุมพร', en: 'Chumphon', region: 'south' },
  { code: 90, th: 'สงขลา', en: 'Songkhla', region: 'south' },
  { code: 91, th: 'สตูล', en: 'Satun', region: 'south' },
  { code: 92, th: 'ตรัง', en: 'Trang', region: 'south' },
  { code: 93, th: 'พัทลุง', en: 'Phatthalung', region: 'south' },
  { code: 94, th: 'ปัตตานี', en: 'Pattani', region: 'south' },
  { code: 95, th: 'ยะลา', en: 'Yala', region: 'south' },
  { code: 96, th: 'นราธิวาส', en: 'Narathiwat', region: 'south' },
  { code: 38, th: 'บึงกาฬ', en: 'Bueng Kan', region: 'northeast' },
]

const BY_NAME = new Map(PROVINCES.map((province) => [province.th, province]))
const BY_CODE = new Map(PROVINCES.map((province) => [province.code, province]))

/** The province with this exact Thai name, or undefined. */
export function provinceNamed(th: string): Province | undefined {
  return BY_NAME.get(th)
}

/** The province with this DOPA code, or undefined. */
export function provinceCoded(code: number): Province | undefined {
  return BY_CODE.get(code)
}

/** Thai names of a region's provinces, in DOPA order. */
export function provincesOf(region: Region): string[] {
  return PROVINCES.filter((province) => province.region === region).map((province) => province.th)
}
