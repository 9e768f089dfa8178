import { type MailContent, renderMail } from './render-mail.ts'

export type LineQuotaMail = {
  readonly lines: readonly { readonly text: string; readonly url: string }[]
  readonly settingsUrl: string
}

const MAX_LINES = 20

export function renderLineQuotaMail({ lines, settingsUrl }: LineQuotaMail): MailContent {
  const visible = lines.slice(0, MAX_LINES)
  const hiddenCount = lines.length - visible.length
  const [first] = visible
  return renderMail({
    subject: `${first?.text ?? 'มีเรื่องแจ้งจากตามงาน'}${lines.length > 1 ? ` และอีก ${lines.length - 1} เรื่อง` : ''}`,
    preview: 'ส่งทางอีเมลแทน LINE',
    blocks: [
      { text: 'ข้อความ LINE ของเดือนนี้ใช้ครบโควตาแล้ว จึงส่งเรื่องนี้ทางอีเมลแทน เดือนหน้าจะกลับไปส่งทาง LINE' },
      ...visible.map(({ text, url }) => ({ text: `${text} ${url}` })),
      ...(hiddenCount > 0 ? [{ text: `และอีก ${hiddenCount} เรื่อง ดูได้ที่กระดิ่งในระบบ` }] : []),
      { note: `เลือกได้ว่าให้แจ้งอะไรและเมื่อไรที่ ${settingsUrl}` },
    ],
  })
}
