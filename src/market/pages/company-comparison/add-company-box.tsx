import type { CompanyRef } from '#contract/market/company.ts'
import { CompanyPicker } from '#src/market/company-search/company-picker.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'

type AddBoxProps = {
  chosen: readonly number[]
  onAdd: (company: CompanyRef) => void
  onClose: () => void
}

export function AddComparedCompanyBox({ chosen, onAdd, onClose }: AddBoxProps) {
  return (
    <EventDelegationBox
      className="w-80 max-w-full print:hidden"
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLInputElement && target.value !== '')) onClose()
      }}
    >
      <CompanyPicker label="เพิ่มบริษัทที่จะเปรียบเทียบ" exclude={chosen} onPick={onAdd} inputRef={focusOnMount} />
    </EventDelegationBox>
  )
}
