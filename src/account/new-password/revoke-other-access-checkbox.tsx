import { Checkbox } from '#src/ui/form/checkbox.tsx'

type EndAccessChoiceProps = { checked: boolean | undefined; onChange: (checked: boolean) => void }

export function RevokePasswordlessAccessCheckbox({ checked = false, onChange }: EndAccessChoiceProps) {
  return (
    <Checkbox checked={checked} onChange={onChange}>
      ยกเลิกทุกทางเข้าที่ไม่ต้องใช้รหัสผ่านด้วย
      <span className="block text-sm text-ink-muted">
        ลิงก์ลับของปฏิทินและตัวกรอง LINE คีย์ API เว็บฮุก และคำเชิญที่คุณสร้างไว้จะหยุดทำงานทันที เลือกถ้าสงสัยว่ามีคนอื่นใช้บัญชีนี้
      </span>
    </Checkbox>
  )
}
