import { useId } from 'react'
import {
  CHANNEL_MESSAGE_KINDS,
  type ChannelMessageKind,
  type ChannelPreferences,
  type NotificationChannels,
} from '#contract/channels/channel.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { CheckboxGroup } from '#src/account/pages/settings/form/checkbox-group.tsx'
import { saveNotificationChannelPreferences } from '#src/channels/api/channels.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'

/** Notification kinds that only some users get: super users, and users in organisations with company comparison. */
const SUPER_USER_KINDS: readonly ChannelMessageKind[] = ['Join_requested']
const COMPANY_COMPARISON_KINDS: readonly ChannelMessageKind[] = ['Question_news']

export function NotificationChannelPreferencesForm({ setting }: { setting: NotificationChannels['channels'][number] }) {
  const { channel, is_on: _isOn, ...wish } = setting
  const { quiet_from: from, quiet_until: until } = wish
  const { role } = useUser()
  const { is_company_compare: hasCompanies } = useOrganisation()
  const save = (change: Partial<ChannelPreferences>) =>
    void saveNotificationChannelPreferences(channel, { ...wish, ...change })
  const kinds = CHANNEL_MESSAGE_KINDS.filter(
    ({ code }) =>
      (role === 'super_user' || !SUPER_USER_KINDS.includes(code)) &&
      (hasCompanies || !COMPANY_COMPARISON_KINDS.includes(code)),
  )
  return (
    <div className="space-y-5">
      <div>
        <CheckboxGroup
          legend="เรื่องที่แจ้ง"
          className="grid gap-x-6 sm:grid-cols-2"
          options={kinds}
          value={wish.kinds}
          onChange={(kinds) => save({ kinds })}
        />
        <p className="mt-1 text-sm text-ink-muted">เรื่องที่ไม่ได้ส่งทันทีรวมกันเป็นข้อความเดียว และเรื่องที่อ่านในกระดิ่งแล้วไม่ส่งซ้ำ</p>
      </div>
      <div>
        <Switch
          label="ช่วงเวลาเงียบ"
          checked={from !== until}
          onChange={(on) => save(on ? { quiet_from: '20:00', quiet_until: '07:00' } : { quiet_until: from })}
        >
          ไม่แจ้งในช่วงนี้ เก็บไว้รวมส่งเมื่อพ้นช่วง
        </Switch>
        {from !== until && (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <TimeField label="ตั้งแต่" value={from} excludedTime={until} onChange={(time) => save({ quiet_from: time })} />
            <TimeField label="ถึง" value={until} excludedTime={from} onChange={(time) => save({ quiet_until: time })} />
          </div>
        )}
      </div>
      <Switch label="เฉพาะวันทำการ" checked={wish.working_days_only} onChange={(on) => save({ working_days_only: on })}>
        เสาร์ อาทิตย์ และวันหยุดราชการไม่แจ้ง เก็บไว้รวมส่งเช้าวันทำการถัดไป
      </Switch>
      <Filters {...wish} onSave={(filters) => save({ filters })} />
    </div>
  )
}

const HALF_HOURS = Array.from(
  { length: 48 },
  (_, at) => `${String(at >> 1).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`,
)

type TimeFieldProps = { label: string; value: string; excludedTime: string; onChange: (time: string) => void }

/** A native select, which phones show as a wheel. Omits the other end: equal times would disable quiet hours. */
function TimeField({ label, value, excludedTime, onChange }: TimeFieldProps) {
  const id = useId()
  const times = HALF_HOURS.includes(value) ? HALF_HOURS : [value, ...HALF_HOURS]
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="h-9 rounded-control border border-control bg-surface px-2 tabular-nums touch:h-11"
      >
        {times
          .filter((time) => time !== excludedTime)
          .map((time) => (
            <option key={time} value={time}>
              {time} น.
            </option>
          ))}
      </select>
    </span>
  )
}

type FiltersProps = ChannelPreferences & { onSave: (filters: ChannelPreferences['filters']) => void }

function Filters({ filters: chosen, kinds, onSave }: FiltersProps) {
  const { project_save_filter_profile: filters } = useUser()
  if (filters.length === 0 || !(kinds.includes('Morning') || kinds.includes('Document_found'))) return null
  return (
    <div>
      <CheckboxGroup
        legend="สรุปเช้าและการพบคำในเอกสาร"
        className="ml-6 grid gap-x-6 sm:grid-cols-2"
        options={chosen === null ? [] : filters.map(({ id, filterName }) => ({ code: id, th: filterName }))}
        value={chosen ?? []}
        onChange={onSave}
      >
        <Checkbox checked={chosen === null} onChange={(on) => onSave(on ? null : filters.map(({ id }) => id))}>
          ทั้งรายงาน
        </Checkbox>
      </CheckboxGroup>
      {chosen?.length === 0 && <p className="text-sm text-updated">ยังไม่ได้เลือกตัวกรอง จึงไม่มีสรุปเช้า</p>}
    </div>
  )
}
