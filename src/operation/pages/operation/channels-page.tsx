import { useQuery } from '@tanstack/react-query'
import type { OperatorChannelStatus } from '#contract/operation/operator-channels.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operatorNotificationChannelsQuery } from '#src/operation/api/operator-channels.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { formatTimeSpan } from './data-source-condition.ts'
import { LabelledValueItem, OperatorPageFrame } from './operator-page-frame.tsx'

const NAMES: Readonly<Record<string, { readonly th: string; readonly setting: string }>> = {
  mail: { th: 'อีเมล', setting: 'SMTP_URL' },
  push: { th: 'แจ้งบนเครื่อง (web push)', setting: 'VAPID_PUBLIC_KEY และ VAPID_PRIVATE_KEY' },
  line: { th: 'LINE', setting: 'LINE_CHANNEL_ID, LINE_CHANNEL_SECRET และ LINE_CHANNEL_ACCESS_TOKEN' },
}
/** Age of the oldest due message above which a channel counts as stuck; they normally go out within two seconds. */
const LATE_THRESHOLD_SECONDS = 10 * 60

export function OperatorNotificationChannelsPage() {
  const channelStatus = useQuery(operatorNotificationChannelsQuery)
  return (
    <OperatorPageFrame title="ช่องทาง" query={channelStatus} checkedAt={channelStatus.data?.checked_at}>
      {({ channels }) => (
        <ul className="space-y-3">
          {channels.map((channel) => (
            <ChannelCard key={channel.channel} {...channel} />
          ))}
        </ul>
      )}
    </OperatorPageFrame>
  )
}

const urgentIf = (isUrgent: boolean) => (isUrgent ? 'text-urgent' : undefined)

function ChannelCard(channelStatus: OperatorChannelStatus) {
  const { channel, is_set_up: isSetUp, waiting, oldest_seconds: oldest, failed } = channelStatus
  const { last_sent_at: lastSentAt } = channelStatus
  const { th = channel, setting = '' } = NAMES[channel] ?? {}
  return (
    <Card as="li" className="space-y-3 px-4 py-3 sm:px-5">
      <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
        {th}
        <Condition {...channelStatus} />
      </h2>
      {isSetUp || waiting + channelStatus.sent + failed > 0 ? (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
          <LabelledValueItem name="ผู้ใช้" value={formatCount(channelStatus.users)} />
          <LabelledValueItem name="รอส่ง" value={formatCount(waiting)} tone={urgentIf(oldest > LATE_THRESHOLD_SECONDS)}>
            {waiting > 0 && `นานสุด ${formatTimeSpan(oldest * 1000)}`}
          </LabelledValueItem>
          <LabelledValueItem name="ส่งใน 24 ชม." value={formatCount(channelStatus.sent)} />
          <LabelledValueItem name="ไม่สำเร็จใน 24 ชม." value={formatCount(failed)} tone={urgentIf(failed > 0)} />
          <LabelledValueItem
            name="ส่งสำเร็จล่าสุด"
            value={lastSentAt === null ? 'ยังไม่เคย' : formatThaiDateTime(lastSentAt)}
          />
          <LabelledValueItem name="ข้อผิดพลาดล่าสุด" value={channelStatus.last_error ?? 'ไม่มี'}>
            {channelStatus.last_error_at !== null && formatThaiDateTime(channelStatus.last_error_at)}
          </LabelledValueItem>
        </div>
      ) : (
        <p className="text-ink-muted">ยังไม่ได้ตั้ง {setting} ผู้ใช้จึงยังไม่เห็นช่องทางนี้</p>
      )}
      {channelStatus.month && <MonthUsage {...channelStatus.month} />}
    </Card>
  )
}

function MonthUsage(month: NonNullable<OperatorChannelStatus['month']>) {
  const { used, quota, is_out: isOut, asked_at: askedAt, failure } = month
  const limit = quota === null ? 'ไม่จำกัด' : `จาก ${formatCount(quota)}`
  return (
    <p className={isOut || failure !== null ? 'text-sm text-updated' : 'text-sm text-ink-muted'}>
      {used === null ? 'ยังไม่รู้จำนวนข้อความของเดือนนี้' : `ข้อความเดือนนี้ ${formatCount(used)} ${limit}`}
      {isOut && ' ครบโควตาแล้ว ที่เหลือของเดือนส่งทางอีเมลแทน'}
      {failure !== null && ` · ถามครั้งล่าสุดไม่สำเร็จ: ${lineFailure(failure)}`}
      {askedAt !== null && ` · ถามเมื่อ ${formatThaiDateTime(askedAt)}`}
    </p>
  )
}

function lineFailure(failure: string): string {
  if (/^status 40[13]$/.test(failure)) return `LINE ไม่รับ LINE_CHANNEL_ACCESS_TOKEN อาจผิดหรือถูกยกเลิก (${failure})`
  if (failure === 'status 429') return `ถาม LINE ถี่เกินไป ระบบจะถามใหม่เอง (${failure})`
  if (failure.startsWith('status 5')) return `LINE ขัดข้อง ระบบจะถามใหม่เอง (${failure})`
  return `ติดต่อ LINE ไม่ได้ ระบบจะถามใหม่เอง (${failure})`
}

function Condition({ is_set_up: isSetUp, waiting, oldest_seconds: oldest, failed, month }: OperatorChannelStatus) {
  if (!isSetUp && waiting > 0) return <Badge tone="urgent">ปิดอยู่ มีข้อความค้าง</Badge>
  if (!isSetUp) return <Badge>ไม่ได้ตั้งค่า</Badge>
  if (oldest > LATE_THRESHOLD_SECONDS) return <Badge tone="urgent">ค้าง</Badge>
  if (failed > 0) return <Badge tone="updated">บางข้อความส่งไม่สำเร็จ</Badge>
  if (month && month.failure !== null) return <Badge tone="updated">ถาม LINE ไม่สำเร็จ</Badge>
  if (month?.is_out) return <Badge tone="updated">ครบโควตา</Badge>
  return <Badge tone="accent">ปกติ</Badge>
}
