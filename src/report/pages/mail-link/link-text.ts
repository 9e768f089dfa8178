import type { MailLink, MailLinkKind, MailLinkProblem } from '#contract/report/report-mail.ts'

type Words = {
  readonly asks: string
  readonly means: (link: MailLink) => string
  readonly button: string
  readonly did: string
  readonly onward: { readonly text: string; readonly href: (link: MailLink) => string }
}

const toProject = {
  text: 'ดูโครงการนี้ในตามงาน',
  href: ({ project }: MailLink) => (project ? `/report/${encodeURIComponent(project.project_id)}` : '/report'),
}
const toReport = { text: 'เปิดรายงาน', href: () => '/report' }
const toMails = { text: 'ดูการตั้งค่าอีเมล', href: () => '/settings?tab=notifications' }
const toFilters = { text: 'เลือกตัวกรองที่ส่งทางอีเมล', href: () => '/settings?tab=saved-filters' }

export const MAIL_LINK_TEXTS: Readonly<Record<MailLinkKind, Words>> = {
  bookmark: {
    asks: 'ติดดาวโครงการนี้?',
    means: () => 'โครงการที่ติดดาวจะแจ้งเตือนเมื่อข้อมูลเปลี่ยนและก่อนปิดรับ 7 วัน',
    button: 'ติดดาว',
    did: 'ติดดาวแล้ว',
    onward: toProject,
  },
  unbookmark: {
    asks: 'เอาดาวออกจากโครงการนี้?',
    means: () => 'โครงการยังอยู่ในรายงานเหมือนเดิม',
    button: 'เอาดาวออก',
    did: 'เอาดาวออกแล้ว',
    onward: toProject,
  },
  hide: {
    asks: 'ซ่อนโครงการนี้?',
    means: () => 'คุณจะไม่เห็นโครงการนี้ในรายงาน อีเมล และการแจ้งเตือนอีก คนอื่นในองค์กรยังเห็นเหมือนเดิม',
    button: 'ซ่อนโครงการ',
    did: 'ซ่อนแล้ว',
    onward: toReport,
  },
  unhide: {
    asks: 'เลิกซ่อนโครงการนี้?',
    means: () => 'โครงการจะกลับมาในรายงานของคุณ',
    button: 'เลิกซ่อน',
    did: 'เลิกซ่อนแล้ว',
    onward: toProject,
  },
  mail_off: {
    asks: 'หยุดรับอีเมลรายงาน?',
    means: () => 'จะไม่ส่งอีเมลรายงานถึงคุณอีก รายงานและการแจ้งเตือนในระบบยังอยู่ครบ',
    button: 'หยุดรับอีเมล',
    did: 'หยุดส่งอีเมลรายงานแล้ว',
    onward: toMails,
  },
  mail_on: {
    asks: 'รับอีเมลรายงานอีกครั้ง?',
    means: () => 'อีเมลจะส่งหลังนำเข้าข้อมูลรอบถัดไป',
    button: 'รับอีเมลรายงาน',
    did: 'เปิดอีเมลรายงานแล้ว',
    onward: toMails,
  },
  filter_off: {
    asks: 'หยุดส่งตัวกรองนี้ทางอีเมล?',
    means: ({ filter }) =>
      filter?.is_last
        ? 'เป็นตัวกรองเดียวที่เปิดส่งอยู่ ถ้าหยุด อีเมลครั้งต่อไปจะเป็นรายงานทั้งหมด ถ้าไม่ต้องการอีเมลเลย กด “หยุดรับอีเมลรายงาน” ท้ายอีเมล'
        : 'ตัวกรองยังอยู่ในรายงาน และตัวกรองอื่นยังส่งตามเดิม',
    button: 'หยุดส่งตัวกรองนี้',
    did: 'หยุดส่งตัวกรองนี้แล้ว',
    onward: toFilters,
  },
  filter_on: {
    asks: 'ส่งตัวกรองนี้ทางอีเมลอีกครั้ง?',
    means: () => 'อีเมลจะส่งหลังนำเข้าข้อมูลรอบถัดไป',
    button: 'ส่งตัวกรองนี้',
    did: 'เปิดส่งตัวกรองนี้แล้ว',
    onward: toFilters,
  },
  questions_off: {
    asks: 'หยุดรับอีเมลคำถามที่บันทึก?',
    means: () => 'จะไม่ส่งคำตอบของคำถามใครชนะถึงคุณอีก คำถามยังอยู่ครบ และอีเมลรายงานยังส่งตามเดิม',
    button: 'หยุดรับอีเมล',
    did: 'หยุดส่งอีเมลคำถามที่บันทึกแล้ว',
    onward: toMails,
  },
  questions_on: {
    asks: 'รับอีเมลคำถามที่บันทึกอีกครั้ง?',
    means: () => 'คำถามที่เลือกรายเดือนหรือเมื่อมีการเปลี่ยนแปลงจะส่งตามที่เลือกไว้',
    button: 'รับอีเมล',
    did: 'เปิดอีเมลคำถามที่บันทึกแล้ว',
    onward: toMails,
  },
}

export const MAIL_LINK_PROBLEM_TEXTS: Readonly<
  Record<MailLinkProblem, { readonly title: string; readonly text: string }>
> = {
  used: {
    title: 'ลิงก์นี้ใช้ไปแล้ว',
    text: 'ลิงก์ติดดาวและซ่อนใช้ได้ครั้งเดียว ถ้าจะเปลี่ยนอีก เปิดโครงการในตามงาน',
  },
  expired: {
    title: 'ลิงก์นี้หมดอายุแล้ว',
    text: 'ลิงก์ติดดาวและซ่อนใช้ได้ 14 วัน ลิงก์หยุดรับอีเมลใช้ได้ 60 วัน ทำต่อได้ในตามงาน หรือจากอีเมลฉบับใหม่กว่า',
  },
  foreign: {
    title: 'ลิงก์นี้ใช้กับระบบนี้ไม่ได้',
    text: 'ลิงก์ไม่ได้มาจากระบบนี้ หรือบัญชี โครงการ หรือตัวกรองของลิงก์ไม่มีแล้ว ไม่มีอะไรเปลี่ยนแปลง',
  },
  broken: {
    title: 'ลิงก์นี้อ่านไม่ได้',
    text: 'ลิงก์อาจคัดลอกมาไม่ครบ เปิดจากอีเมลโดยตรงอีกครั้ง ไม่มีอะไรเปลี่ยนแปลง',
  },
}
