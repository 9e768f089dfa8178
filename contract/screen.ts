/** Every address of the product (specification section 2). `{x}` stands for one path segment, `{name}` for several: names hold slashes. */
export type Screen = {
  readonly path: string
  /** Title of the browser tab, before the product's name. */
  readonly title: string
  readonly needsLogin: boolean
}

export const SCREENS = [
  { path: '/', title: '', needsLogin: false },
  { path: '/login', title: 'เข้าสู่ระบบ', needsLogin: false },
  { path: '/reset-password', title: 'ลืมรหัสผ่าน', needsLogin: false },
  { path: '/reset-password/{token}', title: 'ตั้งรหัสผ่านใหม่', needsLogin: false },
  // Ours: where the mail of an invitation leads.
  { path: '/invitation/{token}', title: 'คำเชิญเข้าร่วมทีม', needsLogin: false },
  // Ours: where the mails of a change of the address lead.
  { path: '/email-change/{token}', title: 'เปลี่ยนอีเมล', needsLogin: false },
  // Ours: where the provider of an organisation's accounts sends people back to.
  { path: '/organisation-login', title: 'เข้าสู่ระบบด้วยบัญชีองค์กร', needsLogin: false },
  // Ours: where "this was not me" of a mail about the account leads.
  { path: '/not-me/{token}', title: 'ไม่ใช่ฉัน', needsLogin: false },
  { path: '/register', title: 'สมัครใช้งาน', needsLogin: false },
  // Ours: where the links of report mails lead.
  { path: '/mail-link', title: 'ลิงก์ในอีเมล', needsLogin: false },
  // Ours: where the demo's banner leads when no address is set.
  { path: '/contact', title: 'ติดต่อทีมงาน', needsLogin: false },
  { path: '/report', title: 'รายงานโครงการ', needsLogin: true },
  // The guard's third step needs a user, so both pages whose login the specification leaves open require one (D22).
  { path: '/report/{id}', title: 'รายละเอียดโครงการ', needsLogin: true },
  { path: '/report/{id}/documents/{doc}', title: 'เอกสาร', needsLogin: true },
  // Ours: where short links lead, on their way to the report.
  { path: '/s/{code}', title: 'รายการโครงการที่ส่งถึงคุณ', needsLogin: true },
  // Ours: where an installed app is given what other apps share; it leads on to the project, or to a search.
  { path: '/share', title: 'เปิดจากลิงก์ที่แชร์มา', needsLogin: true },
  // Ours: the dates of what is followed.
  { path: '/calendar', title: 'ปฏิทิน', needsLogin: true },
  // Ours: what the team works on, by stage.
  { path: '/board', title: 'บอร์ด', needsLogin: true },
  // Ours: what became of it.
  { path: '/results', title: 'สรุปผล', needsLogin: true },
  { path: '/watch', title: 'เฝ้าติดตาม', needsLogin: true },
  { path: '/companies', title: 'ข้อมูลบริษัท', needsLogin: true },
  { path: '/companies/{name}', title: 'รายละเอียดบริษัท', needsLogin: true },
  // Ours: what an agency buys, from whom and when.
  { path: '/agencies/{code}', title: 'หน่วยงาน', needsLogin: true },
  { path: '/company-comparison', title: 'เปรียบเทียบบริษัท', needsLogin: true },
  { path: '/budget', title: 'งบประมาณประจำปี', needsLogin: true },
  { path: '/settings', title: 'ตั้งค่า', needsLogin: true },
  { path: '/logs', title: 'ประวัติการใช้งาน', needsLogin: true },
  // Ours: for operators alone.
  { path: '/operation', title: 'ภาพรวม', needsLogin: true },
  { path: '/operation/{part}', title: 'ดูแลระบบ', needsLogin: true },
  { path: '/group-watch', title: 'ตั้งค่าคำติดตาม', needsLogin: true },
] as const satisfies readonly Screen[]

export type ScreenPath = (typeof SCREENS)[number]['path']

const PRODUCT = 'ตามงาน'

const PATTERNS = SCREENS.map((screen) => ({
  screen,
  pattern: new RegExp(`^${screen.path.replace('{name}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The screen at a path, with or without a trailing slash; undefined for any other path. */
export function screenAt(pathname: string): (typeof SCREENS)[number] | undefined {
  const path = pathname.length > 1 ? pathname.replace(/(?<!\/)\/+$/, '') || '/' : pathname
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.screen
}

/** Title of the browser tab; the product's name alone where a screen has none. */
export function titleAt(pathname: string): string {
  const screen = screenAt(pathname)
  if (!screen) return `ไม่พบหน้านี้ · ${PRODUCT}`
  return screen.title ? `${screen.title} · ${PRODUCT}` : PRODUCT
}
