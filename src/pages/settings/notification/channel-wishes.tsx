import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CHANNEL_KINDS, type Channel, type ChannelWish } from '#contract/user/channel.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { channelsQuery, wishChannel } from '#src/api/user/channels.ts'
import { useUser } from '#src/api/user/users.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** What comes by a channel and when; each choice is kept at once. */
export function ChannelWishes({ channel }: { channel: Channel }) {
  const { data, error, refetch, isFetching } = useQuery(useOverlaid(channelsQuery))
  const setting = data?.channels.find((one) => one.channel === channel)
  if (setting) {
    const { channel: _channel, is_on: _isOn, ...wish } = setting
    return <Wishes wish={wish} onChange={(change) => void wishChannel(channel, { ...wish, ...change })} />
  }
  if (error)
    return (
      <ErrorNotice
        title="โหลดเรื่องที่แจ้งไม่สำเร็จ"
        reason={errorText(error)}
        requestId={errorRequestId(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  return <Skeleton className="appear-late h-64" />
}

type WishesProps = { wish: ChannelWish; onChange: (change: Partial<ChannelWish>) => void }

function Wishes({ wish, onChange }: WishesProps) {
  return (
    <div className="space-y-4 border-t border-line pt-4">
      <fieldset>
        <legend className="mb-1 font-medium">แจ้งเรื่องอะไร</legend>
        <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {CHANNEL_KINDS.map((kind) => (
            <Checkbox
              key={kind.code}
              checked={wish.kinds.includes(kind.code)}
              onChange={(on) => {
                const others = wish.kinds.filter((code) => code !== kind.code)
                onChange({ kinds: on ? [...others, kind.code] : others })
              }}
            >
              {kind.th}
              {'hint' in kind && <span className="block text-sm text-ink-muted">{kind.hint}</span>}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <Filters wish={wish} onChange={onChange} />
      <fieldset>
        <legend className="mb-1 font-medium">แจ้งเมื่อไร</legend>
        <div className="flex flex-wrap items-end gap-3">
          <Hour label="งดส่งตั้งแต่" value={wish.quiet_from} onChange={(quiet_from) => onChange({ quiet_from })} />
          <Hour label="จนถึง" value={wish.quiet_until} onChange={(quiet_until) => onChange({ quiet_until })} />
        </div>
        <p className="mt-1 text-sm text-ink-muted">
          {wish.quiet_from === wish.quiet_until
            ? 'เวลาเท่ากัน จึงส่งได้ตลอดวัน'
            : 'เรื่องที่เกิดในช่วงนี้ส่งรวมกันเมื่อพ้นเวลา ไม่มีอะไรหาย'}
        </p>
        <Switch
          label="เฉพาะวันทำการ"
          checked={wish.working_days_only}
          onChange={(working_days_only) => onChange({ working_days_only })}
        >
          วันหยุดราชการและเสาร์อาทิตย์รอไว้ส่งวันทำการถัดไป
        </Switch>
      </fieldset>
    </div>
  )
}

/** The morning is of the whole report, or of chosen saved filters. */
function Filters({ wish: { filters }, onChange }: WishesProps) {
  const saved = useUser().project_save_filter_profile
  return (
    <fieldset>
      <legend className="mb-1 font-medium">สรุปเช้าจากโครงการไหน</legend>
      <Checkbox
        checked={filters === null}
        disabled={saved.length === 0 && filters === null}
        onChange={(all) => onChange({ filters: all ? null : saved.map(({ id }) => id) })}
      >
        ทั้งรายงาน
      </Checkbox>
      {filters !== null &&
        saved.map(({ id, filterName }) => (
          <Checkbox
            key={id}
            checked={filters.includes(id)}
            onChange={(on) => {
              const others = filters.filter((one) => one !== id)
              onChange({ filters: on ? [...others, id] : others })
            }}
          >
            <span className="wrap-anywhere">{filterName}</span>
          </Checkbox>
        ))}
      {filters !== null && !saved.some(({ id }) => filters.includes(id)) && (
        <p className="text-sm text-updated">ยังไม่ได้เลือกตัวกรอง จึงไม่มีสรุปเช้า</p>
      )}
      {saved.length === 0 && (
        <p className="text-sm text-ink-muted">
          บันทึกตัวกรองใน{' '}
          <Link to="/report" className="inline-flex items-center text-accent-ink underline touch:min-h-11">
            รายงาน
          </Link>{' '}
          ก่อน แล้วเลือกได้ว่าให้สรุปจากตัวกรองไหน
        </p>
      )}
    </fieldset>
  )
}

/** Kept when it is left: a time is typed in parts. */
function Hour({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextField
      label={label}
      type="time"
      value={typed ?? value}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== undefined && typed !== '' && typed !== value) onChange(typed)
        setTyped(undefined)
      }}
      className="w-32"
    />
  )
}
