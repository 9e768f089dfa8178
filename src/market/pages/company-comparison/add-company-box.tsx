import { useEffect, useRef } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import { EventDelegate } from '#src/ui/event-delegate.tsx'

type AddBoxProps = {
  chosen: readonly number[]
  onAdd: (company: CompanyRef) => void
  onClose: () => void
}

export function AddBox({ chosen, onAdd, onClose }: AddBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <EventDelegate
      ref={box}
      className="w-80 max-w-full print:hidden"
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLInputElement && target.value !== '')) onClose()
      }}
    >
      <CompanyPicker label="เพิ่มบริษัทที่จะเปรียบเทียบ" exclude={chosen} onPick={onAdd} />
    </EventDelegate>
  )
}
