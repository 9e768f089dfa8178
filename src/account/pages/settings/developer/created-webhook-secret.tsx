import { CopyableText } from './copyable-text.tsx'

const verifyWith = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.TAMNGAN_WEBHOOK_SECRET)
// body: ข้อความดิบของคำขอ ก่อนแปลงเป็น JSON
const event = webhook.verify(body, request.headers)`

export function WebhookVerificationSnippet() {
  return (
    <div className="space-y-1">
      <p className="text-sm">ตรวจลายเซ็นก่อนเชื่อ (Node.js ภาษาอื่นใช้ไลบรารีของ Standard Webhooks แบบเดียวกัน)</p>
      <CopyableText text={verifyWith} label="โค้ดตรวจ" isCode />
    </div>
  )
}

export function CreatedWebhookSecret({ secret }: { secret: string }) {
  return (
    <div role="status" className="space-y-3 rounded-card border border-accent-line bg-accent-soft p-3">
      <p className="font-medium">รหัสลับพร้อมใช้ เก็บไว้ในที่ปลอดภัยตอนนี้ เพราะจะไม่แสดงอีก</p>
      <CopyableText text={secret} label="รหัสลับ" />
      <WebhookVerificationSnippet />
    </div>
  )
}
