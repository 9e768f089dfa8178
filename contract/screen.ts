/**
 * All URL paths of the product (specification section 2). `{x}` matches one path segment, `{name}` several because
 * names contain slashes.
 */
type AppScreen = {
  readonly path: string
  readonly title: string
  readonly needsLogin: boolean
}

export const APP_SCREENS = [
  { path: '/', title: '', needsLogin: false },
  { path: '/login', title: 'เข้าสู่ระบบ', needsLogin: false },
  { path: '/reset-password', title: 'ลืมรหัสผ่าน', needsLogin: false },
  { path: '/reset-password/{token}', title: 'ตั้งรหัสผ่านใหม่', needsLogin: false },
  { path: '/invitation/{token}', title: 'คำเชิญเข้าร่วมทีม', needsLogin: false },
  { path: '/email-change/{token}', title: 'เปลี่ยนอีเมล', needsLogin: false },
  // The path to which login providers redirect; not in the specification.
  { path: '/organisation-login', title: 'เข้าสู่ระบบด้วยบัญชีองค์กร', needsLogin: false },
  { path: '/not-me/{token}', title: 'ไม่ใช่ฉัน', needsLogin: false },
  { path: '/register', title: 'สมัครใช้งาน', needsLogin: false },
  { path: '/mail-link', title: 'ลิงก์ในอีเมล', needsLogin: false },
  { path: '/contact', title: 'ติดต่อทีมงาน', needsLogin: false },
  { path: '/report', title: 'รายงานโครงการ', needsLogin: true },
  // The specification does not mention a login here, but step 3 of the guard needs a user (D22).
  { path: '/report/{id}', title: 'รายละเอียดโครงการ', needsLogin: true },
  { path: '/report/{id}/documents/{doc}', title: 'เอกสาร', needsLogin: true },
  // Short links, which redirect to the report; not in the specification.
  { path: '/s/{code}', title: 'รายการโครงการที่ส่งถึงคุณ', needsLogin: true },
  // Share target of the installed app, which redirects to the project or to a search; not in the specification.
  { path: '/share', title: 'เปิดจากลิงก์ที่แชร์มา', needsLogin: true },
  { path: '/calendar', title: 'ปฏิทิน', needsLogin: true },
  { path: '/board', title: 'บอร์ด', needsLogin: true },
  { path: '/results', title: 'ผลงาน', needsLogin: true },
  { path: '/watch', title: 'คำติดตาม', needsLogin: true },
  { path: '/companies', title: 'ข้อมูลบริษัท', needsLogin: true },
  { path: '/companies/{name}', title: 'รายละเอียดบริษัท', needsLogin: true },
  { path: '/agencies/{code}', title: 'หน่วยงาน', needsLogin: true },
  { path: '/company-comparison', title: 'เปรียบเทียบบริษัท', needsLogin: true },
  { path: '/budget', title: 'งบประมาณประจำปี', needsLogin: true },
  // How complete the announcements are; not in the specification.
  { path: '/coverage', title: 'ความครบถ้วนของประกาศ', needsLogin: true },
  { path: '/settings', title: 'ตั้งค่า', needsLogin: true },
  { path: '/logs', title: 'ประวัติการใช้งาน', needsLogin: true },
  { path: '/operation', title: 'ภาพรวม', needsLogin: true },
  { path: '/operation/{part}', title: 'ดูแลระบบ', needsLogin: true },
  { path: '/group-watch', title: 'ตั้งค่าคำติดตาม', needsLogin: true },
] as const satisfies readonly AppScreen[]

export type AppScreenPath = (typeof APP_SCREENS)[number]['path']

const PRODUCT_NAME = 'ตามงาน'

const SCREEN_PATTERNS = APP_SCREENS.map((screen) => ({
  screen,
  pattern: new RegExp(`^${screen.path.replace('{name}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

export function findScreenByPath(pathname: string): (typeof APP_SCREENS)[number] | undefined {
  const path = pathname.length > 1 ? pathname.replace(/(?<!\/)\/+$/, '') || '/' : pathname
  return SCREEN_PATTERNS.find(({ pattern }) => pattern.test(path))?.screen
}

export function findScreenTitleByPath(pathname: string): string {
  const screen = findScreenByPath(pathname)
  if (!screen) return `ไม่พบหน้านี้ · ${PRODUCT_NAME}`
  return screen.title ? `${screen.title} · ${PRODUCT_NAME}` : PRODUCT_NAME
}
