import { Checkbox } from '#src/ui/form/checkbox.tsx'

type EndAccessChoiceProps = { value: boolean | undefined; onChange: (value: boolean) => void }

export function RevokePasswordlessAccessCheckbox({ value = false, onChange }: EndAccessChoiceProps) {
  return (
    <Checkbox checked={value} onChange={onChange}>
      ยกเลิกทุกทางเข้าที่ไม่ต้องใช้รหัสผ่านด้วย
      <span className="block text-sm text-ink-muted">
        ลิงก์ลับของปฏิทินและตัวกรอง LINE คีย์ API เว็บฮุก และคำเชิญที่คุณสร้างไว้จะหยุดทำงานทันที เลือกถ้าสงสัยว่ามีคนอื่นใช้บัญชีนี้
      </span>
    </Checkbox>
  )
}
