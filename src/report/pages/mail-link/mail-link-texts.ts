import type { MailLink, MailLinkError, MailLinkKind } from '#contract/report/report-mail.ts'

type MailLinkTexts = {
  readonly question: string
  readonly explanation: (link: MailLink) => string
  readonly button: string
  readonly doneTitle: string
  /** Undefined: to the project. */
  readonly onward?: { readonly text: string; readonly href: (link: MailLink) => string }
}

export const MAIL_LINK_TO_PROJECT = {
  text: 'ดูโครงการนี้ในตามงาน',
  href: ({ project }: MailLink) => (project ? `/report/${encodeURIComponent(project.project_id)}` : '/report'),
}
const toReport = { text: 'เปิดรายงาน', href: () => '/report' }
const toMails = { text: 'ดูการตั้งค่าอีเมล', href: () => '/settings?tab=notifications' }
const toFilters = { text: 'เลือกตัวกรองที่ส่งทางอีเมล', href: () => '/report#saved-filters' }

export const MAIL_LINK_TEXTS: Readonly<Record<MailLinkKind, MailLinkTexts>> = {
  bookmark: {
    question: 'ติดดาวโครงการนี้?',
    explanation: () => 'โครงการที่ติดดาวจะแจ้งเตือนเมื่อข้อมูลเปลี่ยนและก่อนปิดรับ 7 วัน',
    button: 'ติดดาว',
    doneTitle: 'ติดดาวแล้ว',
  },
  unbookmark: {
    question: 'เอาดาวออกจากโครงการนี้?',
    explanation: () => 'โครงการยังอยู่ในรายงานเหมือนเดิม',
    button: 'เอาดาวออก',
    doneTitle: 'เอาดาวออกแล้ว',
  },
  hide: {
    question: 'ซ่อนโครงการนี้?',
    explanation: () => 'คุณจะไม่เห็นโครงการนี้ในรายงาน อีเมล และการแจ้งเตือนอีก คนอื่นในองค์กรยังเห็นเหมือนเดิม',
    button: 'ซ่อนโครงการ',
    doneTitle: 'ซ่อนแล้ว',
    onward: toReport,
  },
  unhide: {
    question: 'เลิกซ่อนโครงการนี้?',
    explanation: () => 'โครงการจะกลับมาในรายงานของคุณ',
    button: 'เลิกซ่อน',
    doneTitle: 'เลิกซ่อนแล้ว',
  },
  mail_off: {
    question: 'หยุดรับอีเมลรายงาน?',
    explanation: () => 'จะไม่ส่งอีเมลรายงานถึงคุณอีก รายงานและการแจ้งเตือนในระบบยังอยู่ครบ',
    button: 'หยุดรับอีเมล',
    doneTitle: 'หยุดส่งอีเมลรายงานแล้ว',
    onward: toMails,
  },
  mail_on: {
    question: 'รับอีเมลรายงานอีกครั้ง?',
    explanation: () => 'อีเมลจะส่งหลังนำเข้าข้อมูลรอบถัดไป',
    button: 'รับอีเมลรายงาน',
    doneTitle: 'เปิดอีเมลรายงานแล้ว',
    onward: toMails,
  },
  filter_off: {
    question: 'หยุดส่งตัวกรองนี้ทางอีเมล?',
    explanation: ({ filter }) =>
      filter?.is_last
        ? 'เป็นตัวกรองเดียวที่เปิดส่งอยู่ ถ้าหยุด อีเมลครั้งต่อไปจะเป็นรายงานทั้งหมด ถ้าไม่ต้องการอีเมลเลย กด “หยุดรับอีเมลรายงาน” ท้ายอีเมล'
        : 'ตัวกรองยังอยู่ในรายงาน และตัวกรองอื่นยังส่งตามเดิม',
    button: 'หยุดส่งตัวกรองนี้',
    doneTitle: 'หยุดส่งตัวกรองนี้แล้ว',
    onward: toFilters,
  },
  filter_on: {
    question: 'ส่งตัวกรองนี้ทางอีเมลอีกครั้ง?',
    explanation: () => 'อีเมลจะส่งหลังนำเข้าข้อมูลรอบถัดไป',
    button: 'ส่งตัวกรองนี้',
    doneTitle: 'เปิดส่งตัวกรองนี้แล้ว',
    onward: toFilters,
  },
  questions_off: {
    question: 'หยุดรับอีเมลคำถามที่บันทึก?',
    explanation: () => 'จะไม่ส่งคำตอบของคำถามใครชนะถึงคุณอีก คำถามยังอยู่ครบ และอีเมลรายงานยังส่งตามเดิม',
    button: 'หยุดรับอีเมล',
    doneTitle: 'หยุดส่งอีเมลคำถามที่บันทึกแล้ว',
    onward: toMails,
  },
  questions_on: {
    question: 'รับอีเมลคำถามที่บันทึกอีกครั้ง?',
    explanation: () => 'คำถามที่เลือกรายเดือนหรือเมื่อมีการเปลี่ยนแปลงจะส่งตามที่เลือกไว้',
    button: 'รับอีเมล',
    doneTitle: 'เปิดอีเมลคำถามที่บันทึกแล้ว',
    onward: toMails,
  },
  coverage_off: {
    question: 'หยุดรับอีเมลความครบถ้วนของประกาศ?',
    explanation: () => 'จะไม่ส่งตัวเลขรายเดือนถึงคุณอีก หน้าความครบถ้วนของประกาศยังดูได้เสมอ',
    button: 'หยุดรับอีเมล',
    doneTitle: 'หยุดส่งอีเมลความครบถ้วนแล้ว',
    onward: toMails,
  },
  coverage_on: {
    question: 'รับอีเมลความครบถ้วนของประกาศอีกครั้ง?',
    explanation: () => 'อีเมลจะส่งวันที่ 3 ของเดือนถัดไป',
    button: 'รับอีเมล',
    doneTitle: 'เปิดอีเมลความครบถ้วนแล้ว',
    onward: toMails,
  },
  relevant: {
    question: 'โครงการนี้เกี่ยวกับคุณ?',
    explanation: () => 'ระบบจะใช้คำตอบนี้ดูว่าคำติดตามใดนำงานที่ตรงมาให้ รายงานไม่เปลี่ยน',
    button: 'เกี่ยว',
    doneTitle: 'บันทึกว่าเกี่ยวแล้ว',
  },
  irrelevant: {
    question: 'โครงการนี้ไม่เกี่ยวกับคุณ?',
    explanation: () =>
      'จะซ่อนจากรายงาน อีเมล และการแจ้งเตือนของคุณ และใช้คำตอบนี้ดูว่าคำติดตามใดนำงานที่ไม่ตรงมาให้ คนอื่นในองค์กรยังเห็นเหมือนเดิม',
    button: 'ไม่เกี่ยว',
    doneTitle: 'บันทึกว่าไม่เกี่ยวแล้ว',
    onward: toReport,
  },
  seen: {
    question: 'คุณเคยเห็นโครงการนี้แล้ว?',
    explanation: () => 'นับว่าคุณรู้จากที่อื่นก่อน รายงานไม่เปลี่ยน',
    button: 'เคยเห็นแล้ว',
    doneTitle: 'บันทึกว่าเคยเห็นแล้ว',
  },
  no_feedback: {
    question: 'ลบคำตอบของโครงการนี้?',
    explanation: () => 'ถ้าคำตอบเดิมซ่อนโครงการไว้ โครงการจะกลับมาในรายงานของคุณ',
    button: 'ลบคำตอบ',
    doneTitle: 'ลบคำตอบแล้ว',
  },
}

export const MAIL_LINK_PROBLEM_TEXTS: Readonly<
  Record<MailLinkError, { readonly title: string; readonly text: string }>
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
