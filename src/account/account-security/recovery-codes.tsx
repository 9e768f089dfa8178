import { Copy, Download, Printer } from 'lucide-react'
import { saveBlobAsFile } from '#src/api/http/save-blob-as-file.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

const INTRO = 'รหัสกู้คืนของตามงาน แต่ละรหัสใช้แทนการยืนยันสองขั้นได้ครั้งเดียว เก็บไว้ในที่ปลอดภัย'

function saveCodes(codes: readonly string[]) {
  const text = `${INTRO}\r\n\r\n${codes.join('\r\n')}\r\n`
  saveBlobAsFile(new Blob([text], { type: 'text/plain' }), 'tamngan-recovery-codes.txt')
}

async function copyCodes(codes: readonly string[]) {
  try {
    await navigator.clipboard.writeText(codes.join('\n'))
    showToast({ text: 'คัดลอกรหัสกู้คืนแล้ว', tone: 'done' })
  } catch {
    showToast({ text: 'คัดลอกไม่ได้ ดาวน์โหลดหรือพิมพ์แทน', tone: 'error' })
  }
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <section
      aria-label="รหัสกู้คืน"
      className="print-alone space-y-3 rounded-card border border-accent-line bg-accent-soft p-4"
    >
      <div role="status">
        <p className="hidden print:block">{INTRO}</p>
        <p className="font-medium print:hidden">เก็บรหัสกู้คืนไว้ตอนนี้ จะไม่แสดงอีก</p>
        <p className="text-sm">ถ้าโทรศัพท์หายหรือใช้พาสคีย์ไม่ได้ ใช้รหัสหนึ่งในนี้เข้าสู่ระบบ แต่ละรหัสใช้ได้ครั้งเดียว</p>
      </div>
      <ul className="grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button size="sm" icon={Download} onClick={() => saveCodes(codes)}>
          ดาวน์โหลด
        </Button>
        <Button size="sm" icon={Printer} onClick={() => window.print()}>
          พิมพ์
        </Button>
        <Button size="sm" icon={Copy} onClick={() => void copyCodes(codes)}>
          คัดลอก
        </Button>
        <Button size="sm" variant="primary" onClick={onDone}>
          เก็บไว้แล้ว
        </Button>
      </div>
    </section>
  )
}
