import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import type { LineConnectionState, LineConnectLink, LineGroupCode } from '#contract/channels/line.ts'
import { useUser } from '#src/account/api/users.ts'
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { QrCode } from '#src/account/qr-code/qr-code.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { notificationChannelsQuery } from '#src/channels/api/channels.ts'
import {
  createLineConnectionCode,
  createLineGroupCode,
  disconnectLine,
  disconnectLineGroup,
  lineConnectionQuery,
  lineGroupsQuery,
} from '#src/channels/api/line.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { NotificationChannelPreferencesForm } from './notification-channel-preferences-form.tsx'

const POLL_INTERVAL_MS = 3_000

export function LineConnectionSection() {
  const [connectCode, setConnectCode] = useState<LineConnectLink>()
  const line = useQuery({
    ...lineConnectionQuery,
    refetchInterval: connectCode ? POLL_INTERVAL_MS : false,
  })
  const requestCode = {
    run: async () => setConnectCode(await createLineConnectionCode()),
    failed: 'ขอรหัสไม่สำเร็จ',
  }
  const isSuperUser = useUser().role === 'super_user'
  const isConnected = line.data !== undefined && line.data.connection !== null
  useEffect(() => {
    if (!connectCode || !isConnected) return
    setConnectCode(undefined)
    showDoneToast('เชื่อม LINE แล้ว')
  }, [connectCode, isConnected])
  if (line.data?.is_available === false) return null
  return (
    <SettingsSection
      title="LINE"
      description="สรุปเช้าและเรื่องด่วนทาง LINE ติดดาวหรือซ่อนโครงการได้จากในแชต ส่งเฉพาะข้อมูลที่ประกาศแล้ว ไม่มีโน้ต ป้าย หรือราคาของเรา"
    >
      <QueryView query={line} task="โหลดการเชื่อม LINE" bars={['h-20']}>
        {({ is_quota_out: isQuotaOut, connection, account }) => (
          <div className="space-y-4">
            {isQuotaOut && (
              <div role="status">
                <Notice warns>ข้อความ LINE ของเดือนนี้ใช้ครบโควตาแล้ว เรื่องที่เลือกไว้จะส่งทางอีเมลแทนจนถึงสิ้นเดือน</Notice>
              </div>
            )}
            {connection ? (
              <>
                <ConnectedAccount {...connection} />
                <Wishes />
              </>
            ) : connectCode ? (
              <ConnectCode {...connectCode} request={requestCode} />
            ) : (
              <ItemRow
                title="ยังไม่ได้เชื่อม"
                details={
                  account
                    ? `สแกน QR ด้วยโทรศัพท์ แล้วกดส่งข้อความถึง ${account.name} ใช้เวลาไม่ถึงนาที`
                    : 'กำลังติดต่อ LINE เปิดหน้านี้อีกครั้งในอีกสักครู่'
                }
              >
                <ActionButton {...requestCode} icon={MessageCircle} disabled={account === null}>
                  เชื่อม LINE
                </ActionButton>
              </ItemRow>
            )}
            {isSuperUser && <LineGroupsSection />}
          </div>
        )}
      </QueryView>
    </SettingsSection>
  )
}

function Wishes() {
  const channels = useQuery(useOptimisticQueryOptions(notificationChannelsQuery))
  return (
    <QueryView query={channels} task="โหลดเรื่องที่แจ้ง" bars={['h-64']}>
      {({ channels: settings }) => {
        const setting = settings.find(({ channel }) => channel === 'line')
        return (
          setting && (
            <div className="border-t border-line pt-4">
              <NotificationChannelPreferencesForm setting={setting} />
            </div>
          )
        )
      }}
    </QueryView>
  )
}

function ConnectedAccount({ name, connected_at }: NonNullable<LineConnectionState['connection']>) {
  const displayName = name === null ? 'LINE ของคุณ' : `LINE “${name}”`
  return (
    <ConfirmedAction
      label="ยกเลิกการเชื่อม LINE"
      question={`จะไม่มีอะไรส่งไปที่ ${displayName} อีก ปุ่มในแชตเดิมใช้ไม่ได้ เชื่อมใหม่ได้ทุกเมื่อ`}
      no="ใช้ต่อ"
      yes="ยกเลิกการเชื่อม"
      run={disconnectLine}
      failed="ยกเลิกไม่สำเร็จ"
      done="ยกเลิกการเชื่อม LINE แล้ว"
    >
      {(ask) => (
        <ItemRow title={`เชื่อมกับ ${displayName} แล้ว`} details={`ตั้งแต่ ${formatThaiDateTime(connected_at)}`}>
          <Button size="sm" variant="quiet" onClick={ask}>
            ยกเลิกการเชื่อม
          </Button>
        </ItemRow>
      )}
    </ConfirmedAction>
  )
}

type ConnectCodeProps = LineConnectLink & { request: Pick<ComponentProps<typeof ActionButton>, 'run' | 'failed'> }

function ConnectCode({ text, address, expires_at, request }: ConnectCodeProps) {
  const isOver = useIsExpired(expires_at)
  if (isOver)
    return (
      <div role="status" className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-56">รหัสหมดเวลาแล้ว ยังไม่มีอะไรเปลี่ยน</p>
        <ActionButton {...request}>ขอรหัสใหม่</ActionButton>
      </div>
    )
  return (
    <div className="flex flex-wrap gap-5">
      <QrCode text={address} label="QR เปิดแชต LINE พร้อมรหัส" />
      <div className="min-w-0 flex-1 basis-64 space-y-3">
        <ol className="list-decimal space-y-1 pl-5">
          <li>สแกน QR ด้วยโทรศัพท์ หรือเปิดในเครื่องนี้</li>
          <li>กดส่งข้อความที่เตรียมไว้ในแชต</li>
          <li>กด “เชื่อมบัญชี” ในคำตอบ แล้วยืนยันใน LINE</li>
        </ol>
        <a href={address} target="_blank" rel="noreferrer" className={getButtonClasses('secondary')}>
          <MessageCircle aria-hidden className="size-4" />
          เปิดใน LINE
        </a>
        <p className="text-sm text-ink-muted">
          ข้อความที่ส่งคือ <span className="select-all rounded-control bg-surface-muted px-1.5 py-0.5 text-ink">{text}</span>
          <span className="block">ใช้ได้ครั้งเดียวถึง {formatThaiDateTime(expires_at)} อย่าให้คนอื่นเห็นรหัส</span>
        </p>
        <p role="status" className="text-sm text-ink-muted">
          รอการยืนยันจาก LINE หน้านี้เปลี่ยนเองเมื่อเชื่อมแล้ว
        </p>
      </div>
    </div>
  )
}

function useIsExpired(expiresAt: string): boolean {
  const [overAt, setOverAt] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setOverAt(expiresAt), Math.max(0, Date.parse(expiresAt) - getServerTime().getTime()))
    return () => clearTimeout(timer)
  }, [expiresAt])
  return overAt === expiresAt
}

function LineGroupsSection() {
  const lineGroups = useQuery(lineGroupsQuery)
  const [pairingCode, setPairingCode] = useState<LineGroupCode>()
  return (
    <section aria-label="กลุ่ม LINE ของทีม" className="space-y-2 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-medium">กลุ่ม LINE ของทีม</h3>
          <p className="text-sm text-ink-muted">
            วางเลขที่โครงการหรือลิงก์ e-GP ในกลุ่ม แล้วตามงานตอบด้วยการ์ดของโครงการ ทุกคนในกลุ่มเห็น จึงมีแต่ข้อมูลที่ประกาศแล้ว
          </p>
        </div>
        <ActionButton run={async () => setPairingCode(await createLineGroupCode())} failed="ขอรหัสกลุ่มไม่สำเร็จ">
          ขอรหัสกลุ่ม
        </ActionButton>
      </div>
      {pairingCode && (
        <p role="status" className="rounded-control bg-surface-muted px-3 py-2 text-sm">
          เชิญตามงานเข้ากลุ่ม แล้วส่งข้อความ <span className="font-medium select-all">{pairingCode.text}</span> ในกลุ่มนั้น
          <span className="block text-ink-muted">ใช้ได้ครั้งเดียวถึง {formatThaiDateTime(pairingCode.expires_at)}</span>
        </p>
      )}
      <QueryView query={lineGroups} task="โหลดกลุ่ม" bars={['h-10']}>
        {({ groups }) => (
          <ul aria-label="กลุ่มที่เชื่อมแล้ว" className="divide-y divide-line">
            {groups.map(({ id, connected_by, connected_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 py-2">
                <p className="min-w-0 flex-1 text-sm wrap-anywhere">
                  เชื่อม {formatThaiDateTime(connected_at)}
                  {connected_by !== null && ` โดย ${connected_by}`}
                </p>
                <ActionButton
                  size="sm"
                  variant="quiet"
                  aria-label={`ยกเลิกกลุ่มที่เชื่อม ${formatThaiDateTime(connected_at)}`}
                  run={() => disconnectLineGroup(id)}
                  failed="ยกเลิกกลุ่มไม่สำเร็จ"
                  done="ยกเลิกกลุ่มแล้ว"
                >
                  ยกเลิก
                </ActionButton>
              </li>
            ))}
            {groups.length === 0 && <li className="py-2 text-sm text-ink-muted">ยังไม่มีกลุ่มที่เชื่อม</li>}
          </ul>
        )}
      </QueryView>
    </section>
  )
}
