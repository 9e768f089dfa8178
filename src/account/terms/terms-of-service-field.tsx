import { Check } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { TERMS_OF_SERVICE_VERSION } from '#contract/account/registration.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'

const SECTIONS: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'บริการ',
    text: 'ตามงานรวบรวมประกาศจัดซื้อจัดจ้างภาครัฐจากแหล่งข้อมูลสาธารณะ แล้วคัดเฉพาะที่ตรงกับคำติดตามขององค์กรคุณ ข้อมูลอาจล่าช้าหรือคลาดเคลื่อนจากต้นทาง ก่อนยื่นข้อเสนอให้ตรวจกับประกาศของหน่วยงานเสมอ',
  },
  {
    title: 'บัญชีของคุณ',
    text: 'หนึ่งบัญชีใช้โดยหนึ่งคน เก็บรหัสผ่านไว้เป็นความลับ ถ้าสงสัยว่ามีคนอื่นใช้ ให้เปลี่ยนรหัสผ่านและออกจากระบบทุกอุปกรณ์ในหน้าตั้งค่า',
  },
  {
    title: 'ข้อมูลที่เราเก็บ',
    text: 'ชื่อ นามสกุล อีเมล เบอร์โทรศัพท์ ชื่อองค์กร ประเภทธุรกิจ ช่องทางที่รู้จักเรา เวลาที่เข้าใช้ และสิ่งที่คุณบันทึกไว้ เช่น ดาว ป้ายกำกับ และตัวกรอง รหัสผ่านเก็บในรูปที่อ่านกลับไม่ได้',
  },
  {
    title: 'เราใช้ข้อมูลเพื่ออะไร',
    text: 'เพื่อให้บริการ ส่งรายงานและการแจ้งเตือนที่คุณเปิดไว้ ดูแลความปลอดภัย และติดต่อเรื่องบัญชี เราไม่ขายข้อมูลของคุณ และองค์กรอื่นมองไม่เห็นข้อมูลขององค์กรคุณ',
  },
  {
    title: 'สิทธิของคุณ',
    text: 'ขอดู แก้ไข รับสำเนา หรือลบข้อมูลส่วนบุคคลของคุณได้ตามกฎหมายคุ้มครองข้อมูลส่วนบุคคล และปิดอีเมลรายงานได้ทุกเมื่อในหน้าตั้งค่า',
  },
]

type TermsFieldProps = Omit<ComponentProps<'input'>, 'type'> & { error?: string | undefined }

export function TermsOfServiceField({ error, ...rest }: TermsFieldProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <label className="flex items-start gap-2.5 touch:min-h-11 touch:items-center">
        <span className="relative mt-[3px] inline-flex size-4 shrink-0 touch:mt-0">
          <input
            {...rest}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            className={classNames(
              'peer size-4 appearance-none rounded-[4px] border bg-surface checked:border-accent checked:bg-accent',
              error ? 'border-urgent' : 'border-control',
            )}
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-checked:block"
          />
        </span>
        ฉันยอมรับข้อกำหนดการใช้งานและการดูแลข้อมูลส่วนบุคคล
      </label>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={preloadModal}
        onFocus={preloadModal}
        onClick={() => setOpen(true)}
        className="ml-6.5 min-h-6 rounded-control text-sm text-accent-ink underline touch:min-h-11"
      >
        อ่านข้อกำหนด
      </button>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-urgent">
          {error}
        </p>
      )}
      <Modal
        open={isOpen}
        onClose={() => setOpen(false)}
        title="ข้อกำหนดการใช้งานและการดูแลข้อมูลส่วนบุคคล"
        description={`ฉบับ ${TERMS_OF_SERVICE_VERSION}`}
        className="sm:max-w-[640px]"
      >
        <div className="space-y-4 px-4 py-4">
          {SECTIONS.map(({ title, text }) => (
            <section key={title}>
              <h2 className="font-semibold">{title}</h2>
              <p className="text-ink-muted">{text}</p>
            </section>
          ))}
        </div>
      </Modal>
    </div>
  )
}
