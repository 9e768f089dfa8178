import { nameElement } from '#src/lib/named-elements.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

const NO_OWNER = 0
const NO_STAGE = ''

export function PursuitStageSection({ id, detail: { pursuit }, settings }: PursuitSectionProps) {
  const { members, stages } = settings
  const owner = members.find((member) => member.id === pursuit?.owner)
  const owners = [
    { value: NO_OWNER, th: 'ยังไม่มีผู้ดูแล' },
    ...members
      .filter((member) => !member.is_disabled || member.id === owner?.id)
      .map(({ id: value, name, is_disabled }) => ({ value, th: name, disabled: is_disabled })),
  ]
  const choices = [
    ...(pursuit ? [] : [{ value: NO_STAGE, th: 'ยังไม่อยู่บนบอร์ด', disabled: true }]),
    ...stages.map((stage) => ({ value: stage.id, th: stage.name })),
  ]
  const setOwner = (value: number) => {
    const next = value === NO_OWNER ? null : value
    if (next === (pursuit?.owner ?? null)) return
    const name = members.find((member) => member.id === next)?.name
    void patchPursuit(id, [{ action: 'set_owner', owner: next }], {
      failed: 'เปลี่ยนผู้ดูแลไม่สำเร็จ',
      done: name ? `${name} ดูแลงานนี้แล้ว` : 'งานนี้ไม่มีผู้ดูแลแล้ว',
    })
  }
  const setStage = (value: string) => {
    if (value === pursuit?.stage || value === NO_STAGE) return
    void patchPursuit(id, [{ action: 'set_stage', stage: value }], {
      failed: 'ย้ายขั้นไม่สำเร็จ',
      done: `ย้ายไป “${stages.find((stage) => stage.id === value)?.name}” แล้ว`,
    })
  }
  return (
    <div className="mt-3 grid grid-cols-2 gap-2">
      <div className="flex min-w-0 items-center gap-2">
        <MemberAvatar member={owner} size="md" />
        <Listbox
          label="ผู้ดูแล"
          value={owner?.id ?? NO_OWNER}
          options={owners}
          buttonRef={nameElement('pursuitOwner')}
          onChange={setOwner}
          className="h-9 w-full touch:h-11"
        />
      </div>
      <Listbox
        label="ขั้น"
        value={pursuit?.stage ?? NO_STAGE}
        options={choices}
        onChange={setStage}
        className="h-9 w-full touch:h-11"
      />
    </div>
  )
}
